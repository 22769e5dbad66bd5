/** Extracts texts from files with CRLF. */
import { describe, expect, test } from "vitest";
import { extract } from "./extracted.ts";

describe("files with CRLF line endings", () => {
  test("keeps a module's docstring first", async () => {
    const code = '"""Carts."""\r\n\r\ntitle = "«Your cart»"\r\n';
    const [, after = ""] = (await extract(code, "python", "gettext")) as readonly string[];
    expect(after.startsWith('"""Carts."""\r\nfrom gettext import gettext as _\n')).toBe(true);
  });
});
