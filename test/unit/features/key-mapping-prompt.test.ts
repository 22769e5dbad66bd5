/** How the mappings are described from which a person chooses before a push. */
import { expect, test } from "vitest";
import { mappingDescription } from "../../../src/features/push/key-mapping-prompt.ts";
import { alternativeMappings } from "../../../src/workspace/file-layout/alternative-layouts.ts";

/** Returns the descriptions of the other mappings, and how each names keys. */
function described(path: string, format: "laravel_php" | "json_js" | "po", namespace?: string) {
  const entry = { path, format, ...(namespace !== undefined && { namespace }) };
  return Object.fromEntries(
    alternativeMappings([entry]).map((mapping) => [
      mappingDescription(mapping),
      mapping.files.map((file) => [file.namespace, file.keyPrefix].filter((part) => part !== undefined)),
    ]),
  );
}

test("each says where the namespace of its keys comes from", () => {
  expect(described("lang/{locale}/{namespace}.php", "laravel_php")).toEqual({
    "No namespace; the file’s name before the key": [["*", "{namespace}."]],
    "No namespace; the key as it stands in the file": [["*"]],
  });
  expect(described("locales/{locale}/{namespace}.json", "json_js", "other")).toEqual({
    "The path names the namespace": [[]],
    "No namespace; the file’s name before the key": [["*", "{namespace}."]],
    "No namespace; the key as it stands in the file": [["*"]],
  });
  expect(described("locales/{locale}.json", "json_js")).toEqual({
    "The namespace “translation” for all keys": [["translation"]],
  });
  expect(described("locale/{locale}/LC_MESSAGES/shop.po", "po")).toEqual({
    "The file’s name is the namespace": [["shop"]],
  });
});
