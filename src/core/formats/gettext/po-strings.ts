/**
 * What stands between the quotes of a PO file's strings: C's escapes, read and written. How a string is spread over
 * lines is po-layout.ts's.
 */

/** Bytes by their number (`\303\251`, `\xc3\xa9`), several of which may make one character; or an escaped letter. */
const ESCAPE = /(?:\\(?:[0-7]{1,3}|x[0-9A-Fa-f]+))+|\\[^]/g;
const BYTE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]+))/g;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);

/** The text of what stands between two quotes. An escape that C does not know is the character itself. */
export function unescapePo(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(ESCAPE, (escape) => {
    const letter = escape.charAt(1);
    if (isOctal(letter) || (letter === "x" && escape.length > 2)) return textOfBytes(escape);
    return LETTERS.get(letter) ?? letter;
  });
}

function isOctal(letter: string): boolean {
  return letter >= "0" && letter <= "7";
}

function textOfBytes(escapes: string): string {
  const bytes: number[] = [];
  for (const [, octal, hex] of escapes.matchAll(BYTE)) {
    bytes.push(
      octal === undefined ? Number.parseInt((hex ?? "").slice(-2), 16) : Number.parseInt(octal, 8) & 0xff,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    // Bytes of another encoding: each its own character, so that no two strings become the same.
    return bytes.map((byte) => String.fromCharCode(byte)).join("");
  }
}

const SPECIAL = /[\\"]|\p{Cc}/gu;

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ['"', '\\"'],
  ...[...LETTERS].map(([letter, char]) => [char, `\\${letter}`] as const),
]);

/** The text as it stands between quotes. `rawTabs`: the file has tabs as they are. */
export function escapePo(text: string, rawTabs = false): string {
  return text.replace(SPECIAL, (char) => {
    if ((rawTabs && char === "\t") || char >= "\u0080") return char;
    return ESCAPED.get(char) ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
}
