/** What vue-i18n's own compiler finds in the messages of its tests: placeholders, links and plural parts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { vueI18n, vueI18nPipes } from "../../src/frameworks/vue-i18n.ts";
import { findPlaceholders } from "../../src/model/placeholders.ts";
import { parseTest, textsIn } from "./support/javascript-tests.ts";
import { expectShare, type OutsideCase, projectFolder } from "./outside-suite.ts";

const COMPILER = "packages/message-compiler";

/** A node of a compiled message, by its name in `NodeTypes`. */
interface MessageNode {
  readonly type: number;
  readonly [property: string]: unknown;
}

interface Parser {
  readonly createParser: (options: { onError: () => void }) => { parse: (text: string) => MessageNode };
}
type NodeTypes = Readonly<Record<"Plural" | "Named" | "List" | "Literal" | "LinkedKey" | "Linked", number>>;

/** Returns the node and all that it contains. */
function nodesIn(value: unknown): readonly MessageNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  const children = Object.values(value).flatMap(nodesIn);
  return "type" in value ? [value as MessageNode, ...children] : children;
}

test("messages", async (context) => {
  const folder = projectFolder(context, "vue-i18n", "intlify/vue-i18n", join(COMPILER, "src/parser.ts"));
  const load = async (file: string): Promise<unknown> =>
    await import(pathToFileURL(join(folder, COMPILER, "src", file)).href);
  const { createParser } = (await load("parser.ts")) as Parser;
  const { NodeTypes } = (await load("nodes.ts")) as { NodeTypes: NodeTypes };
  const tests = join(folder, COMPILER, "test");
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".test.ts"),
  );
  const texts = new Set(
    files.flatMap((file) => textsIn(parseTest(join(tests, file)))).filter((text) => /[{|]|@[.:]/u.test(text)),
  );
  const cases = [...texts].flatMap((text): readonly OutsideCase[] => {
    let errors = 0;
    const ast = createParser({ onError: () => errors++ }).parse(text);
    // What an app shows of a message that is not valid is not what is meant.
    if (errors > 0) return [];
    const nodes = nodesIn(ast);
    const of = (type: keyof NodeTypes): readonly MessageNode[] =>
      nodes.filter((node) => node.type === NodeTypes[type]);
    const expectedNames = [...of("Named").map(({ key }) => key), ...of("List").map(({ index }) => index)].map(
      String,
    );
    const names = findPlaceholders("braces", text).map(({ name }) =>
      /^-?\d+$/u.test(name) ? String(Number(name)) : name,
    );
    // The key of a link may be a placeholder; then it is not known.
    const expectedKeys = of("Linked").flatMap(({ key }) => {
      const { type, value } = key as MessageNode;
      return type === NodeTypes.LinkedKey || type === NodeTypes.Literal ? [String(value)] : [];
    });
    const keys = (vueI18n.links?.find(text, {}) ?? []).map(({ key }) => key);
    const parts = (of("Plural")[0]?.["cases"] as readonly unknown[] | undefined)?.length ?? 1;
    const found = vueI18nPipes.split(text).parts.length;
    return [
      {
        name: `placeholders of ${text}: ${names.join(", ")}, not ${expectedNames.join(", ")}`,
        isRight: [...new Set(names)].sort().join() === [...new Set(expectedNames)].sort().join(),
      },
      {
        name: `links of ${text}: ${keys.join(", ")}, not ${expectedKeys.join(", ")}`,
        isRight:
          expectedKeys.every((key) => key === "" || keys.includes(key)) &&
          // Version 8's `@:(key)` is a link as well, which this version reads as an empty one. A key without the
          // punctuation after it is only tried where there is no such key.
          keys.every(
            (key) => text.includes(`(${key})`) || expectedKeys.some((expected) => expected.startsWith(key)),
          ),
      },
      { name: `parts of ${text}: ${found}, not ${parts}`, isRight: found === parts },
    ];
  });
  expectShare("vue-i18n messages", cases, 0.98);
});
