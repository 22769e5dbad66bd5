/**
 * Keys in Svelte, Astro and Twig without an extension for these languages: detected by file name and project
 * manifest.
 */
import assert from "node:assert/strict";
import {
  commands,
  type Hover,
  type InlayHint,
  type MarkdownString,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

const FILES = {
  "resources/js/Cart.svelte": `<script lang="ts">
  import { _ } from "svelte-i18n";
  const KEYS = { title: "cart.title" };
  const ROWS = [{ label: "cart.title" }, { label: "cart.empty" }];
</script>

<!-- {$_("cart.title")} -->
<h1 title={$_("cart.title")}>It's {$_(KEYS.title)}</h1>
{#each ROWS as row}{$_(row.label)}{/each}
`,
  "resources/js/Cart.astro": `---
const t = useTranslations(lang); // t("cart.title")
---
<h1>{t("cart.title")}</h1>
`,
  "resources/views/cart.html.twig": `{# {{ 'cart.title'|trans }} #}
<h1>{{ 'cart.title'|trans }} {{ trans("cart.title") }}</h1>
`,
};

function place(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

const write = (path: string, text: string): Thenable<void> =>
  workspace.fs.writeFile(place(path), new TextEncoder().encode(text));

async function hoverAt(document: TextDocument, offset: number): Promise<string> {
  const hovers = await commands.executeCommand<Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    document.positionAt(offset),
  );
  return hovers.flatMap(({ contents }) => contents.map((one) => (one as MarkdownString).value)).join("\n");
}

describe("keys in Svelte, Astro and Twig", () => {
  before(async () => {
    // The sample's project file names the languages that it has; without that, all of them are searched.
    const file = place("project-translations.json");
    const { usage: _, ...rest } = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(file))) as {
      usage: unknown;
    };
    await write("project-translations.json", JSON.stringify(rest));
    await write("frontend/package.json", `{ "dependencies": { "svelte-i18n": "4.0.0" } }`);
    for (const [path, text] of Object.entries(FILES)) await write(path, text);
    const { baseUrl, token } = await startService({ demo: true });
    const result = await commands.executeCommand<{ outcome: string }>("projectTranslations.signIn", {
      baseUrl,
      token,
      confirm: false,
    });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  for (const [path, marks] of [
    ["resources/js/Cart.svelte", [`={$_("cart`, "KEYS.title)"]],
    ["resources/js/Cart.astro", [`>{t("cart`]],
    ["resources/views/cart.html.twig", ["<h1>{{ 'cart", `trans("cart`]],
  ] as const) {
    it(`${path}: shows a hover at each usage and none in comments`, async () => {
      const document = await workspace.openTextDocument(place(path));
      for (const mark of marks) {
        const at = document.getText().indexOf(mark) + mark.length - 2;
        await waitFor(`the hover at ${mark}`, async () => /`nl` /.test(await hoverAt(document, at)));
      }
      const comment = document.getText().indexOf("cart.title", document.getText().search(/<!--|\/\/|\{#/));
      assert.equal(await hoverAt(document, comment + 2), "");
    });
  }

  it("lists all keys of a conditional expression", async () => {
    const document = await workspace.openTextDocument(place("resources/js/Cart.svelte"));
    const at = document.getText().indexOf("row.label)");
    const text = await waitFor("the hover", () => hoverAt(document, at + 2));
    assert.match(text, /May refer to 2 keys/);
    assert.match(text, /title/);
  });

  it("shows inlay hints", async () => {
    const document = await workspace.openTextDocument(place("resources/views/cart.html.twig"));
    const hints = await commands.executeCommand<InlayHint[]>(
      "vscode.executeInlayHintProvider",
      document.uri,
      new Range(0, 0, document.lineCount, 0),
    );
    assert.equal(hints.length, 2);
    await window.showTextDocument(await workspace.openTextDocument(place("resources/js/Cart.svelte")));
    const shown = (): Promise<number> =>
      onPage((page) => page.locator(".view-lines [class*=dyn-rule]").count());
    await waitFor("the hints on the page", shown);
    await screenshot("svelte");
  });

  it("indexes their usages", async () => {
    const find = async (): Promise<readonly string[]> => {
      const { uses } = await commands.executeCommand<{ uses: readonly { path: string; line: number }[] }>(
        "projectTranslations.findUses",
        { namespace: "cart", key: "title", confirm: false },
      );
      const inFiles = uses.filter(({ path }) => path in FILES);
      return inFiles.map(({ path, line }) => `${path}:${line + 1}`).sort();
    };
    const places = await waitFor("every use", async () => {
      const found = await find();
      return found.length >= 6 ? found : undefined;
    });
    assert.deepEqual(places, [
      "resources/js/Cart.astro:4",
      "resources/js/Cart.svelte:8",
      "resources/js/Cart.svelte:8",
      "resources/js/Cart.svelte:9",
      "resources/views/cart.html.twig:2",
      "resources/views/cart.html.twig:2",
    ]);
  });
});
