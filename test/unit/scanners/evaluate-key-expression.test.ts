/** Possible values of an expression in each language: every branch, and known prefixes and suffixes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../support/full-run.ts";
import { find, options } from "./marked.ts";

/** Keys, and patterns with `*`, of all uses in the text. */
const valuesIn = (language: string, text: string): readonly string[] =>
  find(language, text, options()).map(({ expression }) =>
    expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
  );

const javascript: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`"a" + (x ? "b" : "c") + "d"`, ["abd", "acd"]],
  ["`a${x ? 'b' : `c${'d'}`}e`", ["abe", "acde"]],
  ["`${'a'}${y}${'b'}`", ["a*b"]],
  ["`${}`", ["*"]],
  ["`$a {b} \\${c}`", ["$a {b} ${c}"]],
  [String.raw`"\0\x41\101\477\u{41}\q"`, ["\0AA'7Aq"]],
  [String.raw`"\n\r\t\v\f\b"`, ["\n\r\t\v\f\b"]],
  [`"a" + x + "b" + "c"`, ["a*bc"]],
  [`x + "a"`, ["*a"]],
  [`x + y`, ["*"]],
  [`"a" + 5`, ["a*"]],
  [`x ? "a" : y ? "b" : "c"`, ["a", "b", "c"]],
  [`x ? y ? "a" : "b" : "c"`, ["a", "b", "c"]],
  [`x ? "a" : y`, ["a", "*"]],
  [`x ? "a"`, ["*"]],
  [`x?.y ? "a" : "b"`, ["a", "b"]],
  [`x?.5 : "b"`, ["*", "b"]],
  [`x || "a" || ""`, ["*", "a"]],
  [`"a" ?? "b"`, ["a", "b"]],
  [`x && y && "a"`, ["a"]],
  [`"a" || x && "b"`, ["a", "b"]],
  [`x && ""`, [""]],
  [`x | "a"`, ["*"]],
  [`x & "a"`, ["*"]],
  [`x === "a" ? "b" : "c"`, ["b", "c"]],
  [`x === "a" || "b"`, ["*", "b"]],
  [`"a" as const`, ["a"]],
  [`"a" as A as B`, ["a"]],
  [`"a" as A | B`, ["a"]],
  [`x as A as "b"`, ["b"]],
  [`x as boolean ? "a" : "b"`, ["a", "b"]],
  [`x as string || "a"`, ["*", "a"]],
  [`"a" + ("b" as B)`, ["ab"]],
  [`x.as`, ["*"]],
  [`"a" in x`, ["*"]],
  [`x = "a"`, ["*"]],
  [`() => "a"`, ["*"]],
  [`-"a"`, ["*"]],
  [`"a" - "b"`, ["*"]],
  [`"a" < "b"`, ["*"]],
  [`"a" / "b"`, ["*"]],
  [`"a"[0]`, ["*"]],
  [`"a".b`, ["*"]],
  [`f("a")`, ["*"]],
  [`["a", x, "b"]`, ["a", "*", "b"]],
  [`["a"].x`, ["*"]],
  [`("a", "b")`, ["*"]],
  [`(("a"))`, ["a"]],
  [`()`, []],
  [`"a"!`, ["a"]],
  [`"a"!!`, ["a"]],
  [`x => y ? "a" : "b"`, ["*"]],
  [`x instanceof y ? "a" : "b"`, ["a", "b"]],
  [`k in x ? "a" : "b"`, ["a", "b"]],
  [`"a\n`, ["*"]],
  ["`a${x\n", ["*"]],
  [`<A>"a"`, ["a"]],
  ["tag`a`", ["*"]],
  ["\u00a0\ufeff'a'\ufeff", ["a"]],
  ['"a\\\r\nb\\\nc"', ["abc"]],
  [`/["']/.test(x) ? "a" : "b"`, ["a", "b"]],
  [`a[0]! / 2 + "b" / 3`, ["*"]],
  ["`a\r\nb\rc`", ["a\nb\nc"]],
];

test.each(javascript)("reads JavaScript t(%s)", (expression, texts) => {
  expect(valuesIn("typescript", `t(${expression})`)).toEqual(texts);
});

const php: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`'a' . 'b'`, ["ab"]],
  [String.raw`"\n\t\r\v\e\f\\\$"`, ["\n\t\r\v\u001b\f\\$"]],
  [`'a' . $x . 'b'`, ["a*b"]],
  [`$x->y . 'a'`, ["*a"]],
  [`$x?->y . 'a'`, ["*a"]],
  [`A::B . 'a'`, ["*a"]],
  [`$x ? 'a' : 'b'`, ["a", "b"]],
  [`'a' ?: 'b'`, ["a", "b"]],
  [`$x ?? 'a'`, ["*", "a"]],
  [`$x ?: A::B`, ["*", "*"]],
  [`'a' . 1.5`, ["a*"]],
  [`'a' + 'b'`, ["*"]],
  [`$x .= 'a'`, ["*"]],
  [`$x = 'a'`, ["a"]],
  [`$x = $y = $z ? 'a' : 'b'`, ["a", "b"]],
  [`$x == 'a'`, ["*"]],
  [`sprintf('%2$s.%1$s', 'b', 'c')`, ["c.b"]],
  [`sprintf('%05d.%s', $x, 'b')`, ["*.b"]],
  [`$x !== 'a' ? 'b' : 'c'`, ["b", "c"]],
  [`'a' . $x = 'b'`, ["*"]],
  [`['a', 'b']`, ["*"]],
  [`...$x`, ["*"]],
  [`...`, []],
  [`fn() => 'a'`, ["*"]],
  [`"a $x b"`, ["a * b"]],
  [`"a {$x['b']} c"`, ["a * c"]],
  [`"a $x[b] c"`, ["a * c"]],
  [`"a $x->b c"`, ["a * c"]],
  [`"\${x} c"`, ["* c"]],
  [`"a {$x["$y z"]} b"`, ["a * b"]],
  [`"a $x->y->z"`, ["a *->z"]],
  [`"$x"`, ["*"]],
  [`"a $x$y b"`, ["a * b"]],
  [`"a {$x}{$y}\${z} b"`, ["a * b"]],
  [String.raw`"a \$x \\$y b"`, ["a $x \\* b"]],
  [String.raw`"\101\501\x41\u{41}\e\v\f\q"`, ["AAAA\u001b\v\f\\q"]],
  [String.raw`"caf\xc3\xa9 caf\303\251 \X41"`, ["café café A"]],
  [String.raw`"\xff"`, ["*"]],
  [String.raw`"\xff, \x41"`, ["*"]],
  [String.raw`"\u{110000}"`, ["*"]],
  [String.raw`"\u{d7ff}\u{e000}"`, ["\ud7ff\ue000"]],
  [String.raw`"\u{d800}"`, ["*"]],
  [String.raw`"a \u{zz}"`, ["*"]],
  [String.raw`"\xc3\xA9\303\251"`, ["éé"]],
  [String.raw`"\xc3"`, ["*"]],
  [String.raw`"a $x \xff"`, ["a *"]],
  [String.raw`"\""`, ['"']],
  ['"\\`"', ["\\`"]],
  [String.raw`'\101\'\\\n'`, [String.raw`\101'\\n`]],
  ["<<<A\n  a\n   b\n  A", ["a\n b"]],
  ["<<<'A'\na $x \\n\nA", ["a $x \\n"]],
  ['<<<A\na \\" \\x41\nA', ['a \\" A']],
  ['<<<"A"\na $x b\nA', ["a * b"]],
  ["<<<A\nA", [""]],
  ["<<<A\na \\\nA", ["a \\"]],
  ["<<<'A'\na {$x \\\nA", ["a {$x \\"]],
  ["<<<A\n  a\n b\n  A", ["*"]],
  ["<<<A\n  a\n\n  B A Ab\n  Ab\n  A", ["a\n\nB A Ab\nAb"]],
  ["<<<A\r\n a\r\n A", ["a"]],
  ["<<<A\n\ta\n\n\t\tb\n\tA", ["a\n\n\tb"]],
];

test.each(php)("reads PHP __(%s)", (expression, texts) => {
  expect(valuesIn("php", `<?php __(${expression});`)).toEqual(texts);
});

const python: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`"a" if x else "b"`, ["a", "b"]],
  [`"a" if x else "b" if y else "c"`, ["a", "b", "c"]],
  [`"a" if x`, ["a"]],
  [`x or "a" or ""`, ["*", "a"]],
  [`x and "a"`, ["a"]],
  [`not "a"`, ["*"]],
  [`"a" in x`, ["*"]],
  [`"a" is x`, ["*"]],
  [`lambda: "a"`, ["*"]],
  [`x for x in "a"`, ["*"]],
  [`await x`, ["*"]],
  [`"a" "b" 'c'`, ["abc"]],
  [`"a" f"b{x}" "c"`, ["ab*c"]],
  [`"a" x`, ["*"]],
  [String.raw`"a\n" r"\n"`, ["a\n\\n"]],
  [`"a" b"c"`, ["*"]],
  [`"a" """b"c"""`, ['ab"c']],
  [`"""a\r\nb""" r"""c\r\nd\re"""`, ["a\nbc\nd\ne"]],
  [`f"a{x}{{b}}"`, ["a*{b}"]],
  [`"a" + x + "b"`, ["a*b"]],
  [`"a" * 2`, ["*"]],
  [`("a" "b")`, ["ab"]],
  [`b"a"`, ["*"]],
  [`b`, ["*"]],
  [`"a\n`, ["*"]],
  [`"\n`, ["*"]],
  [`br"a"`, ["*"]],
  [`""`, [""]],
  [`""""""`, [""]],
  [`"""a"b"""`, ['a"b']],
  [`f"{x}"`, ["*"]],
  [`t"a{x}b"`, ["a*b"]],
  [`f"a{{b}}{x}c{y}d"`, ["a{b}*d"]],
  [String.raw`rf"\n{x}\t"`, [String.raw`\n*\t`]],
  [String.raw`FR"{x}\n"`, [String.raw`*\n`]],
  [String.raw`rf"\N{x}.a"`, [String.raw`\N*.a`]],
  [String.raw`"\U0001F600\u0041\x41\101\a\q"`, ["😀AAA\u0007\\q"]],
  [String.raw`"\UFFFFFFFF"`, ["\ufffd"]],
];

test.each(python)("reads Python _(%s)", (expression, texts) => {
  expect(valuesIn("python", `_(${expression})`)).toEqual(texts);
});

describe("expressions beyond the limits", () => {
  const choices = (count: number): string => "${x ? 'a' : 'b'}".repeat(count);

  test("are unknown with more than 100 texts", () => {
    expect(valuesIn("javascript", `t(\`${choices(6)}\`)`)).toHaveLength(64);
    expect(valuesIn("javascript", `t(\`k${choices(7)}l\`)`)).toEqual(["k*l"]);
  });

  test("are unknown over 4,000 characters", () => {
    expect(valuesIn("javascript", `t("${"a".repeat(3_998)}")`)).toEqual(["a".repeat(3_998)]);
    expect(valuesIn("javascript", `t("${"a".repeat(3_999)}")`)).toEqual(["*"]);
  });

  test("are unknown after the constants of a file have had 5,000 values", () => {
    const lists = Array.from({ length: 53 }, (_, list) =>
      Array.from({ length: 100 }, (__, index) => `"k${list}.${index}"`).join(),
    );
    const code = lists.map((list, at) => `const L${at} = [${list}]; L${at}.map((key) => t(key));`).join("\n");
    const values = valuesIn("javascript", code);
    expect(values.slice(0, 5_000)).toEqual(lists.slice(0, 50).flatMap((list) => JSON.parse(`[${list}]`)));
    expect(values.slice(5_000)).toEqual(["*", "*", "*"]);
  });

  test("are unknown in too many parentheses", () => {
    const nested = (depth: number): string => `t(${"(".repeat(depth)}"a"${")".repeat(depth)})`;
    expect(valuesIn("javascript", nested(10))).toEqual(["a"]);
    expect(valuesIn("javascript", nested(100))).toEqual(["*"]);
  });
});

test.each([
  ["typescript", `t(«"a" + x», { "b": 1 })`],
  ["typescript", "t( «`a${x}b`» )"],
  ["typescript", `t(y || («"a" + x + (z ? "b" : "c")»))`],
  ["typescript", `const f = (k: string) => t(«k as "a" | "b"»)`],
  ["php", `<?php __(«"a $x b"», $y);`],
  ["python", `_(y or «"a" f"b{x}" "c"»)`],
])(
  "returns the whole expression as range of a text that is partly known, or by its type: %s %s",
  (language, marked) => {
    const [before = "", whole = ""] = marked.split(/[«»]/);
    const uses = find(language, marked.replaceAll(/[«»]/g, ""), options());
    expect(uses.at(-1)?.keySpan).toEqual({ start: before.length, end: before.length + whole.length });
  },
);

/** An expression by what it can be, for every language to be written in. */
type Expression =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "name" }
  | { readonly kind: "join"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "choice"; readonly yes: Expression; readonly no: Expression }
  /** A literal with an expression in it; in PHP and Python that is a name. */
  | {
      readonly kind: "template";
      readonly before: string;
      readonly inside: Expression;
      readonly after: string;
    };

/** Every choice of writing, by the numbers of a stream. */
type Choose = (...choices: readonly string[]) => string;

interface Writing {
  readonly text: (text: string, choose: Choose) => string;
  readonly name: string;
  readonly join: (left: string, right: string) => string;
  readonly choice: (yes: string, no: string) => string;
  readonly template: (before: string, inside: string, after: string) => string;
  readonly asWhole: (written: string, choose: Choose) => string;
  readonly nests: boolean;
}

const TEXTS = [
  "a",
  "b.c",
  "",
  "it's",
  'so "d"',
  "e\\f",
  "`g",
  "$h",
  "${i}",
  "{j}",
  "é",
  "k\nl",
  ", m",
  "? n : o",
  "(",
  "]",
];

const single = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const double = (text: string): string => JSON.stringify(text);
const inTemplate = (text: string): string => text.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
const inPhp = (text: string): string => text.replaceAll(/[\\"$]/g, String.raw`\$&`);
const inFormatted = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replaceAll("{", "{{").replaceAll("}", "}}");

const WRITINGS: Readonly<Record<string, Writing>> = {
  typescript: {
    text: (text, choose) =>
      choose(double(text), single(text).replaceAll("\n", "\\n"), `\`${inTemplate(text)}\``),
    name: "v.w",
    join: (left, right) => `${left} + ${right}`,
    choice: (yes, no) => `x(1, "y") ? ${yes} : ${no}`,
    template: (before, inside, after) => `\`${inTemplate(before)}\${${inside}}${inTemplate(after)}\``,
    asWhole: (written, choose) =>
      choose(
        written,
        `(${written})`,
        `(${written})!`,
        `(${written}) as const`,
        `(/* ( */ ${written} // )\n)`,
      ),
    nests: true,
  },
  php: {
    text: (text, choose) => choose(single(text), `"${inPhp(text)}"`, `<<<'X'\n${text}\nX`),
    name: "$v['w']->u",
    join: (left, right) => `${left} . ${right}`,
    choice: (yes, no) => `$x(1, 'y') ? ${yes} : ${no}`,
    template: (before, inside, after) => `"${inPhp(before)}{${inside}}${inPhp(after)}"`,
    asWhole: (written, choose) => choose(written, `(${written})`, `(/* ( */ ${written} # )\n)`),
    nests: false,
  },
  python: {
    text: (text, choose) =>
      choose(
        double(text),
        `u${single(text).replaceAll("\n", "\\n")}`,
        `"""${JSON.stringify(text).slice(1, -1)}"""`,
        `${double(text.slice(0, 1))} ${double(text.slice(1))}`,
      ),
    name: "v['w'].u",
    join: (left, right) => `${left} + ${right}`,
    choice: (yes, no) => `${yes} if x(1, "y") else ${no}`,
    template: (before, inside, after) => `f"${inFormatted(before)}{${inside}}${inFormatted(after)}"`,
    asWhole: (written, choose) => choose(written, `(${written})`, `( # (\n${written})`),
    nests: false,
  },
};

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const text = fc.constantFrom(...TEXTS);
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ kind: fc.constant("text" as const), text }),
      fc.constant({ kind: "name" as const }),
      fc.record({ kind: fc.constant("join" as const), left: tie("expression"), right: tie("expression") }),
      fc.record({ kind: fc.constant("choice" as const), yes: tie("expression"), no: tie("expression") }),
      fc.record({
        kind: fc.constant("template" as const),
        before: text,
        inside: tie("expression"),
        after: text,
      }),
    ),
  };
});

function write(given: Expression, writing: Writing, choose: Choose, isWhole = true): string {
  const inner = (each: Expression): string => write(each, writing, choose, false);
  switch (given.kind) {
    case "text":
      return writing.text(given.text, choose);
    case "name":
      return writing.name;
    case "template":
      return writing.template(
        given.before,
        writing.nests ? write(given.inside, writing, choose) : writing.name,
        given.after,
      );
    case "join":
    case "choice": {
      const written =
        given.kind === "join"
          ? writing.join(inner(given.left), inner(given.right))
          : writing.choice(inner(given.yes), inner(given.no));
      return isWhole ? writing.asWhole(written, choose) : `(${written})`;
    }
  }
}

/** The texts that it can be; a name may be anything, `null`. */
function outcomes(given: Expression, nests: boolean): readonly (readonly (string | null)[])[] {
  const joined = (...parts: readonly (readonly (readonly (string | null)[])[])[]) =>
    parts.reduce((all, part) => all.flatMap((left) => part.map((right) => [...left, ...right])));
  switch (given.kind) {
    case "text":
      return [[given.text]];
    case "name":
      return [[null]];
    case "join":
      return joined(outcomes(given.left, nests), outcomes(given.right, nests));
    case "choice":
      return [...outcomes(given.yes, nests), ...outcomes(given.no, nests)];
    case "template":
      return joined([[given.before]], nests ? outcomes(given.inside, nests) : [[null]], [[given.after]]);
  }
}

/** With `*` for all that is between the first and the last part that is not known. */
function shown(parts: readonly (string | null)[]): string {
  const first = parts.indexOf(null);
  if (first === -1) return parts.join("");
  return `${parts.slice(0, first).join("")}*${parts.slice(parts.lastIndexOf(null) + 1).join("")}`;
}

test.each([
  ["typescript", (written: string) => `t(${written}, { a: "b" })`],
  ["php", (written: string) => `<?php __(${written}, ['a' => 'b']);`],
  ["python", (written: string) => `_(${written})`],
] as const)("evaluates any expression of %s", (language, call) => {
  const writing = WRITINGS[language] as Writing;
  fc.assert(
    fc.property(expression, fc.infiniteStream(fc.nat(59)), (given, numbers) => {
      const expected = outcomes(given, writing.nests).map(shown);
      fc.pre(expected.length <= 16);
      const choose: Choose = (...choices) => choices[numbers.next().value % choices.length] as string;
      const text = call(write(given, writing, choose));
      expect([valuesIn(language, text).toSorted(), text]).toEqual([expected.toSorted(), text]);
    }),
    propertyRuns(1_000),
  );
});
