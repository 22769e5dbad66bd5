/** Messages defined in a Vue component's own block are found completely. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ComponentMessages } from "../../../src/scanners/component-messages.ts";
import { propertyRuns } from "../support/full-run.ts";

/** A text, a list of texts, or others below names. */
type Message = string | readonly string[] | { readonly [name: string]: Message };
type Messages = Readonly<Record<string, Message>>;

const NAMES = [
  "a",
  "b",
  "c-d",
  "e f",
  "g:h",
  "i#j",
  "-k",
  "it's",
  'l"m',
  "é",
  "0",
  "n.o",
  "?",
  "p\\q",
  "x.list",
];
const TEXTS = ["", "A", "it's", "B: c", "- d", "# e", "{f}", "g\nh: i", 'j "k"', "&l", "m # n"];

const message = fc.letrec<{ message: Message; group: Messages }>((tie) => ({
  message: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc.array(fc.constantFrom("x", "y: z"), { minLength: 1, maxLength: 3 }),
    tie("group"),
  ),
  group: fc.dictionary(fc.constantFrom(...NAMES), tie("message"), { minKeys: 1, maxKeys: 4 }),
})).group;

/** Paths of texts and lists, and of the groups around them. */
function pathsOf(
  messages: Messages,
  above: readonly string[] = [],
): { readonly texts: string[]; readonly lists: string[] } {
  const texts: string[] = [];
  const lists: string[] = [];
  for (const [name, said] of Object.entries(messages)) {
    const path = [...above, name];
    if (typeof said === "string") texts.push(path.join("."));
    else if (isList(said)) lists.push(path.join("."));
    else {
      const inner = pathsOf(said, path);
      texts.push(...inner.texts);
      lists.push(...inner.lists);
    }
  }
  return { texts, lists };
}

const isList = (said: Message): said is readonly string[] => Array.isArray(said);

/** Every choice that the format leaves, by the numbers of a stream. */
type Choose = <Choice>(...choices: readonly Choice[]) => Choice;

function yaml(messages: Messages, choose: Choose, indent = ""): string {
  const lines: string[] = [];
  for (const [name, said] of Object.entries(messages)) {
    lines.push(...choose([], [], [`${indent}# x: y`], [""]));
    const plain = /^[^\s?"-][^"\\]*$/.test(name) && !/^[a-z]: /.test(name);
    const written = choose(
      plain ? name : JSON.stringify(name),
      JSON.stringify(name),
      `'${name.replaceAll("'", "''")}'`,
    );
    const head = `${indent}${written}${choose("", " ")}:`;
    const deeper = `${indent}${choose(" ", "  ", "    ")}`;
    if (typeof said === "string") {
      const shown = said.replaceAll("\n", `\n${deeper}`);
      lines.push(
        choose(
          `${head} ${JSON.stringify(said)}`,
          `${head} '${said.replaceAll("'", "''").replaceAll("\n", " ")}' # c`,
          `${head} |\n${deeper}${shown}`,
          `${head} >-\n${deeper}q: r\n\n${deeper}${shown}`,
          `${head} text\n${deeper}${shown}`,
        ),
      );
    } else if (isList(said)) {
      const dash = choose(indent, deeper);
      lines.push(head, ...said.map((item) => `${dash}- ${item}`));
    } else {
      lines.push(`${head}${choose("", " ", " # c")}`, yaml(said, choose, deeper));
    }
  }
  return lines.join("\n");
}

function json5(messages: Messages, choose: Choose): string {
  const quoted = (text: string): string =>
    choose(JSON.stringify(text), `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`);
  const members = Object.entries(messages).map(([name, said]) => {
    const written = choose(/^[a-z]+$/.test(name) ? name : quoted(name), quoted(name));
    const value =
      typeof said === "string"
        ? quoted(said)
        : isList(said)
          ? `[${said.map(quoted).join(", ")}]`
          : json5(said, choose);
    return `${choose("", "\n", "/* z: 1, */ ", "// z: 1,\n")}${written}${choose("", " ")}:${choose("", " ")}${value}`;
  });
  return `{${members.join(",")}${choose("", ",")}}`;
}

/** How a block is written: its attributes and its text. */
const WAYS: Readonly<
  Record<string, (messages: Messages, choose: Choose) => readonly [Record<string, string>, string]>
> = {
  YAML: (messages, choose) => [
    choose<Record<string, string>>({ lang: "yaml" }, { lang: "yml" }),
    choose("\n", "\r\n") === "\n"
      ? `\n${yaml(messages, choose)}\n`
      : `\n${yaml(messages, choose)}\n`.replaceAll("\n", "\r\n"),
  ],
  JSON: (messages, choose) => [
    choose<Record<string, string>>({}, { lang: "json" }),
    JSON.stringify(messages, null, choose(0, 2)),
  ],
  JSON5: (messages, choose) => [{ lang: "json5" }, `\n${json5(messages, choose)}\n`],
  "a module": (messages, choose) => [{ lang: "ts" }, `\nexport default ${json5(messages, choose)};\n`],
};

describe.each(Object.entries(WAYS))("%s", (_, write) => {
  test.each([
    ["of one language", true],
    ["of several languages", false],
  ])("%s", (__, isOfOne) => {
    fc.assert(
      fc.property(message, fc.infiniteStream(fc.nat(59)), (messages, numbers) => {
        const choose: Choose = (...choices) => choices[numbers.next().value % choices.length] as never;
        const [attributes, block] = write(isOfOne ? messages : { en: messages, nl: { nl: "N" } }, choose);
        const component = new ComponentMessages();
        component.read(block, attributes["lang"] ?? "", isOfOne ? "en" : null);
        const { texts, lists } = pathsOf(messages);
        const paths = [...texts, ...lists];
        const groups = paths.flatMap((path) =>
          [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index)),
        );
        const known = new Set([...paths, ...groups, ...(isOfOne ? [] : ["nl"])]);
        expect([component.isComplete, block]).toEqual([true, block]);
        for (const key of [...known, ...lists.map((list) => `${list}[0]`)])
          expect([key, component.defines({ kind: "static", key }), block]).toEqual([key, true, block]);
        for (const key of [...texts.flatMap((path) => [`${path}.z`, `${path}z`, `en.${path}`]), "q", "z"])
          if (!known.has(key) && !lists.some((list) => key.startsWith(`${list}.`)))
            expect([key, component.defines({ kind: "static", key }), block]).toEqual([key, false, block]);
        const ends = [...known, "zz"].flatMap((path) => {
          const half = Math.floor(path.length / 2);
          return [
            [path.slice(0, half), path.slice(half)],
            [path, ""],
            [`${path}.`, ""],
            ["", path],
          ] as const;
        });
        for (const [prefix, suffix] of ends) {
          const isMeant =
            [...paths, ...(isOfOne ? [] : ["nl"])].some(
              (path) => path.startsWith(prefix) && path.endsWith(suffix),
            ) || lists.some((list) => list.startsWith(prefix) || prefix.startsWith(list));
          expect([component.mayDefine({ kind: "pattern", prefix, suffix }), prefix, suffix, block]).toEqual([
            isMeant,
            prefix,
            suffix,
            block,
          ]);
        }
      }),
      propertyRuns(300),
    );
  });
});

describe("what a block does not show", () => {
  const isComplete = (lang: string, block: string): boolean => {
    const component = new ComponentMessages();
    component.read(block, lang, null);
    return component.isComplete;
  };

  test.each(["{b: c}", "[b]", "&b c", "*b", "!b c"])("is the value %s in YAML", (value) => {
    expect([isComplete("yaml", `en:\n  a: ${value}`), isComplete("yaml", `en:\n  a: x${value}`)]).toEqual([
      false,
      true,
    ]);
  });

  test.each(["<<: *b", "<<:\n    - *b\n    - *c", "? b", "{ b: c }"])("is %j in YAML", (line) => {
    expect(isComplete("yaml", `en:\n  ${line}\n  a: b`)).toBe(false);
  });

  test.each(["...b", "[b]: 'c'", "b() {}", "b", "b: b", "b: { ...c }"])("is %s in a module", (member) => {
    expect(isComplete("ts", `export default { en: { a: "A", ${member} } }`)).toBe(false);
  });

  test.each(["", " \n", "// none\n", "/* none */"])("is nothing in a module with %j", (block) => {
    expect(isComplete("ts", block)).toBe(true);
  });

  test.each(["f()", "export const x = {};", "const m = {}; export default m;"])("is %j", (block) => {
    expect(isComplete("ts", block)).toBe(false);
  });

  test.each(["export default { en: messages }", "export default { en: load('en'), nl: { a: 'A' } }"])(
    "are the messages of a language in %s",
    (block) => {
      expect(isComplete("ts", block)).toBe(false);
    },
  );
});

describe("limits", () => {
  const read = (lang: string, block: string): ComponentMessages => {
    const component = new ComponentMessages();
    component.read(block, lang, null);
    return component;
  };
  const names = (depth: number): readonly string[] =>
    Array.from({ length: depth }, (_, index) => `k${index}`);
  const inYaml = (depth: number): string =>
    names(depth)
      .map((name, index) => `${" ".repeat(index)}${name}:`)
      .join("\n");
  const inJson = (depth: number): string =>
    names(depth).reduceRight((inner, name) => `{"${name}":${inner}}`, '"T"');

  test.each([
    ["yaml", inYaml],
    ["json", inJson],
  ] as const)("ignore names nested more than 50 levels in %s", (lang, nested) => {
    const deepest = names(50).slice(1).join(".");
    expect([read(lang, nested(50)).isComplete, read(lang, nested(51)).isComplete]).toEqual([true, false]);
    expect(read(lang, nested(50)).defines({ kind: "static", key: deepest })).toBe(true);
  });

  test("ignore YAML lines over 2,000 characters", () => {
    const line = (length: number): string => `a: ${"b".repeat(length - 3)}`;
    expect([read("yaml", line(2_000)).isComplete, read("yaml", line(2_001)).isComplete]).toEqual([
      true,
      false,
    ]);
  });

  test("treat partly known keys as unknown with more than 1,000 keys", () => {
    const keys = (count: number): string =>
      JSON.stringify({
        en: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ""])),
      });
    const pattern = { kind: "pattern", prefix: "z", suffix: "" } as const;
    expect([read("", keys(1_000)).mayDefine(pattern), read("", keys(1_001)).mayDefine(pattern)]).toEqual([
      false,
      true,
    ]);
  });
});
