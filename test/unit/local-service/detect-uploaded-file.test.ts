/** Paths of uploaded files and archive entries. */
import { expect, test } from "vitest";
import { normalisePath } from "../../../src/local-service/imports/upload-files.ts";

test.each([
  ["lang/nl.json", "lang/nl.json"],
  ["./lang/nl.json", "lang/nl.json"],
  ["././lang/nl.json", "lang/nl.json"],
  ["//lang/nl.json", "lang/nl.json"],
  ["lang\\nl.json", "lang/nl.json"],
  [".\\lang/./nl.json", "lang/./nl.json"],
  [".lang/nl.json", ".lang/nl.json"],
])("recognises %s as %s", (path, plain) => expect(normalisePath(path)).toBe(plain));
