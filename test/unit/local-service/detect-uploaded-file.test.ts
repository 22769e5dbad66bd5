/** Paths of uploaded files and archive entries. */
import { expect, test } from "vitest";
import { normalizePath } from "../../../src/local-service/imports/check-upload.ts";

test.each([
  ["lang/nl.json", "lang/nl.json"],
  ["./lang/nl.json", "lang/nl.json"],
  ["././lang/nl.json", "lang/nl.json"],
  ["//lang/nl.json", "lang/nl.json"],
  ["lang\\nl.json", "lang/nl.json"],
  [".\\lang/./nl.json", "lang/./nl.json"],
  [".lang/nl.json", ".lang/nl.json"],
])("recognises %s as %s", (path, plain) => expect(normalizePath(path)).toBe(plain));
