/** Elements of XML documents, their ranges, and errors of well-formedness with the element that contains them. */
import { expect, test } from "vitest";
import { parseXml, type XmlElement } from "../../../../src/formats/xml/xml-tree.ts";

/** Each element as `name[content]`, with those in it. */
function shape(elements: readonly XmlElement[]): unknown {
  return elements.map((each) => [`${each.name}[${each.raw}]`, shape(each.children)]);
}

function flaws(text: string): unknown {
  return parseXml(text).flaws.map(({ message, span, within }) => [
    message,
    text.slice(span.start, span.end),
    within?.name ?? null,
  ]);
}

test("elements have their content, children and parents", () => {
  const { roots, flaws: none } = parseXml(`<?xml version="1.0"?>\n<a><x:b>c</x:b><d/></a>\n`);
  expect(none).toEqual([]);
  expect(shape(roots)).toEqual([
    [
      "a[<x:b>c</x:b><d/>]",
      [
        ["x:b[c]", []],
        ["d[]", []],
      ],
    ],
  ]);
  expect(roots[0]?.children.map(({ parent, empty }) => [parent === roots[0], empty])).toEqual([
    [true, false],
    [true, true],
  ]);
});

test("elements that do not end have the rest of the text as their content", () => {
  expect(shape(parseXml("<a><b>c").roots)).toEqual([["a[<b>c]", [["b[c]", []]]]]);
});

test("attributes are found by their full name, the first one first", () => {
  const [element] = parseXml(`<b ab="1" a="2&amp;\n3" a="4"/>`).roots;
  expect([element?.attribute("a"), element?.attribute("b"), element?.find("a")?.valueStart]).toEqual([
    "2& 3",
    null,
    13,
  ]);
});

test("only what is directly in an element counts as its markup", () => {
  const [root] = parseXml("<a><b><!-- c --></b><d><![CDATA[e]]></d><f>g</f></a>").roots;
  expect(root?.hasMarkup).toBe(false);
  expect(root?.children.map(({ hasMarkup }) => hasMarkup)).toEqual([true, true, false]);
});

test.each([
  [`<a><b c=d>e</b></a>`, [["not well-formed", "d>", "a"]]],
  [`<a>b</a>c`, [["text outside of the document", "c", null]]],
  [
    `<!DOCTYPE a [<!ENTITY b "c">]><a/>`,
    [["a document type with declarations of its own", `<!DOCTYPE a [<!ENTITY b "c">]>`, null]],
  ],
  [
    `<!DOCTYPE a []><!DOCTYPE a><a/>`,
    [["a document type with declarations of its own", "<!DOCTYPE a []>", null]],
  ],
  [`<a/>\r\n b`, [["text outside of the document", "b", null]]],
  [`<a></b></a>`, [["an end tag without its start", "</b>", null]]],
  [`<a><b></a>`, [["an element does not end before this tag", "</a>", null]]],
  [`<a><b>`, [["the element does not end", "b", null]]],
  [`<a b="1" c="2" b='3'/>`, [["the attribute `b` is repeated", "b='3'/>", null]]],
  [`<a><!-- b -- c --></a>`, [["`--` in a comment", "-- c -->", null]]],
  [`<a><!-- b ---></a>`, [["`--` in a comment", "--->", null]]],
  [`<a>b]]>c</a>`, [["`]]>` in a text", "]]>c", null]]],
  [`<a b="c & d"/>`, [["an unknown reference in an attribute", '& d"/>', null]]],
  [
    `\n<?xml version="1.0"?><a/>`,
    [["an XML declaration after the start of the file", `<?xml version="1.0"?>`, null]],
  ],
  [
    `\n<?XML version="1.0"?><a/>`,
    [["an XML declaration after the start of the file", `<?XML version="1.0"?>`, null]],
  ],
  [`<a>\u0001</a>`, [["a character that XML does not allow", "\u0001", null]]],
  [
    `\u0001<a/>`,
    [
      ["text outside of the document", "\u0001", null],
      ["a character that XML does not allow", "\u0001", null],
    ],
  ],
])("reports what is wrong with %s", (text, wanted) => {
  expect(flaws(text)).toEqual(wanted);
});

test.each([
  `<a b="]]>" c="&#60;&amp;">d]] > e</a>`,
  "<a><!----><!-- - b - --><?xml-stylesheet c?><![CDATA[-- ]] >]]></a>",
  `<?xml version="1.0"?>\r\n<!DOCTYPE a>\r<a b="1" B="2" x:b="3"/>\r\n`,
])("accepts %s", (text) => {
  expect(flaws(text)).toEqual([]);
});

test("a mismatched end tag is compared with a limited number of open elements", () => {
  const deep = (depth: number): string => `<a>${"<b>".repeat(depth)}</a>`;
  expect(flaws(deep(16))).toEqual([["an element does not end before this tag", "</a>", null]]);
  expect(flaws(deep(17))).toEqual([
    ["an end tag without its start", "</a>", null],
    ["the element does not end", "b", null],
  ]);
});
