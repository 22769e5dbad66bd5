/** Keys whose plural forms, ordinal forms and contexts are keys of their own: hover, and rename from one of the forms. */
import assert from "node:assert/strict";
import { commands, type Hover, type MarkdownString, Uri, workspace, type WorkspaceEdit } from "vscode";
import { middleOfText, openFile, runSuccessfully } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";

const LOCALES = ["de", "en", "nl"];
const fileOf = (locale: string): string => `public/locales/${locale}/common.json`;
/** Beside `item` all forms are keys of their own. */
const TEXTS = {
  item: "Things",
  item_one: "{{count}} thing",
  item_other: "{{count}} things",
  place_ordinal_one: "{{count}}st",
  place_ordinal_two: "{{count}}nd",
  place_ordinal_few: "{{count}}rd",
  place_ordinal_other: "{{count}}th",
  friend: "A friend",
  friend_male: "A boyfriend",
  friend_male_one: "One boyfriend",
  friend_male_other: "{{count}} boyfriends",
};
const CODE = `import { useTranslation } from "react-i18next";
export function Forms({ count }) {
  const { t } = useTranslation("common");
  return [t("item", { count }), t("place", { count, ordinal: true }), t("friend", { count, context: "male" })];
}
`;

async function write(path: string, text: string): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  await workspace.fs.writeFile(Uri.joinPath(folder.uri, path), new TextEncoder().encode(text));
}

/** The texts in the hover of a key in the code. */
async function hoverOf(key: string): Promise<string> {
  const document = await openFile("src/Forms.tsx");
  return waitFor(`the hover of ${key}`, async () => {
    const hovers = await commands.executeCommand<Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      middleOfText(document, `"${key}"`),
    );
    const contents = hovers.flatMap((hover) => hover.contents as MarkdownString[]);
    return contents
      .map(({ value }) =>
        value.replaceAll(/&#(\d+);|\\(?=\W)/g, (_, code?: string) =>
          code === undefined ? "" : String.fromCodePoint(Number(code)),
        ),
      )
      .join("\n");
  });
}

describe("plural forms and contexts that are keys of their own", () => {
  before(async () => {
    for (const locale of LOCALES) await write(fileOf(locale), `${JSON.stringify(TEXTS, null, 2)}\n`);
    await write("src/Forms.tsx", CODE);
    await runSuccessfully("findUnused");
    await waitFor("the keys", async () => {
      const { keys } = await runSuccessfully("listKeys");
      return (keys as readonly { readonly key: string }[]).some(({ key }) => key.startsWith("friend"));
    });
  });

  it("hover shows every plural form", async () => {
    const hover = await hoverOf("item");
    for (const text of ["{{count}} thing", "{{count}} things", "Things"])
      assert.ok(hover.includes(text), `${text} in ${hover}`);
    assert.match(hover, /Also shown, by count and context/);
    assert.doesNotMatch(hover, /boyfriend/);
  });

  it("hover shows every ordinal form, though no key has the name in the code", async () => {
    const hover = await hoverOf("place");
    for (const ending of ["st", "nd", "rd", "th"])
      assert.ok(hover.includes(`{{count}}${ending}`), `${ending} in ${hover}`);
  });

  it("hover shows the forms of the context before the general text", async () => {
    const hover = await hoverOf("friend");
    const places = ["One boyfriend", "A boyfriend", "A friend"].map((text) => hover.indexOf(text));
    assert.ok(
      places.every((at) => at !== -1),
      hover,
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      hover,
    );
  });

  it("a rename from one form in a file renames all forms, in all languages and in code", async () => {
    const english = await openFile(fileOf("en"));
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      english.uri,
      middleOfText(english, '"item_one"'),
      "thing_one",
    );
    const edits = edit.entries().map(([uri, changes]) => {
      const texts = changes.map(({ newText }) => newText).toSorted();
      return [workspace.asRelativePath(uri), texts] as const;
    });
    const names = ["thing", "thing_one", "thing_other"];
    assert.deepEqual(
      edits.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      [...LOCALES.map((locale) => [fileOf(locale), names]), ["src/Forms.tsx", ["thing"]]],
    );
  });
});
