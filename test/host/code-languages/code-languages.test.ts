/**
 * Keys in Svelte, Astro and Twig without an extension for these languages: detected by file name and project
 * manifest. Messages that a Vue component defines itself.
 */
import assert from "node:assert/strict";
import {
  commands,
  type CompletionItemLabel,
  type CompletionList,
  type Hover,
  type InlayHint,
  languages,
  type LocationLink,
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

const GREETING = `<script setup lang="ts">
const { t } = useI18n();
</script>

<template>
  <h1>{{ t("own.title") }}</h1>
  <p :title="t('fromFile')">{{ t("own.") }}</p>
  <i>{{ t("cart.title") }}</i>
</template>

<i18n lang="yaml">
en:
  own:
    title: Good *morning*
nl:
  own:
    title: Goedemorgen
</i18n>
<i18n src="./greeting.de.json" locale="de" />
`;

describe("messages of a Vue component", () => {
  let document: TextDocument;

  before(async () => {
    await write("resources/js/greeting.de.json", `{ "fromFile": "Aus der Datei" }\n`);
    await write("resources/js/Greeting.vue", GREETING);
    document = await workspace.openTextDocument(place("resources/js/Greeting.vue"));
    await window.showTextDocument(document);
  });

  const offsetOf = (words: string): number => document.getText().indexOf(words) + 1;

  async function targets(provider: "Definition" | "Implementation", words: string): Promise<string[]> {
    const links = await commands.executeCommand<LocationLink[]>(
      `vscode.execute${provider}Provider`,
      document.uri,
      document.positionAt(offsetOf(words)),
    );
    const found: string[] = [];
    for (const { targetUri, targetSelectionRange } of links) {
      const target = await workspace.openTextDocument(targetUri);
      const line = target.lineAt(targetSelectionRange?.start.line ?? 0).text.trim();
      found.push(`${workspace.asRelativePath(targetUri)}: ${line}`);
    }
    return found;
  }

  it("shows the texts in all languages, also of a file that the block names", async () => {
    const hover = await waitFor("the hover", () => hoverAt(document, offsetOf("own.title")));
    assert.match(hover, /`en` Good &#42;morning&#42;[^]*`nl` Goedemorgen[^]*Defined in this component/);
    assert.match(await hoverAt(document, offsetOf("fromFile")), /`de` Aus der Datei/);
    assert.match(await hoverAt(document, offsetOf("cart.title")), /All languages/);
  });

  it("goes to the message", async () => {
    const [en, nl] = ["title: Good *morning*", "title: Goedemorgen"].map(
      (line) => `resources/js/Greeting.vue: ${line}`,
    );
    assert.deepEqual(await targets("Definition", "own.title"), [en]);
    assert.deepEqual(await targets("Implementation", "own.title"), [en, nl]);
    assert.deepEqual(await targets("Definition", "fromFile"), [
      `resources/js/greeting.de.json: { "fromFile": "Aus der Datei" }`,
    ]);
  });

  it("completes them beside the keys of the project", async () => {
    const { items } = await commands.executeCommand<CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      document.positionAt(document.getText().indexOf('own.")') + 4),
    );
    const labels = items.map(({ label }) => (label as CompletionItemLabel).label ?? label);
    assert.ok(labels.includes("own.title") && labels.includes("fromFile"), labels.join("\n"));
  });

  it("reports none of them as unknown", async () => {
    const path = "resources/js/Farewell.vue";
    const text = `<template>{{ $t("own") }}{{ $t("none.such") }}</template><i18n>{ "en": { "own": "O" } }</i18n>`;
    await write(path, text);
    const other = await workspace.openTextDocument(place(path));
    await window.showTextDocument(other);
    const found = await waitFor("the problems", () => {
      const unknown = languages.getDiagnostics(other.uri).filter(({ code }) => code === "unknown-key");
      return unknown.length > 0 && unknown.map(({ range }) => other.getText(range));
    });
    assert.deepEqual(found, ["none.such"]);
  });
});
