/** The PO files in the tests of gettext's programs (`gettext-tools/tests/msg*`), as its own `msgcat` reads them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { po } from "../../src/formats/gettext/po-format.ts";
import { isUnreadable, readTranslationFile } from "../../src/formats/parse-and-edit-file.ts";
import { valuesOf } from "../../src/model/translation-text.ts";
import { field } from "../unit/scanners/extractors/xgettext.ts";
import { requireTool, run } from "../unit/support/reference-tools.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder } from "./outside-suite.ts";

const TESTS = "gettext-tools/tests";

function written(context: string | null, key: string, texts: readonly string[], isFuzzy: boolean): string {
  return JSON.stringify([context, key, texts.filter((text) => text !== "").sort(), isFuzzy]);
}

/** Returns the messages as `msgcat` prints them; `null` if it refuses the file. */
function messagesOf(bytes: Uint8Array): readonly string[] | null {
  let catalogue: string;
  try {
    const printed = run("msgcat", ["--no-wrap", "--to-code=UTF-8", "--force-po", "-"], bytes);
    catalogue = Buffer.from(printed).toString("utf8");
  } catch {
    return null;
  }
  return catalogue.split(/\n\n+/u).flatMap((block) => {
    const key = field(block, "msgid");
    if (key === null || (key === "" && field(block, "msgctxt") === null)) return [];
    const forms = Array.from({ length: 6 }, (_, index) => field(block, `msgstr\\[${index}\\]`) ?? "");
    const texts = [field(block, "msgstr") ?? "", ...forms];
    return [written(field(block, "msgctxt"), key, texts, /^#,.*\bfuzzy\b/mu.test(block))];
  });
}

test("PO files", async (context) => {
  const folder = projectFolder(context, "gettext", "autotools-mirror/gettext", `${TESTS}/msgcat-1`);
  requireTool(context, "gettext");
  const cases: OutsideCase[] = [];
  for (const name of readdirSync(join(folder, TESTS)).filter((each) => /^msg\w+-/u.test(each))) {
    // In the encodings of their tests.
    const script = readFileSync(join(folder, TESTS, name), "latin1");
    for (const [, file = "", text = ""] of script.matchAll(/<<\\EOF > (\S+)\n([\s\S]*?\n)EOF\n/gu)) {
      if (!/^msgid "/mu.test(text)) continue;
      const bytes = Buffer.from(text, "latin1");
      const expected = messagesOf(bytes);
      if (expected === null) continue;
      const read = await readTranslationFile(po, bytes, { locale: "nl", sourceLocale: "en" });
      const entries = isUnreadable(read) ? [] : read.entries;
      const found = entries.map((entry) =>
        written(entry.context, entry.key, valuesOf(entry.text), entry.isFuzzy === true),
      );
      cases.push(...keyCases(`${name} ${file}`, expected, found));
    }
  }
  expectShare("gettext PO files", cases, 0.98);
});
