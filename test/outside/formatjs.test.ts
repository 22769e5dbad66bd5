/** FormatJS's own tests: the messages that its extractors find, and those that its parser accepts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { parseIcuSyntax } from "../../src/model/icu-syntax.ts";
import { expectShare, type OutsideCase, projectFolder } from "./outside-suite.ts";

/** They have no `other`, which the package's `parse` requires and its parser, without options, does not. */
const WITHOUT_OTHER = new Set(["less_than_sign_1.txt", "quoted_pound_sign_2.txt"]);
const PARSER = "packages/icu-messageformat-parser/integration-tests/test_cases";

test("messages that the parser accepts and refuses", (context) => {
  const folder = join(projectFolder(context, "formatjs", "formatjs/formatjs", PARSER), PARSER);
  const cases = readdirSync(folder).flatMap((name): readonly OutsideCase[] => {
    if (WITHOUT_OTHER.has(name)) return [];
    const [text = "", options = "", result = ""] = readFileSync(join(folder, name), "utf8").split("\n---\n");
    const { ignoreTag = false } = JSON.parse(options) as { ignoreTag?: boolean };
    const { err } = JSON.parse(result) as { err: { kind: number } | null };
    const { error } = parseIcuSyntax(text, { tags: !ignoreTag });
    return [
      {
        name: `${name}: ${err === null ? "valid" : `error ${err.kind}`}, but ${error?.kind ?? "valid"}: ${text}`,
        isRight: (err === null) === (error === null),
      },
    ];
  });
  expectShare("formatjs icu-messageformat-parser", cases, 0.98);
});
