/** Adding and removing XLIFF units, refused changes, and new files. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { NewEntry, ReadOptions } from "../../../../src/formats/format.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import {
  ANGULAR,
  changed,
  documentOf,
  DUTCH,
  refusal,
  SYMFONY,
  texts,
  TWO,
  unitOf,
} from "./xliff-samples.ts";

const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

function swap(file: string, from: string, to: string): string {
  expect(file.split(from)).toHaveLength(2);
  return file.replace(from, () => to);
}

test("reads the maximum length in characters, not in pixels", () => {
  const unit = (attributes: string): string => `<trans-unit ${attributes}><source>a</source></trans-unit>`;
  const file = `<xliff version='1.2'><file original='a' target-language='nl'><body>
    ${unit("id='a' maxwidth='20' size-unit='char'")}${unit("id='b' maxwidth='20'")}${unit("id='c'")}
    </body></file></xliff>`;
  const { entries } = xliff12.read(file, DUTCH);
  expect(entries.map(({ maxLength }) => maxLength)).toEqual([20, undefined, undefined]);
  for (const width of ["0", "", "x", "1.5"]) {
    const other = xliff12.read(file.replaceAll("'20'", `'${width}'`), DUTCH).entries;
    expect(other.map(({ maxLength }) => maxLength)).toEqual([undefined, undefined, undefined]);
  }
});

describe("new units", () => {
  const unit = `      <trans-unit id="user.age" resname="user.age">
        <source>Age</source>
        <target>Leeftijd</target>
      </trans-unit>
`;

  test("are added after their siblings in their style", () => {
    const there = changed(SYMFONY, "cart.sum", "Som", { source: { value: "Sum" }, description: "A < B" });
    expect(there).toBe(
      swap(
        SYMFONY,
        '      <trans-unit id="k5Apjz_"',
        `      <trans-unit id="cart.sum" resname="cart.sum">
        <source>Sum</source>
        <target>Som</target>
        <note>A &lt; B</note>
      </trans-unit>
      <trans-unit id="k5Apjz_"`,
      ),
    );
    expect(changed(there, "cart.sum", null)).toBe(SYMFONY);
    const last = changed(SYMFONY, "user.age", "Leeftijd", { source: { value: "Age" } });
    expect(last).toBe(swap(SYMFONY, "    </body>", `${unit}    </body>`));
  });

  test("are added after what follows their sibling", () => {
    const noted = SYMFONY.replaceAll("</trans-unit>\n", "</trans-unit> <!-- so --><!-- it is -->\n");
    const there = changed(noted, "user.age", "Leeftijd", { source: { value: "Age" } });
    expect(there).toBe(swap(noted, "    </body>", `${unit}    </body>`));
    expect(changed(there, "user.age", null)).toBe(noted);
  });

  test("keep a sorted file sorted", () => {
    const sorted = ["b", "d", "f"]
      .map((key) => `\n\t<trans-unit id='${key}'><source>${key}</source></trans-unit>`)
      .join("");
    const file = `<xliff version='1.2'>\n<file original='a' target-language='nl'><body>${sorted}\n</body></file></xliff>`;
    const grown = ["a", "c", "g"].reduce((text, key) => changed(text, key, "x"), file);
    expect(texts(grown).map(([key]) => key)).toEqual(["a", "b", "c", "d", "f", "g"]);
    expect(grown).toContain("\n\t<trans-unit id='c'><source>c</source><target>x</target></trans-unit>\n");
    expect(["a", "c", "g"].reduce((text, key) => changed(text, key, null), grown)).toBe(file);
  });

  test("have Angular's attributes and notes without resname", () => {
    expect(changed(ANGULAR, "3", "Drie", { source: { value: "Three" }, description: "Number" })).toContain(
      `      <trans-unit id="3" datatype="html">
        <source>Three</source>
        <target>Drie</target>
        <note priority="1" from="description">Number</note>
      </trans-unit>
`,
    );
  });

  test("of 2.0 have a valid id and their key as name", () => {
    expect(
      changed(TWO, "u3 total", "Totaal", { source: { value: "Total" }, description: "Sum" }).replace(
        /"u[\da-f]{8}"/,
        '"u#"',
      ),
    ).toContain(
      `      <unit id="u#" name="u3 total">
        <notes>
          <note category="description">Sum</note>
        </notes>
        <segment>
          <source>Total</source>
          <target>Totaal</target>
        </segment>
      </unit>
    </group>`,
    );
  });

  test("may have only the tags of their source", () => {
    const source = { value: 'a <x id="1"/>' };
    expect(changed(ANGULAR, "n", '<x id="1"/> b', { source })).toContain('<target><x id="1"/> b</target>');
    expect(refusal(ANGULAR, "n", '<x id="2"/>', { source })).toBe("unsupported");
    expect(refusal(ANGULAR, "n", "b", { source: { value: '<x id="1" y:z="1"/>' } })).toBe("unsupported");
  });

  test("use the key as source if that is unknown", () => {
    expect(changed(SYMFONY, "user.age", "Leeftijd")).toContain("<source>user.age</source>");
  });

  test("of another namespace get a file element of their own", () => {
    const there = changed(SYMFONY, "user.age", "Leeftijd", { namespace: "a&b", source: { value: "Age" } });
    expect(there).toBe(
      swap(
        SYMFONY,
        "  </file>\n",
        `  </file>
  <file source-language="en" target-language="nl" datatype="plaintext" original="a&amp;b">
    <body>
${unit}    </body>
  </file>
`.replace(
          '<file source-language="en" target-language="nl" datatype="plaintext" original="a&amp;b">',
          '<file original="a&amp;b" source-language="en" target-language="nl" datatype="plaintext">',
        ),
      ),
    );
    expect(changed(TWO, "k", "v", { namespace: "admin/users", source: { value: "s" } })).toContain(
      '  <file id="admin_x002F_users">\n    <unit id="k" name="k">\n      <segment>\n        <source>s</source>',
    );
  });

  test.each([
    ["<body>\n      </body>", `<body>\n${unit}      </body>`],
    ["<body/>", `<body>\n${unit}    </body>`],
    ["<body></body>", `<body>\n${unit}    </body>`],
    ["<!-- none -->", `<!-- none -->\n    <body>\n${unit}    </body>`],
  ])("fill an empty %j", (empty, filled) => {
    const file = (body: string): string => `<?xml version="1.0"?>
<xliff version="1.2">
  <file source-language="en" target-language="nl" original="f">
    ${body}
  </file>
</xliff>
`;
    const asked = { namespace: "f", source: { value: "Age" } };
    expect(changed(file(empty), "user.age", "Leeftijd", asked)).toBe(file(filled));
  });

  test("are added to a document without files or of one line", () => {
    expect(texts(changed('<xliff version="1.2"/>', "k", "v"))).toEqual([["k", "v"]]);
    const two = '<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"/></xliff>';
    expect(changed(two, "k", "v", { namespace: "f", source: { value: "s" } })).toBe(
      '<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id="k" name="k"><segment><source>s</source><target>v</target></segment></unit></file></xliff>',
    );
  });
});

describe("removed units", () => {
  test("remove their lines, notes and the comment above", () => {
    const gone = changed(SYMFONY, "cart.pay", null);
    expect(gone).toBe(SYMFONY.replace(/ *<!-- What[^]*?<\/trans-unit>\n/, ""));
    expect(changed(TWO, "u3", null)).toBe(TWO.replace(/ *<unit id="u3"[^]*?<\/unit>\n/, ""));
  });

  test("leave what else is on their line", () => {
    const unit = (key: string): string => `<trans-unit id="${key}"><source>${key}</source></trans-unit>`;
    const file = (units: string): string =>
      `<xliff version="1.2">\n<file original="a" target-language="nl"><body>\n  ${units}\n</body></file>\n</xliff>\n`;
    const three = file(unit("a") + unit("b") + unit("c"));
    expect(changed(three, "c", null)).toBe(file(unit("a") + unit("b")));
    expect(changed(three, "b", null)).toBe(file(unit("a") + unit("c")));
    expect(changed(three, "a", null)).toBe(file(unit("b") + unit("c")));
  });

  test("include all of the same name", () => {
    const unit = /( *<trans-unit id="k5Apjz_"[^]*?<\/trans-unit>\n)/;
    const twice = SYMFONY.replace(unit, "$1$1");
    expect(changed(twice, "user.name", null)).toBe(SYMFONY.replace(unit, ""));
  });

  test("remove an emptied file element", () => {
    for (const file of [SYMFONY, TWO]) {
      const there = changed(file, "new", "x", { namespace: "other" });
      expect(changed(there, "new", null, { namespace: "other" })).toBe(file);
      const header = there.replace(/(<file [^>]*other"[^>]*>)/, "$1<header/>");
      expect(changed(header, "new", null, { namespace: "other" })).toContain("<header/>");
    }
  });

  test("work together with additions in the same edit", () => {
    const namespace = "messages.en.xlf";
    const of = (key: string, text: string | null) => ({
      key,
      context: null,
      namespace,
      text: text === null ? null : { value: text },
    });
    const all = texts(SYMFONY).map(([key]) => of(key, null));
    const { text, refused } = applyEdit(xliff12, SYMFONY, [...all, of("new", "x")], DUTCH);
    expect(refused).toEqual([]);
    expect(texts(text)).toEqual([["new", "x"]]);
    const other = { namespace: "other" };
    const two = changed(SYMFONY, "old", "y", other);
    const swapped = [
      { ...of("old", null), ...other },
      { ...of("new", "x"), ...other },
    ];
    const edit = applyEdit(xliff12, two, swapped, DUTCH);
    expect(edit.refused).toEqual([]);
    expect(texts(edit.text)).toEqual([...texts(SYMFONY), ["new", "x"]]);
  });
});

describe("refusals", () => {
  test.each([
    ["an unknown key to remove", SYMFONY, "nope", null, "not_found"],
    ["a character that XML has no place for", SYMFONY, "cart.title", "a\u0000b", "unsupported"],
    ["a lone surrogate", SYMFONY, "cart.title", "a\uD800b", "unsupported"],
    ["one of several segments", TWO, "u2", "x", "unsupported"],
    ["a second document", SYMFONY + SYMFONY.slice(SYMFONY.indexOf("<xliff")), "cart.title", "x", "syntax"],
    [
      "a flaw outside of the units, though another one is inside",
      SYMFONY.replace("<body>", '<body id="1" id="2">').replace("Mandje", "a & b"),
      "user.mail",
      "x",
      "syntax",
    ],
    ["a truncated file", SYMFONY.slice(0, -20), "cart.title", "x", "syntax"],
    [
      "a document type of its own",
      SYMFONY.replace("<xliff", '<!DOCTYPE xliff [<!ENTITY a "b">]>\n<xliff'),
      "cart.title",
      "x",
      "syntax",
    ],
  ] as const)("%s", (_, file, key, said, reason) => {
    expect(refusal(file, key, said)).toBe(reason);
  });

  test("include the removal of an empty key, though a unit has none", () => {
    const nameless = swap(SYMFONY, "</body>", "  <trans-unit><source>x</source></trans-unit>\n    </body>");
    expect(refusal(nameless, "", null)).toBe("not_found");
  });

  test("include contexts and locales", () => {
    expect(refusal(SYMFONY, "new", "x", { context: "c" })).toBe("unsupported");
    expect(refusal(SYMFONY, "new", "x", { locale: "nl" })).toBe("unsupported");
  });

  test("are only of what has no place in XML, in a new unit, too", () => {
    const added = (more: Partial<NewEntry>) => ({
      key: "new",
      context: null,
      namespace: "messages.en.xlf",
      text: { value: "x" },
      ...more,
    });
    for (const wrong of [
      { key: "a\u0001" },
      { namespace: "a\u0001" },
      { text: { value: "a\u0001" } },
      { source: { value: "a\u0001" } },
    ]) {
      const { text, refused } = applyEdit(xliff12, SYMFONY, [added(wrong), added({ key: "b" })], DUTCH);
      expect(refused.map(({ reason }) => reason)).toEqual(["unsupported"]);
      expect(text).toContain('<trans-unit id="b" resname="b">');
    }
  });

  test("include forms instead of a message that cannot be split, in its namespace", () => {
    const file = documentOf({ f: unitOf("a", "<source>s</source><target>{n, plural, one {x}}</target>") });
    const wanted = { key: "a", context: null, namespace: "f", text: { forms: { other: "y" } } };
    const isPlural = (_: string, __: string | null, namespace?: string | null): boolean => namespace === "f";
    expect(applyEdit(xliff12, file, [wanted], { ...DUTCH, isPlural }).refused).toMatchObject([
      { reason: "unsupported" },
    ]);
  });

  test("include malformed units but not their siblings", () => {
    const broken = swap(SYMFONY, "Mandje", "Mandje <x id=„1”/>");
    expect(refusal(broken, "cart.title", "x")).toBe("unsupported");
    expect(refusal(broken, "cart.title", null)).toBe("unsupported");
    const twice = swap(broken, "„1”/>", "„1”/> < <");
    expect(refusal(twice, "cart.title", "x")).toBe("unsupported");
    expect(changed(twice, "user.mail", "Post")).toBe(swap(twice, "<target/>", "<target>Post</target>"));
    const again = swap(broken, 'resname="cart.pay"', 'resname="cart.title"');
    expect(refusal(again, "cart.title", null)).toBe("unsupported");
    expect(changed(broken, "user.mail", "Post")).toBe(swap(broken, "<target/>", "<target>Post</target>"));
  });
});

describe("new files", () => {
  const entries = [
    {
      key: "a b",
      context: null,
      namespace: "x/y",
      text: { value: " <b>&\n" },
      source: { value: "A" },
      description: "D",
    },
    { key: "c", context: null, namespace: null, text: { value: "" }, source: { value: "C" } },
    { key: "d", context: null, namespace: "x/y", text: { forms: { one: "1", other: "n" } } },
  ];

  test("1.2", () => {
    expect(xliff12.print(entries, DUTCH)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="x/y" source-language="en" target-language="nl" datatype="plaintext">
    <body>
      <trans-unit id="a b" resname="a b" xml:space="preserve">
        <source>A</source>
        <target> &lt;b>&amp;
</target>
        <note>D</note>
      </trans-unit>
      <trans-unit id="d" resname="d">
        <source>d</source>
        <target>{count, plural, one {1} other {n}}</target>
      </trans-unit>
    </body>
  </file>
  <file original="" source-language="en" target-language="nl" datatype="plaintext">
    <body>
      <trans-unit id="c" resname="c">
        <source>C</source>
        <target/>
      </trans-unit>
    </body>
  </file>
</xliff>
`);
  });

  test("2.0, of the source locale", () => {
    expect(xliff20.print(entries.slice(0, 1), ENGLISH)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">
  <file id="x_x002F_y">
    <unit id="u10a3f9f2" name="a b" xml:space="preserve">
      <notes>
        <note>D</note>
      </notes>
      <segment>
        <source> &lt;b>&amp;
</source>
      </segment>
    </unit>
  </file>
</xliff>
`);
  });
});

test("a new namespace gets a `file` after the last one, with its languages; others go into theirs", () => {
  const unit = (id: string, target: string): string =>
    `      <trans-unit id="${id}">\n        <source>${id}</source>\n        <target>${target}</target>\n      </trans-unit>\n`;
  const file = (name: string, locale: string, units: string): string =>
    `  <file original="${name}" source-language="en" target-language="${locale}" datatype="plaintext">\n    <body>\n${units}    </body>\n  </file>\n`;
  const document = (...files: readonly string[]): string =>
    `<?xml version="1.0"?>\n<xliff version="1.2">\n${files.join("")}</xliff>\n`;
  const before = document(file("one", "nl", unit("a", "A")), file("two", "nl-NL", unit("b", "B")));
  const added = (namespace: string, key: string, value: string) => {
    return { key, context: null, namespace, text: { value }, source: { value: key } };
  };
  const changes = [added("three", "c", "C"), added("one", "d", "D")];
  const after = applyEdit(xliff12, before, changes, { locale: "nl", sourceLocale: "en" });
  expect(after).toMatchObject({
    text: document(
      file("one", "nl", unit("a", "A") + unit("d", "D")),
      file("two", "nl-NL", unit("b", "B")),
      file("three", "nl-NL", unit("c", "C")),
    ),
    refused: [],
  });
});

test("a unit is added to a file whose target is the language, not to one whose source is", () => {
  const file = (name: string, source: string, target: string): string =>
    `<file original="${name}" source-language="${source}" target-language="${target}"><body><trans-unit id="a"><source>x</source></trans-unit></body></file>`;
  const document = `<xliff version="1.2">${file("one", "en", "nl")}${file("two", "nl", "fr")}</xliff>`;
  expect(changed(document, "b", "B", { namespace: "one" })).toContain("<target>B</target>");
  expect(refusal(document, "b", "B", { namespace: "two" })).toBe("source");
});

test("a new unit has what all others have, and a note like theirs", () => {
  const own = '<trans-unit id="a" xml:space="preserve"><source>a</source>';
  const note = '<note annotates="source" priority="2">b</note>';
  const file = documentOf({ f: `${own}${note}</trans-unit>\n` }).replaceAll("\n", "\r\n");
  const after = changed(file, "n", "x", { namespace: "f", description: "c\nd" });
  expect(after).toContain('<trans-unit id="n" xml:space="preserve">');
  expect(after).toContain('<note annotates="source" priority="2">c\r\nd</note>');
});

test("a new unit has the id of one that it replaces", () => {
  const file = documentOf({
    f: unitOf("a") + unitOf("b").replace("<trans", "<trans").replace('id="b"', 'id="n" resname="b"'),
  });
  const changes = [
    { key: "b", context: null, namespace: "f", text: null },
    { key: "n", context: null, namespace: "f", text: { value: "x" } },
  ];
  expect(applyEdit(xliff12, file, changes, DUTCH).text).toContain('<trans-unit id="n">');
});

test("a new unit has an id that no other has", () => {
  const added = ["k5Apjz_", "k5Apjz_-2"].map((key) => ({
    key,
    context: null,
    namespace: "messages.en.xlf",
    text: { value: "x" },
  }));
  const { text, refused } = applyEdit(xliff12, SYMFONY, added, DUTCH);
  expect([...text.matchAll(/ id="(k5[^"]*)" resname="(k5[^"]*)"/gu)].map(([, id, key]) => [id, key])).toEqual(
    [
      ["k5Apjz_-2", "k5Apjz_"],
      ["k5Apjz_-2-2", "k5Apjz_-2"],
    ],
  );
  expect(refused).toEqual([]);
});

test("a unit before all others is above the comment of the first", () => {
  const file = documentOf({ f: `  <!-- about b -->\n${unitOf("b")}${unitOf("c")}${unitOf("d")}` });
  expect(changed(file, "a", "A", { namespace: "f", source: { value: "a" } })).toBe(
    swap(
      file,
      "  <!-- about b -->\n",
      `${unitOf("a", "<source>a</source><target>A</target>")}  <!-- about b -->\n`,
    ),
  );
});

test("all comments above a unit belong to it, whether it is removed or another one is added before it", () => {
  const comments = "  <!-- about b -->\n\t<!-- more\n  about b -->\n  <!-- and this --> \n";
  const file = (before: string, units: string): string =>
    documentOf({ f: `${before}${units}${unitOf("c")}${unitOf("d")}` });
  const own = comments + unitOf("b");
  const added = unitOf("a", "<source>a</source><target>A</target>");
  const asked = { namespace: "f", source: { value: "a" } };
  expect(changed(file("", own), "a", "A", asked)).toBe(file(added, own));
  expect(changed(file("", own), "b", null, { namespace: "f" })).toBe(file("", ""));
  expect(changed(file(unitOf("a"), own), "b", null, { namespace: "f" })).toBe(file(unitOf("a"), ""));
  // What is above an empty line, or on the line of another unit, is not about it.
  const apart = `  <!-- a heading -->\n\n${own}`;
  expect(changed(file("", apart), "b", null, { namespace: "f" })).toBe(file("  <!-- a heading -->\n\n", ""));
  const after = unitOf("a").replace("\n", " <!-- about a -->\n");
  expect(changed(file(after, own), "b", null, { namespace: "f" })).toBe(file(after, ""));
});

test("names that contain a quote are written in the quotes of the file", () => {
  const added = (namespace: string) => ({
    key: `It's "so" <&>`,
    context: null,
    namespace,
    text: { value: "x" },
    source: { value: "s" },
  });
  for (const [quote, key] of [
    ["'", 'It&apos;s "so" &lt;&amp;'],
    ['"', "It's &quot;so&quot; &lt;&amp;"],
  ] as const) {
    const old = `<xliff version="1.2"><file original=${quote}f${quote} target-language="nl"><body><trans-unit id=${quote}a${quote} resname=${quote}a${quote}><source>a</source></trans-unit></body></file></xliff>`;
    const two = `<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id=${quote}a${quote} name=${quote}a${quote}><segment><source>a</source></segment></unit></file></xliff>`;
    for (const file of [old, two]) {
      for (const namespace of ["f", `f's "own"`]) {
        const { text, refused } = applyEdit(xliff12, file, [added(namespace)], DUTCH);
        expect(refused).toEqual([]);
        expect(text).toMatch(new RegExp(` (?:res)?name=${quote}${key}(?:>|&gt;)${quote}`, "u"));
        expect(xliff12.read(text, DUTCH).entries.at(-1)).toMatchObject({ key: added("f").key, namespace });
      }
    }
  }
});

test("only an emptied file is removed, and not the last one", () => {
  const three = documentOf({ one: unitOf("a"), two: unitOf("b"), none: "" });
  expect(changed(three, "a", null, { namespace: "one" })).toBe(documentOf({ two: unitOf("b"), none: "" }));
  expect(changed(documentOf({ one: unitOf("a") }), "a", null, { namespace: "one" })).toBe(
    documentOf({ one: "" }),
  );
  const rest = "  <!-- for all -->\n\n";
  expect(changed(documentOf({ one: rest + unitOf("a"), two: "" }), "a", null, { namespace: "one" })).toBe(
    documentOf({ one: rest, two: "" }),
  );
});

test("a new text of the source locale has its source beside it where the file names a target", () => {
  const added = { key: "k", context: null, namespace: "f", text: { value: "New" }, source: { value: "Old" } };
  const english = documentOf({ f: unitOf("a") }, ' target-language="en"');
  expect(applyEdit(xliff12, english, [added], ENGLISH).text).toContain(
    unitOf("k", "<source>Old</source><target>New</target>"),
  );
  expect(applyEdit(xliff12, english, [{ ...added, namespace: "g" }], ENGLISH).text).toContain(
    "<target>New</target>",
  );
  const { text } = applyEdit(xliff12, '<xliff version="1.2"/>', [added], ENGLISH);
  expect(text).toContain('source-language="en" datatype=');
});

test("a unit goes into the last of several files of its name, and a new file has the attributes of the last", () => {
  const two = documentOf({ one: unitOf("a"), two: unitOf("b") })
    .replace('"two"', '"one"')
    .replaceAll("<file ", '<file xml:space="preserve" ');
  const added = unitOf("c", "<source>c</source><target>C</target>");
  const asked = { source: { value: "c" } };
  expect(changed(two, "c", "C", { namespace: "one", ...asked })).toBe(
    swap(two, unitOf("b"), unitOf("b") + added),
  );
  expect(changed(two, "c", "C", { namespace: "new", ...asked })).toContain(
    '<file original="new" xml:space="preserve" source-language="en" target-language="nl">',
  );
  expect(changed('<xliff version="1.2"/>', "c", "C", { namespace: "new", ...asked })).toContain(
    '<file original="new" source-language="en" target-language="nl" datatype="plaintext">',
  );
});

test("a new target has the prefix of the source", () => {
  const file = `<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file original="f" target-language="nl"><x:body><x:trans-unit id="a"><x:source>s</x:source></x:trans-unit></x:body></x:file></x:xliff>`;
  expect(changed(file, "a", "x", { namespace: "f" })).toBe(
    swap(file, "</x:source>", "</x:source><x:target>x</x:target>"),
  );
});

test("the texts of a file from a language to itself are its targets", () => {
  const file = documentOf({ f: unitOf("a", "<source>s</source>") }).replace('"en"', '"nl"');
  expect(xliff12.read(file, DUTCH).entries).toMatchObject([{ text: { value: "" }, source: { value: "s" } }]);
});

test("a missing target is expected behind the segmented source", () => {
  const file = documentOf({ f: unitOf("a", "<source>s</source><seg-source>s</seg-source>") });
  const start = file.indexOf("</seg-source>") + "</seg-source>".length;
  expect(xliff12.read(file, DUTCH).entries).toMatchObject([{ valueSpan: { start, end: start } }]);
});

test("what is not known of a unit makes its text read-only, and a new one refused", () => {
  const note = swap(SYMFONY, "<note>The green button</note>", "<note a=b>The green button</note>");
  expect(refusal(note, "cart.pay", "x")).toBe("unsupported");
  expect(xliff12.read(note, DUTCH).entries.map(({ readOnly }) => readOnly)).toEqual([
    null,
    "unsupported",
    null,
    null,
  ]);
  expect(refusal(SYMFONY, "new", "x", { description: "\u0001" })).toBe("unsupported");
  const quoted = documentOf({ f: unitOf("a", "<source>b <x id='1'/></source>") });
  expect(refusal(quoted, "a", "<x id='2'/>", { namespace: "f" })).toBe("unsupported");
  expect(changed(quoted, "a", "<x id='1'/> b", { namespace: "f" })).toContain(
    "<target><x id='1'/> b</target>",
  );
  const space = '<x id="1" xml:space="preserve"/>';
  expect(changed(quoted, "n", "b", { namespace: "f", source: { value: space } })).toContain(space);
});

test("sections of CDATA are replaced by one, and the first declared target is the locale", () => {
  const sections = "<source>s</source><target><![CDATA[a]]><![CDATA[b]]></target>";
  const file = documentOf({ f: unitOf("a", sections) });
  expect(changed(file, "a", "<c>", { namespace: "f" })).toBe(
    swap(file, "<![CDATA[a]]><![CDATA[b]]>", "<![CDATA[<c>]]>"),
  );
  const second = documentOf({ one: unitOf("a"), two: unitOf("b") }).replace(' target-language="nl"', "");
  expect(xliff12.read(second, DUTCH).locale).toBe("nl");
  const old = documentOf({ f: unitOf("a") }).replace('"1.2"', '"1.0"');
  expect(xliff20.read(old, DUTCH).entries).toMatchObject([{ key: "a", text: { value: "a" } }]);
});
