/** What an edit leaves behind is a file that gettext takes, and a text that programs use. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { po, pot } from "../../../../src/formats/gettext/po.ts";
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

describe("a message that stands as an obsolete one", () => {
  test("comes back in its place among the others, with its comments", () => {
    const obsolete = `# a translator's note\n#. from the code\n#, fuzzy, c-format\n#~| msgid "Older"\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
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
  ])("stands once: %s", (_, text) => {
    const after = edited(po, text, { Old: "Nieuw" }, DUTCH);
    expect(after.match(/"Old"/gu)).toHaveLength(1);
    expect(after).not.toMatch(/#~ .*(?:Oud|ld)/u);
    expect(readAll(po, after, DUTCH)).toContainEqual(["Old", "Nieuw"]);
    expect(po.read(after, DUTCH).problems).toEqual([]);
  });

  test("of another context stays", () => {
    const text = `${HEADER}\n#~ msgctxt "menu"\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    expect(edited(po, text, { Old: "Nieuw" }, DUTCH)).toContain(text.slice(HEADER.length).trim());
  });

  test("goes when the file's first message is removed with it", () => {
    const text = `msgid "a"\nmsgstr "b"\n\n#~ msgid "Old"\n#~ msgstr "Oud"\n\nmsgid "c"\nmsgstr "d"\n`;
    const after = edited(po, text, { a: null, Old: "Nieuw" }, DUTCH);
    expect(readAll(po, after, DUTCH)).toEqual([
      ["c", "d"],
      ["Old", "Nieuw"],
    ]);
  });

  test("is told beside a message of its name", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "a"\n#~ msgstr "c"\n`;
    expect(po.read(text, DUTCH).problems).toEqual([expect.objectContaining({ code: "duplicate", key: "a" })]);
  });

  test("is taken by msgfmt", (context) => {
    requireTool(context, "gettext");
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "Old"\n#~ msgstr "Oud"\n`;
    const after = edited(po, text, { Old: "Nieuw" }, DUTCH);
    expect(runText("msgunfmt", ["-"], run("msgfmt", ["-c", "-o", "-", "-"], after))).toContain("Nieuw");
  });
});

describe("the header", () => {
  const PLURAL_FORMS = "Plural-Forms: nplurals=2; plural=(n != 1);";
  const NO_PLURALS = HEADER.replace(/"Plural-Forms.*\n/u, "");

  test.for([
    ["has no Plural-Forms", NO_PLURALS],
    ["does not end its last line", NO_PLURALS.replace('UTF-8\\n"', 'UTF-8"')],
    ["has those of a template", HEADER.replace(/nplurals=2.*;/u, "nplurals=INTEGER; plural=EXPRESSION;")],
    ["is empty", `msgid ""\nmsgstr ""\n`],
    ["is not there", "# A heading.\n\n#. one\n"],
    ["is not there, and nothing else", "# A heading.\n"],
  ] as const)("says the forms of the first plural when it %s", ([, header], context) => {
    const text = `${header}\nmsgid "a"\nmsgstr "b"\n`;
    const file = header.endsWith("heading.\n") ? header : text;
    const after = added(file, [PLURAL]);
    expect(after.match(/Plural-Forms/gu)).toHaveLength(1);
    expect(after).toContain(`"${PLURAL_FORMS}\\n"`);
    requireTool(context, "gettext");
    expect(run("msgfmt", ["-c", "-o", "-", "-"], after)).not.toHaveLength(0);
  });

  test("says them when a plural that was empty is translated for the first time", () => {
    const text = `${NO_PLURALS}\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    expect(added(text, [PLURAL])).toContain(PLURAL_FORMS);
  });

  test("has a place for forms that only fractions or millions have", () => {
    const text = { forms: { one: "a", few: "b", many: "c", other: "d" } };
    expect(added(`${NO_PLURALS}\n`, [{ ...PLURAL, text }], POLISH)).toContain("nplurals=4");
  });

  test("stays as it is when a plural has its forms, and when there is none", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr "b"\n`;
    expect(added(text, [PLURAL]).startsWith(text)).toBe(true);
    expect(edited(po, `${NO_PLURALS}\nmsgid "a"\nmsgstr ""\n`, { a: "b", c: "d" }, DUTCH)).not.toContain(
      "Plural",
    );
  });

  test("comes with the first message that is added to a file without one, also to a template", (context) => {
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

  test("does not come with a text that only changes", () => {
    expect(edited(po, `msgid "a"\nmsgstr "b"\n`, { a: "c" }, DUTCH)).toBe(`msgid "a"\nmsgstr "c"\n`);
  });
});

describe("fuzzy", () => {
  const TEXT = `${HEADER}\n#, fuzzy\n#| msgid "z"\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n`;
  const change = (key: string, value: string, fuzzy?: boolean): Change => {
    return { key, context: null, text: { value }, ...(fuzzy === undefined ? {} : { fuzzy }) };
  };

  test("is told of an entry", () => {
    expect(po.read(TEXT, DUTCH).entries.map(({ isFuzzy }) => isFuzzy)).toEqual([true, undefined]);
  });

  test("goes from a text that stays when somebody says so", () => {
    expect(added(TEXT, [change("a", "b")])).toBe(TEXT);
    expect(added(TEXT, [change("a", "b", false)])).toBe(TEXT.replace('#, fuzzy\n#| msgid "z"\n', ""));
  });

  test("stays at, or comes to, a new text that is still to be looked at", () => {
    expect(added(TEXT, [change("a", "x", true)])).toBe(TEXT.replace('"b"', '"x"'));
    expect(added(TEXT, [change("c", "x", true), change("n", "y", true)])).toBe(
      `${TEXT.replace('msgid "c"\nmsgstr "d"', '#, fuzzy\nmsgid "c"\nmsgstr "x"')}\n#, fuzzy\nmsgid "n"\nmsgstr "y"\n`,
    );
  });

  test("does not come to texts that are refused", () => {
    expect(edit(po, TEXT, { a: { one: "x", other: "y" } }, DUTCH).text).toBe(TEXT);
  });
});
