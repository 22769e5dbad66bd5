/** What changes in an XLIFF file when an entry does, to the byte. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/core/formats/edit.ts";
import type { ReadOptions } from "../../../../src/core/formats/format.ts";
import { xliff12 } from "../../../../src/core/formats/xliff/xliff12.ts";
import { xliff20 } from "../../../../src/core/formats/xliff/xliff20.ts";
import { ANGULAR, change, changed, DUTCH, refusal, SYMFONY, texts, TWO } from "./xliff-samples.ts";

const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

function swap(file: string, from: string, to: string): string {
  expect(file.split(from)).toHaveLength(2);
  return file.replace(from, () => to);
}

describe("texts", () => {
  test("only the content changes, and back", () => {
    const there = changed(SYMFONY, "cart.title", "Tas & <b>zo</b>");
    expect(there).toBe(swap(SYMFONY, ">Mandje<", ">Tas &amp; &lt;b>zo&lt;/b><"));
    expect(changed(there, "cart.title", "Mandje")).toBe(SYMFONY);
  });

  test("an empty target is filled, and empty again", () => {
    const there = changed(SYMFONY, "user.mail", "Post");
    expect(there).toBe(swap(SYMFONY, "<target/>", "<target>Post</target>"));
    const blank = swap(SYMFONY, "<source>Name</source>\n", "<source>Name</source>\n        <target/>\n");
    expect(changed(changed(blank, "user.mail", "Post"), "user.mail", "")).toBe(blank);
    const open = blank.replaceAll("<target/>", "<target></target>");
    expect(changed(changed(open, "user.mail", "Post"), "user.mail", "")).toBe(open);
    const spaced = blank.replaceAll("<target/>", '<target state="x" />');
    expect(changed(changed(spaced, "user.mail", "Post"), "user.mail", "")).toBe(spaced);
  });

  test("a missing target comes after the source, and goes again", () => {
    const there = changed(SYMFONY, "user.name", "Naam");
    expect(there).toBe(
      swap(SYMFONY, "<source>Name</source>\n", "<source>Name</source>\n        <target>Naam</target>\n"),
    );
    const others = SYMFONY.replace("        <target/>\n", "");
    expect(changed(changed(others, "user.name", "Naam"), "user.name", "")).toBe(others);
    const noted = others.replaceAll("</source>\n", "</source> <!-- so -->\n");
    expect(changed(changed(noted, "user.name", "Naam"), "user.name", "")).toBe(noted);
    const segmented = swap(
      SYMFONY,
      "<source>Name</source>",
      "<source>Name</source><seg-source>Name</seg-source>",
    );
    expect(changed(segmented, "user.name", "Naam")).toContain(
      "</seg-source>\n        <target>Naam</target>\n",
    );
    const line =
      '<xliff version="1.2"><file original="a"><body><trans-unit id="k"><source>s</source></trans-unit></body></file></xliff>';
    expect(changed(line, "k", "x")).toContain("<source>s</source><target>x</target></trans-unit>");
    expect(changed(changed(line, "k", "x"), "k", "")).toBe(line);
  });

  test("a state that says untranslated goes, others stay", () => {
    expect(changed(SYMFONY, "cart.pay", "Betalen")).toBe(
      swap(SYMFONY, 'state="needs-translation">Pay &amp; go', 'state="translated">Betalen'),
    );
    expect(change(SYMFONY, "cart.pay", "Pay & go").splices).toEqual([]);
    expect(changed(TWO, "cart.title", 'Mand (<ph id="0" equiv="COUNT" dataRef="d1"/>)')).toContain(
      '<segment state="translated">',
    );
    expect(changed(TWO, "cart.title", "Mand")).toBe(
      swap(
        swap(TWO, 'state="initial"', 'state="translated"'),
        '<target>Cart (<ph id="0" equiv="COUNT" dataRef="d1"/>)</target>',
        "<target>Mand</target>",
      ),
    );
  });

  test("line ends, sections and ways of escaping are the file's", () => {
    const windows = SYMFONY.replaceAll("\n", "\r\n");
    const there = changed(windows, "user.name", "a\nb");
    expect(there).toContain("<source>Name</source>\r\n        <target>a\r\nb</target>\r\n");
    expect(texts(there)[2]).toEqual(["user.name", "a\nb"]);
    expect(changed(windows, "user.name", "a\r\nb")).toContain("<target>a&#13;\r\nb</target>");
    const section = swap(SYMFONY, ">Mandje<", "><![CDATA[<b>Mandje</b>]]><");
    expect(changed(section, "cart.title", "a ]]> & b")).toBe(
      swap(SYMFONY, ">Mandje<", "><![CDATA[a ]]]]><![CDATA[> & b]]><"),
    );
    expect(changed(changed(section, "cart.title", "x"), "cart.title", "<b>Mandje</b>")).toBe(section);
    const careful = swap(SYMFONY, ">Mandje<", ">&quot;Mandje&quot; &gt; &#160;&#xE9;<");
    expect(changed(careful, "cart.title", '"x" > \u00A0é\'')).toContain(">&quot;x&quot; &gt; &#160;&#xE9;'<");
    expect(changed(careful, "user.mail", '"x" >')).toContain("<target>&quot;x&quot; &gt;</target>");
    const ascii = swap(SYMFONY, ">Mandje<", ">&#xE9;<");
    expect(changed(ascii, "user.mail", "ü🎉")).toContain("<target>&#xFC;&#x1F389;</target>");
    expect(changed(SYMFONY, "user.mail", "]]>")).toContain("<target>]]&gt;</target>");
    // What has to be a reference there tells nothing of how the file writes others.
    const forced = swap(SYMFONY, ">Mail<", ">]]&gt;<");
    expect(changed(forced, "user.mail", "a > b")).toContain("<target>a > b</target>");
  });

  test("the source locale's own file: its sources, unless it has targets", () => {
    const extracted = ANGULAR.replace(' target-language="nl"', "").replaceAll(
      / *<target>.*<\/target>\n/g,
      "",
    );
    expect(changed(extracted, "2", "Plain", {}, ENGLISH)).toContain(
      "<source>Plain</source>\n      </trans-unit>",
    );
    const own = SYMFONY.replace('target-language="nl"', 'target-language="en"');
    expect(changed(own, "cart.title", "Basket", {}, ENGLISH)).toBe(swap(own, ">Mandje<", ">Basket<"));
    expect(changed(own, "user.mail", "E-mail", {}, ENGLISH)).toBe(
      swap(own, "<target/>", "<target>E-mail</target>"),
    );
    expect(refusal(own, "cart.title", "", {}, ENGLISH)).toBe("unsupported");
    expect(refusal(SYMFONY, "cart.title", "x", {}, ENGLISH)).toBe("source");
  });
});

describe("tags", () => {
  const tag = '<x id="INTERPOLATION" equiv-text="{{ name }}"/>';
  const key = "8186013988289067040";

  test("those of the source may be moved, left out and used twice", () => {
    expect(changed(ANGULAR, key, `${tag}, hallo & ${tag}`)).toBe(
      swap(ANGULAR, `Hallo ${tag}!`, `${tag}, hallo &amp; ${tag}`),
    );
    expect(changed(changed(ANGULAR, key, "Hallo"), key, `Hallo ${tag}!`)).toBe(ANGULAR);
    expect(changed(ANGULAR, "2", '<x id="CLOSE_BOLD_TEXT"/>')).toContain(
      '<target><x id="CLOSE_BOLD_TEXT"/></target>',
    );
  });

  test("others are refused, and so is one with another attribute", () => {
    expect(refusal(ANGULAR, key, '<x id="OTHER"/>')).toBe("unsupported");
    expect(refusal(ANGULAR, key, '<x id="INTERPOLATION" class="y"/>')).toBe("unsupported");
    expect(refusal(SYMFONY, "cart.title", '<g id="1">x</g>')).toBe("unsupported");
  });

  test("words that read like tags are words", () => {
    for (const said of [
      '&lt;x id="1"/>',
      "<x>",
      '<g id="1">',
      "<x id=1/>",
      '<ph id="1" id="2"/>',
      "&lt;",
      '&amp;lt;x id="1"/>',
    ]) {
      expect(texts(changed(SYMFONY, "cart.title", said))[0]).toEqual(["cart.title", said]);
    }
    expect(changed(SYMFONY, "cart.title", '&lt;x id="1"/>')).toContain('>&lt;x id="1"/><');
  });
});

describe("plural forms", () => {
  const plural: ReadOptions = { ...DUTCH, isPlural: (key) => key.endsWith("count") };
  const file = swap(SYMFONY, "Mandje", "{n, plural, one {# ding} other {# dingen}}").replaceAll(
    "cart.title",
    "count",
  );
  const edit = (forms: Record<string, string>, key = "count") =>
    applyEdit(xliff12, file, [{ key, context: null, namespace: "messages.en.xlf", text: { forms } }], plural);

  test("are an ICU message", () => {
    expect(edit({ one: "# stuk", other: "# stuks" }).text).toBe(
      swap(file, "one {# ding} other {# dingen}", "one {# stuk} other {# stuks}"),
    );
    expect(edit({ one: "a", other: "b" }, "user.count").text).toContain(
      "<target>{count, plural, one {a} other {b}}</target>",
    );
    expect(edit({ one: "a" }).refused[0]?.reason).toBe("forms");
  });
});

describe("new units", () => {
  const unit = `      <trans-unit id="user.age" resname="user.age">
        <source>Age</source>
        <target>Leeftijd</target>
      </trans-unit>
`;

  test("go behind their neighbours, as those are written", () => {
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

  test("go behind what stands behind their neighbour", () => {
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

  test("have Angular's attributes, no resname, and its kind of note", () => {
    expect(changed(ANGULAR, "3", "Drie", { source: { value: "Three" }, description: "Number" })).toContain(
      `      <trans-unit id="3" datatype="html">
        <source>Three</source>
        <target>Drie</target>
        <note priority="1" from="description">Number</note>
      </trans-unit>
`,
    );
  });

  test("of 2.0 have a name token for an id, and their key for a name", () => {
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

  test("may have the tags of their source only", () => {
    const source = { value: 'a <x id="1"/>' };
    expect(changed(ANGULAR, "n", '<x id="1"/> b', { source })).toContain('<target><x id="1"/> b</target>');
    expect(refusal(ANGULAR, "n", '<x id="2"/>', { source })).toBe("unsupported");
    expect(refusal(ANGULAR, "n", "b", { source: { value: '<x id="1" y:z="1"/>' } })).toBe("unsupported");
  });

  test("without a known source have the key for one", () => {
    expect(changed(SYMFONY, "user.age", "Leeftijd")).toContain("<source>user.age</source>");
  });

  test("of another namespace come in a file element of their own", () => {
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

  test("of a document without files, and of one in one line", () => {
    expect(texts(changed('<xliff version="1.2"/>', "k", "v"))).toEqual([["k", "v"]]);
    const two = '<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"/></xliff>';
    expect(changed(two, "k", "v", { namespace: "f", source: { value: "s" } })).toBe(
      '<xliff version="2.0" srcLang="en" trgLang="nl"><file id="f"><unit id="k" name="k"><segment><source>s</source><target>v</target></segment></unit></file></xliff>',
    );
  });
});

describe("units that go", () => {
  test("take their lines, notes and the comment above along", () => {
    const gone = changed(SYMFONY, "cart.pay", null);
    expect(gone).toBe(SYMFONY.replace(/ *<!-- What[^]*?<\/trans-unit>\n/, ""));
    expect(changed(TWO, "u3", null)).toBe(TWO.replace(/ *<unit id="u3"[^]*?<\/unit>\n/, ""));
  });

  test("and all of the same name", () => {
    const unit = /( *<trans-unit id="k5Apjz_"[^]*?<\/trans-unit>\n)/;
    const twice = SYMFONY.replace(unit, "$1$1");
    expect(changed(twice, "user.name", null)).toBe(SYMFONY.replace(unit, ""));
  });

  test("and with them the file element that has no other", () => {
    for (const file of [SYMFONY, TWO]) {
      const there = changed(file, "new", "x", { namespace: "other" });
      expect(changed(there, "new", null, { namespace: "other" })).toBe(file);
      const header = there.replace(/(<file [^>]*other"[^>]*>)/, "$1<header/>");
      expect(changed(header, "new", null, { namespace: "other" })).toContain("<header/>");
    }
  });

  test("with others that come in the same edit", () => {
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
  });
});

describe("what is refused", () => {
  test.each([
    ["an unknown key to remove", SYMFONY, "nope", null, "not_found"],
    ["a character that XML has no place for", SYMFONY, "cart.title", "a\u0000b", "unsupported"],
    ["a lone surrogate", SYMFONY, "cart.title", "a\uD800b", "unsupported"],
    ["one of several segments", TWO, "u2", "x", "unsupported"],
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

  test("a context or a locale, which no unit has", () => {
    expect(refusal(SYMFONY, "new", "x", { context: "c" })).toBe("unsupported");
    expect(refusal(SYMFONY, "new", "x", { locale: "nl" })).toBe("unsupported");
  });

  test("a unit that is not well-formed; its neighbours are not", () => {
    const broken = swap(SYMFONY, "Mandje", "Mandje <x id=„1”/>");
    expect(refusal(broken, "cart.title", "x")).toBe("unsupported");
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
