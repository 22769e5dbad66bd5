/** The `file` element of XLIFF to which a new key is added if the layout has the namespace (Symfony). */
import { expect, test, vi } from "vitest";
import { LocalFileRepository } from "../../../../src/database/local-file-repository.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { createLocalProject } from "./local-project.ts";

const SYMFONY: FilesEntry = {
  path: "translations/{namespace}.{locale}.xlf",
  format: "xliff12",
  namespace: "{namespace}",
};

const unit = (key: string): string =>
  `      <trans-unit id="${key}"><source>${key}</source><target>${key} nl</target></trans-unit>\n`;
const file = (original: string, ...keys: string[]): string =>
  `  <file original="${original}" source-language="en" target-language="nl" datatype="plaintext">\n    <body>\n${keys.map(unit).join("")}    </body>\n  </file>\n`;
const document = (...files: string[]): string => `<xliff version="1.2">\n${files.join("")}</xliff>\n`;

async function added(
  contents: Readonly<Record<string, string>>,
  key: string,
): Promise<{ readonly text: string; readonly refused: readonly string[] }> {
  const path = "translations/messages.nl.xlf";
  const fixture = createLocalProject(contents, {
    files: [SYMFONY],
    sourceLocale: "en",
    serviceLocales: ["en", "nl"],
  });
  const name = { namespace: "messages", key, context: null };
  const plan = await fixture.local.planEdit([{ name, locale: "nl", text: { value: "Nieuw" } }]);
  await fixture.files.write(plan.writes);
  return { text: fixture.files.text(path) ?? "", refused: plan.refused.map(({ reason }) => reason) };
}

test.each([
  ["another name than the namespace", document(file("file.ext", "a"))],
  ["no name", document(file("", "a"))],
  ["no units yet", document(file("app/Resources"))],
])("keeps a single file element with %s", async (_, dutch) => {
  const english = document(file("messages.en", "a", "b")).replaceAll("-nl", "-en");
  for (const contents of [{}, { "translations/messages.en.xlf": english }]) {
    const { text, refused } = await added({ ...contents, "translations/messages.nl.xlf": dutch }, "b");
    expect(refused).toEqual([]);
    expect(text.match(/<file /gu)).toHaveLength(1);
    expect(text).toContain("<target>Nieuw</target>");
    const fixture = createLocalProject(
      { "translations/messages.nl.xlf": text },
      { files: [SYMFONY], sourceLocale: "en", serviceLocales: ["en", "nl"] },
    );
    const entries = (await fixture.local.load()).entries("nl");
    expect(Array.from(entries.values(), ({ name }) => [name.namespace, name.key])).toContainEqual([
      "messages",
      "b",
    ]);
  }
});

test("uses the file element with siblings, else the last", async () => {
  const dutch = document(file("one", "cart.title"), file("two", "menu.home"), file("three", "x"));
  const contents = { "translations/messages.nl.xlf": dutch };
  for (const [key, original] of [
    ["cart.total", "one"],
    ["menu.open", "two"],
    ["other", "three"],
  ] as const) {
    const { text } = await added(contents, key);
    expect(text.match(/<file /gu)).toHaveLength(3);
    const before = text.slice(0, text.indexOf("Nieuw"));
    expect(before.slice(before.lastIndexOf("<file"))).toContain(`original="${original}"`);
  }
});

test("uses the file element named by the source key", async () => {
  const english = document(file("one", "a"), file("two", "a.b"));
  const dutch = document(file("two"), file("one", "a.c"));
  const contents = { "translations/messages.en.xlf": english, "translations/messages.nl.xlf": dutch };
  const { text } = await added(contents, "a.b");
  expect(text.indexOf("Nieuw")).toBeLessThan(text.indexOf('original="one"'));
});

test("reads the entries of a file once for many new keys", async () => {
  const keys = (group: string): string[] => Array.from({ length: 50 }, (_, index) => `${group}.k${index}`);
  const path = "translations/messages.nl.xlf";
  const dutch = document(file("one", ...keys("cart")), file("two", ...keys("menu")));
  const layout = { files: [SYMFONY], sourceLocale: "en", serviceLocales: ["en", "nl"] };
  const { local } = createLocalProject({ [path]: dutch }, layout);
  await local.load();
  const changes = keys("cart.more").map((key) => {
    return { name: { namespace: "messages", key, context: null }, locale: "nl", text: { value: "Nieuw" } };
  });
  const read = vi.spyOn(LocalFileRepository.prototype, "entriesOf");
  const { writes } = await local.planEdit(changes);
  expect(read).toHaveBeenCalledOnce();
  read.mockRestore();
  const [first = ""] = new TextDecoder().decode(writes[0]?.after).split("</file>");
  expect(first.match(/Nieuw/gu)).toHaveLength(changes.length);
});
