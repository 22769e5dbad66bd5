/** The folder's files as PHP, OASIS's schema and the `xliff` library read them, before and after edits. */
import { describe, test, type TestContext } from "vitest";
import { decodeText, isUndecodable } from "../../src/formats/text/encoding.ts";
import {
  expectAgreementBeforeAndAfterEdits,
  expectWordPressAgreement,
} from "../unit/formats/php/php-reference.ts";
import type { FormatName } from "../../src/model/file-formats.ts";
import { filesByFormat } from "../unit/formats/round-trip-suite.ts";
import { everythingChanged, expectSameAsLibrary, validate } from "../unit/formats/xliff/xliff-reference.ts";
import { requireTool } from "../unit/support/reference-tools.ts";
import { FOLDER } from "./folder.ts";

const files = await filesByFormat(FOLDER);

/** The texts of the files of a format. Skips the test where the folder has none. */
function textsOf(context: TestContext, format: FormatName): readonly { path: string; text: string }[] {
  const texts = (files.get(format) ?? []).flatMap(({ path, bytes }) => {
    const decoded = decodeText(bytes, format);
    return isUndecodable(decoded) ? [] : [{ path, text: decoded.text }];
  });
  if (texts.length === 0) context.skip(`the folder has no files of the format ${format}`);
  return texts;
}

describe("PHP", () => {
  test("parses Laravel files like this project, before and after an edit", (context) => {
    requireTool(context, "php");
    expectAgreementBeforeAndAfterEdits(textsOf(context, "laravel_php").map(({ text }) => text));
  });

  test("parses WordPress files like this project, before and after an edit", (context) => {
    requireTool(context, "php");
    expectWordPressAgreement(textsOf(context, "wordpress_php").map(({ text }) => text));
  });
});

describe("XLIFF 1.2", () => {
  test("is parsed equally by the library, before and after an edit", async (context) => {
    for (const { path, text } of textsOf(context, "xliff12")) {
      await expectSameAsLibrary(text).catch((error: unknown) => {
        throw new Error(path, { cause: error });
      });
    }
  });

  test("stays valid after every target is changed", (context) => {
    requireTool(context, "xmllint");
    validate(
      "xliff12",
      textsOf(context, "xliff12").map(({ text }) => everythingChanged("xliff12", text)),
    );
  });
});
