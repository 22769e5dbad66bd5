/** `If-None-Match` in the forms of § GET /exports. */
import { expect, test } from "vitest";
import { matchesIfNoneMatch } from "../../../src/local-service/endpoints/exports.ts";

const tag = '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"';

test.each([
  [tag, true],
  [`W/${tag}`, true],
  [`"x", ${tag}`, true],
  [`"x",W/${tag},"y"`, true],
  [`${tag} , "y"`, true],
  ['"a,b", "c"', false],
  [`"with, comma",${tag}`, true],
  ["*", true],
  [" * ", true],
  ['"x"', false],
  [tag.replaceAll('"', ""), false],
  [`x${tag}`, false],
  ["", false],
  [undefined, false],
])("compares %s: %s", (header, matches) => {
  expect(matchesIfNoneMatch(header, tag)).toBe(matches);
});
