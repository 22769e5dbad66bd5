/** The options of all commands: what is refused, and with which message. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL_COMMANDS } from "../../repo/all-commands.ts";
import { pullCommand, pushCommand, importCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  setLocalCommand,
  setTranslationCommand,
  setTranslationsCommand,
  translateCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { startLocalServiceCommand } from "../../../src/commands/declarations/session-commands.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import type { CommandDeclaration } from "../../../src/commands/define-command.ts";
import { parseOptions } from "../../../src/commands/parse-options.ts";
import { optionProblemMessage } from "../../../src/messages/option-messages.ts";
import { l10n } from "../support/vscode-stub.ts";
import { requiredOptionsOf, validValue } from "../support/command-options.ts";

function messageFor<Declared extends CommandDeclaration>(
  declaration: Declared,
  options: unknown,
): string | undefined {
  const parsed = parseOptions(declaration, options);
  return parsed.kind === "valid" ? undefined : optionProblemMessage(declaration, parsed.problem, l10n);
}

const text = { locale: "nl", key: "cart.title", value: "Winkelwagen" };

describe("options of the wrong type", () => {
  test.each([
    [
      pushCommand,
      { only: "abc" },
      "The option “only” has a wrong value. It may be a list, each item the hash of a key (40 hexadecimal digits).",
    ],
    [
      pushCommand,
      { only: ["abc"] },
      "The option “only.0” has a wrong value. It may be the hash of a key (40 hexadecimal digits).",
    ],
    [pushCommand, { confirm: "no" }, "The option “confirm” has a wrong value. It may be true or false."],
    [pushCommand, { folder: 3 }, "The option “folder” has a wrong value. It may be a path or a Uri."],
    [
      pullCommand,
      { locales: "nl" },
      "The option “locales” has a wrong value. It may be a list, each item a language code.",
    ],
    [
      pullCommand,
      { missing: "none" },
      "The option “missing” has a wrong value. It may be one of these: “fallback”, “empty”, “omit”.",
    ],
    [
      pullCommand,
      { files: 5 },
      "The option “files” has a wrong value. It may be a path or a Uri, or a list of such values.",
    ],
    [
      setTranslationCommand,
      { ...text, version: "two" },
      "The option “version” has a wrong value. It may be a whole number from 0, or null.",
    ],
    [
      setTranslationCommand,
      { ...text, value: undefined, forms: ["a"] },
      "The option “forms” has a wrong value. It may be an object of plural category to text.",
    ],
    [
      updateKeyCommand,
      { key: "a", tags: "urgent" },
      "The option “tags” has a wrong value. It may be a list, each item a text.",
    ],
    [
      updateKeyCommand,
      { key: "a", maxLength: 0 },
      "The option “maxLength” has a wrong value. It may be a whole number from 1 to 32768, or null.",
    ],
    [
      importCommand,
      { overwrite: "no" },
      "The option “overwrite” has a wrong value. It may be true or false.",
    ],
    [importCommand, { tag: "half \ud83d" }, "The option “tag” has a wrong value. It may be a text."],
    [
      startLocalServiceCommand,
      { port: 70_000 },
      "The option “port” has a wrong value. It may be a whole number from 0 to 65535.",
    ],
    [
      openEditorCommand,
      { filter: "other" },
      /^The option “filter” has a wrong value\. It may be one of these: “untranslated”, .*, or a list of such values\.$/,
    ],
    [
      translateCommand,
      { keys: [{ key: "a" }, "b"] },
      "The option “keys.1” has a wrong value. It may be an object with “key” and, optionally, “namespace” and “context”.",
    ],
  ] as const)("of %o: %j", (declaration, options, message) => {
    expect(messageFor(declaration as CommandDeclaration, options)).toMatch(message);
  });

  test("are refused whole: strings that are lists elsewhere, arrays in place of the options", () => {
    expect(messageFor(pushCommand as CommandDeclaration, [])).toMatch(
      "Push Keys takes one object with options: dryRun",
    );
    expect(messageFor(pushCommand as CommandDeclaration, "push")).toMatch("Push Keys takes one object");
  });
});

describe("unknown and missing options", () => {
  test.each([
    [
      pushCommand,
      { onlyy: [] },
      "There is no option “onlyy”. Push Keys takes here: dryRun, archiveMissing, only, files, folder, confirm.",
    ],
    [
      setTranslationsCommand,
      { locale: "nl", items: [{ key: "a", valeu: "b", value: "c" }] },
      "There is no option “items.0.valeu”. Set Translations takes here: key, namespace, context, value, forms, version.",
    ],
    [
      archiveCommand,
      {},
      "The option “hashes” is missing: a list, each item the hash of a key (40 hexadecimal digits).",
    ],
    [setTranslationCommand, { key: "a", value: "b" }, "The option “locale” is missing: a language code."],
    [
      setTranslationCommand,
      { locale: "nl", key: "a" },
      "No text was given: set the option “value” or “forms”.",
    ],
    [
      setTranslationCommand,
      { ...text, forms: { one: "a" } },
      "Give either the option “value” or “forms”, not both.",
    ],
    [
      setTranslationsCommand,
      { locale: "nl", items: [{ key: "a", value: "b" }, { key: "a" }] },
      "No text was given: set the option “items.1.value” or “items.1.forms”.",
    ],
  ] as const)("of %o: %j", (declaration, options, message) => {
    expect(messageFor(declaration as CommandDeclaration, options)).toBe(message);
  });

  test("an option that is undefined is left out", () => {
    expect(parseOptions(pullCommand, { profile: undefined, locales: ["nl"] })).toStrictEqual({
      kind: "valid",
      options: { locales: ["nl"] },
    });
  });
});

const VALUES = [{}, { value: undefined }, { value: "" }, { value: "text" }, { value: 1 }];
const FORMS = [
  {},
  { forms: undefined },
  { forms: {} },
  { forms: { one: "text" } },
  { forms: ["text"] },
  { forms: { one: 1 } },
];

describe("a text, whether it is given once or in a list", () => {
  const isValid = ({ value, forms }: { readonly value?: unknown; readonly forms?: unknown }): boolean =>
    (value === undefined || typeof value === "string") &&
    (forms === undefined || JSON.stringify(forms) === '{"one":"text"}');
  const texts = VALUES.flatMap((value) => FORMS.map((forms) => ({ ...value, ...forms })));

  test.each(texts)("is a value or forms, not both: %j", (given: { value?: unknown; forms?: unknown }) => {
    const count = Number(given.value !== undefined) + Number(given.forms !== undefined);
    const isOne = isValid(given) && count === 1;
    const one = { locale: "nl", key: "a" };
    expect(messageFor(setTranslationCommand, { ...one, ...given }) === undefined).toBe(isOne);
    const items = [{ key: "a", ...given }];
    expect(messageFor(setTranslationsCommand, { locale: "nl", items }) === undefined).toBe(isOne);
    // Asked for if it is left out.
    expect(messageFor(setLocalCommand, { key: "a", ...given }) === undefined).toBe(
      isValid(given) && count < 2,
    );
  });
});

test.each([
  ["", false],
  ["/app", true],
  [{ scheme: "file", path: "/app" }, true],
  [{ scheme: "file" }, false],
  [{ path: "/app" }, false],
  [null, false],
  [[], false],
] as const)("the folder %j is a path or a Uri: %s", (folder, isUri) => {
  expect(messageFor(pushCommand, { folder }) === undefined).toBe(isUri);
  expect(messageFor(pushCommand, { files: [folder] }) === undefined).toBe(isUri);
});

test("a command in the menu of a row is that of its own row, with the same options", () => {
  for (const declared of ALL_COMMANDS.filter(({ id }) => id.endsWith("Row"))) {
    const whole = ALL_COMMANDS.find(({ id }) => `${id}Row` === declared.id);
    expect(declared).toMatchObject({ audience: "row", inRowMenus: true });
    expect(declared.needs).toBe(whole?.needs);
    expect(Object.keys(declared.options)).toEqual(Object.keys(whole?.options ?? {}));
  }
});

describe.each(ALL_COMMANDS.map((declaration) => [declaration.id, declaration] as const))(
  "%s",
  (_id, declaration) => {
    const required = requiredOptionsOf(declaration);

    test("accepts its required options, and each other one", () => {
      expect(messageFor(declaration, required)).toBeUndefined();
      for (const [name, schema] of Object.entries(declaration.options)) {
        const others = name === "forms" ? { value: undefined } : {};
        expect(
          messageFor(declaration, { ...required, [name]: validValue(schema), ...others }),
          name,
        ).toBeUndefined();
      }
    });

    test("refuses values of a wrong type for each option, and names it", () => {
      for (const name of Object.keys(declaration.options)) {
        const wrong = fc.oneof(
          fc.constantFrom<unknown>(
            Number.NaN,
            1.5,
            Symbol("symbol"),
            () => "text",
            [[]],
            { unknown: true },
            10n,
          ),
          fc.array(fc.constant(null), { minLength: 1 }),
        );
        fc.assert(
          fc.property(wrong, (value) => {
            if (name === "act" && typeof value === "function") return;
            const message = messageFor(declaration, { ...required, value: undefined, [name]: value });
            expect(message).toMatch(new RegExp(`“${name}[.”]`));
          }),
          { numRuns: 30 },
        );
      }
    });

    test("refuses an unknown option", () => {
      fc.assert(
        fc.property(fc.string({ minLength: 1 }), (name) => {
          if (Object.hasOwn(declaration.options, name)) return;
          expect(messageFor(declaration, { ...required, [name]: true })).toContain(`“${name}”`);
        }),
        { numRuns: 30 },
      );
    });
  },
);
