/** Edited files are accepted by gettext's tools, with the expected texts. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { po, pot } from "../../../../src/formats/gettext/po-format.ts";
import { requireTool, run, runText } from "../../support/reference-tools.ts";
import { edit, edited, ENGLISH, readAll } from "../editing.ts";
import { DUTCH, FILE, HEADER, POLISH } from "./po-samples.ts";

const PLURAL: Change = {
  key: "%d file",
  context: null,
  text: { forms: { one: "%d bestand", other: "%d bestanden" } },
  source: { forms: { one: "%d file", other: "%d files" } },
};

function added(text: string, changes: readonly Change[], options = DUTCH): string {
  const applied = applyEdit(po, text, changes, options);
  expect(applied.refused).toEqual([]);
  return applied.text;
}

describe("obsolete message", () => {
  test("is restored among the others with its comments", () => {
    const obsolete = `# a translator's note\n#. from the code\n#, fuzzy, c-format\n#| msgid "Oldest"\n#~| msgid "Older"\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    const text = `${FILE.split("#~")[0]}${obsolete}\n#~ msgid "Other"\n#~ msgstr "Ander"\n`;
    const wanted = `${FILE.split("#~")[0]}# a translator's note\n#. from the code\n#, c-format\nmsgid "Old"\nmsgstr "Nieuw"\n\n#~ msgid "Other"\n#~ msgstr "Ander"\n`;
    expect(edited(po, text, { Old: "Nieuw" }, DUTCH)).toBe(wanted);
  });

  test.each([
    ["the only thing in the file", `#~ msgid "Old"\n#~ msgstr "Oud"\n`],
    ["right below another", `${HEADER}\n#~ msgid "x"\n#~ msgstr "y"\n#~ msgid "Old"\n#~ msgstr "Oud"\n`],
    ["twice", `${HEADER}\n#~ msgid "Old"\n#~ msgstr "Oud"\n\n#~ msgid "Old"\n#~ msgstr "Ouder"\n`],
    ["over several lines", `${HEADER}\n#~ msgid ""\n#~ "O"\n#~ "ld"\n#~ msgstr ""\n#~ "Oud"\n`],
    ["with other line ends", `${HEADER}\n#~ msgid "Old"\n#~ msgstr "Oud"\n`.replaceAll("\n", "\r\n")],
    ["before messages", `#~ msgid "Old"\n#~ msgstr "Oud"\n\n${HEADER}\nmsgid "a"\nmsgstr "b"\n`],
  ])("is not duplicated: %s", (_, text) => {
    const after = edited(po, text, { Old: "Nieuw" }, DUTCH);
    expect(after.match(/"Old"/gu)).toHaveLength(1);
    expect(after).not.toMatch(/#~ .*(?:Oud|ld)/u);
    expect(readAll(po, after, DUTCH)).toContainEqual(["Old", "Nieuw"]);
    expect(po.read(after, DUTCH).problems).toEqual([]);
  });

  test("is restored with a description whose first line it has already", () => {
    const text = `${HEADER}\n#. from the code\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    const description = "from the code\nand more";
    const change = { key: "Old", context: null, text: { value: "Nieuw" }, description };
    expect(added(text, [change])).toBe(
      `${HEADER}\n#. from the code\n#. and more\nmsgid "Old"\nmsgstr "Nieuw"\n`,
    );
  });

  test("is kept if it has another context", () => {
    const text = `${HEADER}\n#~ msgctxt "menu"\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    expect(edited(po, text, { Old: "Nieuw" }, DUTCH)).toContain(text.slice(HEADER.length).trim());
  });

  test("is removed with the file's first message", () => {
    const text = `msgid "a"\nmsgstr "b"\n\n#~ msgid "Old"\n#~ msgstr "Oud"\n\nmsgid "c"\nmsgstr "d"\n`;
    const after = edited(po, text, { a: null, Old: "Nieuw" }, DUTCH);
    expect(readAll(po, after, DUTCH)).toEqual([
      ["c", "d"],
      ["Old", "Nieuw"],
    ]);
  });

  test("is reported next to a message of its name", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "a"\n#~ msgstr "c"\n`;
    expect(po.read(text, DUTCH).problems).toEqual([expect.objectContaining({ code: "duplicate", key: "a" })]);
  });

  test("is accepted by msgfmt", (context) => {
    requireTool(context, "gettext");
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    const after = edited(po, text, { Old: "Nieuw" }, DUTCH);
    expect(runText("msgunfmt", ["-"], run("msgfmt", ["-c", "-o", "-", "-"], after))).toContain("Nieuw");
  });
});

describe("plural header", () => {
  const PLURAL_FORMS = "Plural-Forms: nplurals=2; plural=(n != 1);";
  const NO_PLURALS = HEADER.replace(/"Plural-Forms.*\n/u, "");

  test.for([
    ["has no Plural-Forms", NO_PLURALS],
    ["does not end its last line", NO_PLURALS.replace('UTF-8\\n"', 'UTF-8"')],
    ["has those of a template", HEADER.replace(/nplurals=2.*;/u, "nplurals=INTEGER; plural=EXPRESSION;")],
    ["has invalid ones that end in CRLF", HEADER.replace(/nplurals=2.*(?=\\n)/u, "nplurals=0;\\r")],
    ["is empty", `msgid ""\nmsgstr ""\n`],
    ["is not there", "# A heading.\n\n#. one\n"],
    ["is not there, and nothing else", "# A heading.\n"],
  ] as const)("says the forms of the first plural when it %s", ([, header], context) => {
    const text = `${header}\nmsgid "a"\nmsgstr "b"\n`;
    const file = header.endsWith("heading.\n") ? header : text;
    const after = added(file, [PLURAL]);
    expect(after.match(/Plural-Forms/gu)).toHaveLength(1);
    expect(after).toContain(`"${PLURAL_FORMS}\\n"`);
    expect(after).toContain("charset=UTF-8\\n");
    requireTool(context, "gettext");
    expect(run("msgfmt", ["-c", "-o", "-", "-"], after)).not.toHaveLength(0);
  });

  test("is added when an empty plural is first translated", () => {
    const text = `${NO_PLURALS}\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    expect(added(text, [PLURAL])).toContain(PLURAL_FORMS);
  });

  test("has positions for forms of fractions and millions", () => {
    const text = { forms: { one: "a", few: "b", many: "c", other: "d" } };
    expect(added(`${NO_PLURALS}\n`, [{ ...PLURAL, text }], POLISH)).toContain("nplurals=4");
    const three = { forms: { ...text.forms, other: "" } };
    expect(added(`${NO_PLURALS}\n`, [{ ...PLURAL, text: three }], POLISH)).toContain("nplurals=3");
  });

  test("is kept if plurals have forms or there are none", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n`;
    expect(added(text, [PLURAL]).startsWith(text)).toBe(true);
    expect(edited(po, `${NO_PLURALS}\nmsgid "a"\nmsgstr ""\n`, { a: "b", c: "d" }, DUTCH)).not.toContain(
      "Plural",
    );
  });

  test("is added with the first message of a file or template without one", (context) => {
    const made = (
      [
        [po, DUTCH],
        [pot, ENGLISH],
      ] as const
    ).map(([format, options]) => {
      const text = `# A heading.\n\n#: a.php\nmsgid "a"\nmsgstr ""\n`;
      const after = edited(format, text, { b: "b" }, options);
      expect(after).toMatch(/^# A heading\.\n\nmsgid ""\nmsgstr ""\n"MIME-Version: 1\.0\\n"\n/u);
      expect(after).toContain('\n\n#: a.php\nmsgid "a"\n');
      return after;
    });
    requireTool(context, "gettext");
    for (const after of made) expect(run("msgfmt", ["-c", "-o", "-", "-"], after)).not.toHaveLength(0);
  });

  test("is not added by a changed text", () => {
    expect(edited(po, `msgid "a"\nmsgstr "b"\n`, { a: "c" }, DUTCH)).toBe(`msgid "a"\nmsgstr "c"\n`);
  });
});

describe("fuzzy flag", () => {
  const TEXT = `${HEADER}\n#, fuzzy\n#| msgid "z"\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n`;
  const change = (key: string, value: string, fuzzy?: boolean): Change => {
    return { key, context: null, text: { value }, ...(fuzzy === undefined ? {} : { fuzzy }) };
  };

  test("is read", () => {
    expect(po.read(TEXT, DUTCH).entries.map(({ isFuzzy }) => isFuzzy)).toEqual([true, undefined]);
  });

  test("is removed from an unchanged text on request", () => {
    expect(added(TEXT, [change("a", "b")])).toBe(TEXT);
    expect(added(TEXT, [change("a", "b", false)])).toBe(TEXT.replace('#, fuzzy\n#| msgid "z"\n', ""));
  });

  test("is kept or set on a new text that needs review", () => {
    expect(added(TEXT, [change("a", "x", true)])).toBe(TEXT.replace('"b"', '"x"'));
    expect(added(TEXT, [change("c", "x", true), change("n", "y", true)])).toBe(
      `${TEXT.replace('msgid "c"\nmsgstr "d"', '#, fuzzy\nmsgid "c"\nmsgstr "x"')}\n#, fuzzy\nmsgid "n"\nmsgstr "y"\n`,
    );
  });

  test("is below the other comments, which stay when it is removed", () => {
    const file = `${HEADER}\n# one\n#\n#: a.c:1\nmsgid "a"\nmsgstr "b"\n`;
    const fuzzy = file.replace('msgid "a"\nmsgstr "b"', '#, fuzzy\nmsgid "a"\nmsgstr "x"');
    expect(added(file, [change("a", "x", true)])).toBe(fuzzy);
    expect(added(fuzzy, [change("a", "b")])).toBe(file);
  });

  test.each([true, false, undefined])("of every kind of message is read as it was wanted: %s", (fuzzy) => {
    const kinds: readonly Change[] = [change("a", "x"), change("c", "x"), change("new", "x"), PLURAL];
    const inContext = [change("new", "x"), PLURAL].map((each) => ({ ...each, context: "menu" }));
    const changes = [...kinds, ...inContext].map((each) => (fuzzy === undefined ? each : { ...each, fuzzy }));
    const changesAgain = changes.map((each): Change => {
      const forms = { one: "%d stuk", other: "%d stuks" };
      return { ...each, text: each.source === undefined ? { value: "again" } : { forms } };
    });
    let text = TEXT;
    for (const wanted of [changes, changesAgain]) {
      text = added(text, wanted);
      const { entries } = po.read(text, DUTCH);
      expect(entries).toHaveLength(wanted.length);
      expect(new Set(entries.map(({ isFuzzy = false }) => isFuzzy))).toEqual(new Set([fuzzy === true]));
    }
  });

  test("is not set on refused texts", () => {
    expect(edit(po, TEXT, { a: { one: "x", other: "y" } }, DUTCH).text).toBe(TEXT);
  });
});
