/** Any character of Unicode, for generated texts. */
import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * The same characters as `unit: "binary"` of `fc.string`, which begins with a table of all million of them: a second, and
 * 200 MB, in each process of the tests.
 */
export const anyCharacter = fc.nat(0x10_ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (character) => {
    if (typeof character !== "string" || Array.from(character).length !== 1) throw new Error("no character");
    const code = character.codePointAt(0) ?? 0;
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
