/** What a declaration makes of what it is given, and how commands end. */
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  CommandCancelled,
  CommandError,
  KeptInputError,
  PartialResultError,
  requireAnswer,
} from "../../../src/commands/command-types.ts";
import {
  openEditorCommand,
  openEditorRowCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { defineCommand, forRows } from "../../../src/commands/define-command.ts";
import {
  FormsSchema,
  HashSchema,
  KeySchema,
  listOf,
  LocaleSchema,
  option,
  PortSchema,
  requiredOption,
  textOptions,
  UriSchema,
  UrisSchema,
} from "../../../src/commands/option-schemas.ts";
import { parseOptions } from "../../../src/commands/parse-options.ts";
import { ROW_MENUS, type RowKind } from "../../../src/commands/row-menus.ts";
import {
  alternativesOf,
  choicesOf,
  descriptionOf,
  entriesOf,
  isOptional,
  rangeOf,
  schemaAt,
  valueNameOf,
  withoutOptional,
} from "../../../src/commands/schema-structure.ts";
import { refusedOption, valueText } from "../../../src/messages/option-messages.ts";
import { l10n } from "../../../src/util/l10n.ts";

const base = { title: "Do It", needs: "project", description: "Does it." } as const;

describe("a command", () => {
  test("is for anyone and in no menu of rows, unless it says so; that of a row is", () => {
    const of = (changes: object) => {
      const { id, audience, inRowMenus, title, needs } = defineCommand({ ...base, id: "doIt", ...changes });
      return { id, audience, inRowMenus, title, needs };
    };
    const whole = { id: "projectTranslations.doIt", title: "Do It", needs: "project" };
    expect(of({})).toEqual({ ...whole, audience: "anyone", inRowMenus: false });
    expect(of({ audience: "row" })).toEqual({ ...whole, audience: "row", inRowMenus: true });
    expect(of({ audience: "person", inRowMenus: true })).toEqual({
      ...whole,
      audience: "person",
      inRowMenus: true,
    });
    const declared = defineCommand({
      ...base,
      id: "doIt",
      options: { locale: option(LocaleSchema, "A language.") },
    });
    expect(forRows(declared)).toEqual({
      ...declared,
      id: "projectTranslations.doItRow",
      audience: "row",
      inRowMenus: true,
    });
    expect(Object.keys(declared.options)).toEqual(["locale", "folder", "confirm"]);
  });

  test("takes one text at most, and needs one only if it says so", () => {
    const problemOf = (needsText: boolean, given: object) => {
      const parsed = parseOptions(
        defineCommand({ ...base, id: "doIt", options: textOptions, needsText }),
        given,
      );
      return parsed.kind === "valid" ? null : parsed.problem;
    };
    expect(problemOf(false, {})).toBeNull();
    expect(problemOf(true, { value: "" })).toBeNull();
    expect(problemOf(true, { forms: { one: "" } })).toBeNull();
    expect(problemOf(true, {})).toEqual({ kind: "rule", path: "", rule: "no-text" });
    expect(problemOf(false, { value: "", forms: { one: "" } })).toEqual({
      kind: "rule",
      path: "",
      rule: "both-texts",
    });
  });

  test("of the menus of rows applies to its row", () => {
    for (const { command, rows } of ROW_MENUS) {
      expect(command.inRowMenus, command.id).toBe(true);
      expect(new Set(rows).size, command.id).toBe(rows.length);
    }
  });

  test("is offered where it can do something: keys can be sent and fetched, issues only opened and copied", () => {
    const offered = (row: RowKind) =>
      new Set(
        ROW_MENUS.filter(({ rows }) => rows.includes(row)).map(({ command }) =>
          command.id.replace(/^projectTranslations\./u, ""),
        ),
      );
    const ofIssues = ["copyKey", "copyText", "editTranslation", "findUses", "goToEntry", "openEditorRow"];
    const ofKeys = [...ofIssues, "pullRow", "pushRow", "translateKey"];
    expect([...offered("key")].toSorted()).toEqual(ofKeys);
    expect([...offered("translation")].toSorted()).toEqual(ofKeys);
    expect([...offered("issue")].toSorted()).toEqual(ofIssues);
    expect([...offered("issueWithSuggestion")].toSorted()).toEqual(["applySuggestion", ...ofIssues]);
    expect([...offered("sourceLanguage")].toSorted()).toEqual(["openEditorRow", "pushRow", "refreshRow"]);
    expect([...offered("localSourceLanguage")].toSorted()).toEqual(["openEditorRow", "refreshRow"]);
    expect([...offered("language")].toSorted()).toEqual([
      "importLocal",
      "openEditorRow",
      "pullRow",
      "refreshRow",
      "translateRow",
    ]);
  });

  test("that opens the translation editor at a key takes its namespace and context, also from a row", () => {
    const given = { key: "title", namespace: "cart", context: "menu", locales: ["nl"] };
    for (const command of [openEditorCommand, openEditorRowCommand])
      expect(parseOptions(command, given)).toEqual({ kind: "valid", options: given });
  });
});

describe("options", () => {
  const declared = defineCommand({
    ...base,
    id: "doIt",
    options: {
      items: option(listOf(v.strictObject({ key: v.string(), note: v.exactOptional(v.string()) })), "Items."),
      port: requiredOption(PortSchema, "A port."),
    },
  });

  test("that are undefined anywhere are left out, also of objects without a prototype", () => {
    const nested = Object.assign(Object.create(null) as object, { key: "a", note: undefined });
    expect(parseOptions(declared, { port: 1, items: [nested, { key: "b", note: undefined }] })).toStrictEqual(
      {
        kind: "valid",
        options: { port: 1, items: [{ key: "a" }, { key: "b" }] },
      },
    );
  });

  test("that are refused are named, with what is possible there; a rule names none", () => {
    const problemOf = (given: unknown) => {
      const parsed = parseOptions(declared, given);
      if (parsed.kind === "valid") throw new Error("valid");
      const { problem } = parsed;
      return [problem.kind, "path" in problem ? problem.path : null, refusedOption(problem)];
    };
    expect(problemOf([])).toEqual(["not-an-object", null, undefined]);
    expect(problemOf(null)).toEqual(["not-an-object", null, undefined]);
    expect(problemOf({ port: 1, items: [{ key: "a", odd: 1 }] })).toEqual([
      "unknown",
      "items.0.odd",
      "items.0.odd",
    ]);
    expect(problemOf({ port: 1, items: [{}] })).toEqual(["missing", "items.0.key", "items.0.key"]);
    expect(problemOf({ items: [] })).toEqual(["missing", "port", "port"]);
    expect(problemOf({ port: null })).toEqual(["wrong", "port", "port"]);
    expect(refusedOption({ kind: "rule", path: "items.0.", rule: "no-text" })).toBeUndefined();
  });

  test("that are unknown say which there are at that place, also with a name that every object has", () => {
    const knownAt = (given: object) => {
      const parsed = parseOptions(declared, given);
      return parsed.kind === "invalid" && parsed.problem.kind === "unknown" ? parsed.problem.known : null;
    };
    const all = ["items", "port", "folder", "confirm"];
    expect(knownAt({ port: 1, odd: 1 })).toEqual(all);
    expect(knownAt({ port: 1, constructor: 1 })).toEqual(all);
    expect(knownAt({ port: 1, items: [{ key: "a", constructor: 1 }] })).toEqual(["key", "note"]);
  });

  test("that are objects of VS Code are passed on as they are", () => {
    class Uri {
      readonly scheme = "file";
      readonly path = "/app";
    }
    const folder = new Uri();
    const parsed = parseOptions(declared, { port: 1, folder });
    expect(parsed.kind === "valid" && parsed.options.folder === folder).toBe(true);
  });
});

test.each([
  ["0".repeat(40), true],
  ["0".repeat(39), false],
  ["0".repeat(41), false],
  [`g${"0".repeat(39)}`, false],
  ["A".repeat(40), false],
])("the hash %s is one: %s", (hash, isHash) => {
  expect(v.is(HashSchema, hash)).toBe(isHash);
});

test("names, ports and forms have their bounds", () => {
  expect([0, 65_535, -1, 65_536, 1.5].map((port) => v.is(PortSchema, port))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([{ one: "a" }, {}, ["a"], null, { one: 1 }].map((forms) => v.is(FormsSchema, forms))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(["nl", ""].map((locale) => v.is(LocaleSchema, locale))).toEqual([true, false]);
  const keys = [
    { key: "a" },
    { key: "" },
    { key: "a", context: null, namespace: "b" },
    { key: "a", odd: 1 },
    {},
  ];
  expect(keys.map((key) => v.is(KeySchema, key))).toEqual([true, false, true, false, false]);
});

test("a schema says what its values are", () => {
  const text = (schema: v.GenericSchema) => valueText(schema, l10n);
  expect(text(v.pipe(v.number(), v.integer()))).toBe("a whole number");
  expect(text(v.pipe(v.number(), v.integer(), v.minValue(2)))).toBe("a whole number from 2");
  expect(text(v.pipe(v.number(), v.integer(), v.maxValue(2)))).toBe("a whole number");
  expect(text(v.pipe(v.number(), v.minValue(1), v.maxValue(9)))).toBe("a whole number from 1 to 9");
  expect(text(v.strictObject({ a: v.string(), b: v.string() }))).toBe("an object with a, b");
  expect(text(v.nullable(listOf(v.picklist(["x", "y"]))))).toBe(
    "a list, each item one of these: “x”, “y”, or null",
  );
  expect(text(option(UrisSchema, "Files."))).toBe("a path or a Uri, or a list of such values");
  expect(text(v.string())).toBe("a text");
});

test("the parts of a schema are found by path, or else the nearest that is known", () => {
  const inner = v.pipe(v.number(), v.pipe(v.number(), v.minValue(1)), v.maxValue(3));
  const schema = v.strictObject({ list: option(listOf(v.strictObject({ n: inner })), "A list.") });
  expect(schemaAt(schema, ["list", "0", "n"])).toBe(inner);
  expect(rangeOf(inner)).toEqual({ min: 1, max: 3 });
  expect(Object.keys(entriesOf(schemaAt(schema, ["list", "0", "odd", "more"])) ?? {})).toEqual(["n"]);
  const { list } = schema.entries;
  expect([isOptional(list), isOptional(inner), descriptionOf(list), descriptionOf(inner)]).toEqual([
    true,
    false,
    "A list.",
    "",
  ]);
  expect(withoutOptional(inner)).toBe(inner);
  const required = requiredOption(LocaleSchema, "A language.");
  expect([isOptional(required), descriptionOf(required)]).toEqual([false, "A language."]);
  const one = v.strictObject({ locale: option(LocaleSchema, "A language.") });
  expect(schemaAt(one, ["locale", "more"])).toBe(withoutOptional(one.entries.locale));
  expect(choicesOf(v.intersect([v.string(), v.picklist(["x"])]))).toBeUndefined();
  expect([choicesOf(inner), alternativesOf(inner), alternativesOf(UrisSchema)?.[0]]).toEqual([
    undefined,
    undefined,
    UriSchema,
  ]);
  expect([valueNameOf(HashSchema), valueNameOf(inner)]).toEqual(["hash", undefined]);
});

describe("the end of a command", () => {
  test("is a cancellation only where nothing was answered: an empty text is an answer", () => {
    for (const answer of ["", 0, null, false, "a"]) expect(requireAnswer<unknown>(answer)).toBe(answer);
    expect(() => requireAnswer(undefined)).toThrow(CommandCancelled);
    expect(new CommandCancelled().name).toBe("Canceled");
  });

  test("as a failure has its code, details and step, and after a part of the work its fields and cause", () => {
    const step = { label: "Again", act: () => undefined };
    expect(new CommandError("invalid", "No.", { reason: "r" }, step)).toMatchObject({
      code: "invalid",
      message: "No.",
      details: { reason: "r" },
      step,
    });
    expect(new CommandError("invalid", "No.").details).toEqual({});
    const cause = new Error("why");
    expect(new PartialResultError("Half.", { done: 1 }, cause)).toMatchObject({
      message: "Half.",
      fields: { done: 1 },
      cause,
    });
    expect(new KeptInputError(cause, step)).toMatchObject({ cause, retry: step });
  });
});
