/** The tools for language models while nobody is signed in: they work on the local files, as they are on disk. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, LanguageModelTextPart, lm, workspace } from "vscode";
import { runSuccessfully } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

interface Result {
  readonly items: readonly Record<string, unknown>[];
  readonly [member: string]: unknown;
}

async function call(tool: string, input: object): Promise<Result> {
  const name = `project_translations_${tool}`;
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const text = content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
  return JSON.parse(text) as Result;
}

const DUTCH = "lang/nl/cart.php";

const path = (file: string): string => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return join(folder.uri.fsPath, file);
};

/** Runs `work` while the Dutch texts of the cart are changed on disk. */
async function whileChanged(change: (text: string) => string, work: () => Promise<void>): Promise<void> {
  const before = await readFile(path(DUTCH), "utf8");
  await writeFile(path(DUTCH), change(before));
  try {
    await work();
  } finally {
    await writeFile(path(DUTCH), before);
  }
}

describe("tools for language models, of local files", () => {
  const title = { namespace: "cart", key: "title" };

  before(async () => {
    await waitFor("the tools are there", () =>
      ["list_keys", "push_changes"].every((tool) =>
        lm.tools.some(({ name }) => name === `project_translations_${tool}`),
      ),
    );
  });

  journey("list and search keys", async () => {
    const { items } = await call("list_keys", { namespace: "cart" });
    assert.ok(items.some(({ key, source }) => key === "title" && source === "Your cart"));
    const missing = await call("list_keys", { namespace: "cart", locale: "nl", state: "untranslated" });
    assert.ok(!missing.items.some(({ key }) => key === "title"), JSON.stringify(missing));
    const found = await call("search_texts", { query: "winkelwagen", locale: "nl" });
    assert.ok(
      found.items.some(({ key, translation }) => key === "title" && translation === "Je winkelwagen"),
      JSON.stringify(found),
    );
  });

  journey("read translations, also what was just written to a file", () =>
    whileChanged(
      (text) => text.replace("'Je winkelwagen'", "'Je mandje'"),
      async () => {
        const { items } = await call("get_translations", { keys: [title], locales: ["nl"] });
        assert.equal(items[1]?.["translation"], "Je mandje", JSON.stringify(items));
      },
    ),
  );

  journey("find usages, and read the languages", async () => {
    const { items } = await call("find_usages", { namespace: "cart", key: "remove" });
    assert.equal(items[0]?.["path"], "resources/views/cart.blade.php");
    const { sourceLanguage, languages } = await call("get_glossary", {});
    assert.equal(sourceLanguage, "en");
    assert.ok((languages as readonly string[]).includes("nl"), JSON.stringify(languages));
  });

  journey("list wrong placeholders", () =>
    whileChanged(
      (text) => text.replace(/'total' => '[^']*'/, "'total' => 'Alles: :amout'"),
      async () => {
        const { items } = await call("list_issues", { locale: "nl" });
        const issue = items.find(({ key, placeholder }) => key === "total" && placeholder === ":amount");
        assert.ok(issue, JSON.stringify(items));
        assert.equal(issue["translation"], "Alles: :amout");
      },
    ),
  );

  journey("propose translations, which are written to the file when they are saved", async () => {
    const file = path(DUTCH);
    const before = await readFile(file, "utf8");
    const { staged, refused } = await call("stage_translations", {
      locale: "nl",
      translations: [
        { ...title, text: "Je mandje", source: "Your cart" },
        { namespace: "cart", key: "total", text: "Totaal :bedrag" },
      ],
    });
    assert.deepEqual([staged, refused], [1, 1]);
    assert.equal(await readFile(file, "utf8"), before);
    const { items } = await call("list_keys", { locale: "nl", state: "proposed" });
    assert.deepEqual(
      items.map(({ key }) => key),
      ["title"],
    );
    await runSuccessfully("openEditor", { filter: "unsaved" });
    await commands.executeCommand("workbench.action.files.save");
    await waitFor("it is written", async () => (await readFile(file, "utf8")).includes("'Je mandje'"));
    await writeFile(file, before);
  });

  journey("ask to sign in for a push", async () => {
    await assert.rejects(call("push_changes", {}), /not signed in.*Sign In…/s);
  });
});
