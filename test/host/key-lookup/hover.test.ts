/** Hovers over keys in code; texts of the service are escaped. */
import assert from "node:assert/strict";
import { commands, Range, Selection, Uri, window, workspace, WorkspaceEdit } from "vscode";
import {
  hoverText,
  markdownAt,
  middleOfText,
  openFile,
  decodeEntities,
  runCommand,
} from "../harness/documents.ts";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

describe("hover", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await runCommand("signIn", { baseUrl, token });
    assert.equal(result["outcome"], "done", JSON.stringify(result));
    await runCommand("refresh");
  });

  for (const [language, path, words] of [
    ["Blade", "resources/views/cart.blade.php", "__('cart.title')"],
    ["PHP", "app/Http/Controllers/CartController.php", "cart.voucher.invalid"],
    ["Vue", "resources/js/components/OrderStatus.vue", "mail.order_confirmed.subject"],
    ["TypeScript", "resources/js/app.ts", "Added to your cart"],
  ] as const) {
    journey(`shows the source and every preview language in ${language}`, async () => {
      const text = await hoverText(path, words);
      for (const locale of ["en", "nl", "fr"]) assert.match(text, new RegExp(`^\`${locale}\` `, "m"));
    });
  }

  journey("shows each plural form with the categories of its language", async () => {
    const text = await hoverText("resources/views/cart.blade.php", "cart.items");
    assert.match(text, /`nl` _one_ :count artikel · _other_ :count artikelen/);
  });

  journey("shows nothing for a key in a comment", async () => {
    assert.equal(
      await hoverText("resources/views/cart.blade.php", "{{ __('cart.voucher.apply') }}: this"),
      "",
    );
  });

  journey("marks untranslated, outdated and faulty texts, and shows tags and maximum length", async () => {
    const { keys } = await runCommand("listKeys");
    const { issues } = await runCommand("listIssues", { locale: "fr" });
    const [issue] = issues as { namespace: string; key: string; placeholder: string }[];
    assert.ok(issue);
    const name = issue.namespace === "*" ? issue.key : `${issue.namespace}.${issue.key}`;
    const text = await hoverOverNew(`<?php echo __('${name}');`, name);
    assert.ok(text.includes(issue.placeholder), text);
    assert.match(text, /\$\((?:error|warning)\)/);
    const title = (keys as { namespace: string; key: string; maxLength: number | null }[]).find(
      (key) => key.namespace === "cart" && key.key === "title",
    );
    const card = await hoverText("resources/views/cart.blade.php", "__('cart.title')");
    assert.match(card, /\$\(tag\) cart/);
    assert.ok(card.includes(`at most ${title?.maxLength} characters`), card);
  });

  it("shows other languages if they have QA issues", async () => {
    const { issues } = await runCommand("listIssues", { locale: "de" });
    const [issue] = issues as { namespace: string; key: string }[];
    assert.ok(issue);
    const name = issue.namespace === "*" ? issue.key : `${issue.namespace}.${issue.key}`;
    assert.match(await hoverOverNew(`<?php echo __('${name}');`, name), /^`de` /m);
    assert.doesNotMatch(await hoverText("resources/views/cart.blade.php", "__('cart.title')"), /^`de` /m);
  });

  it("shows the local text if it differs from the service", async () => {
    await runCommand("setLocal", { namespace: "cart", key: "empty", value: "Nothing in your cart yet." });
    await waitFor("the hover shows it", async () =>
      (await hoverText("resources/views/cart.blade.php", "__('cart.empty')")).includes(
        "Nothing in your cart yet.",
      ),
    );
  });

  it("lists the keys that a pattern matches", async () => {
    const text = await hoverOverNew("<?php echo __('cart.voucher.' . $what);", "cart.voucher.");
    assert.match(text, /May refer to 4 keys/);
    assert.match(text, /voucher\.apply/);
  });

  it("shows that the service does not know a key", async () => {
    const text = await hoverOverNew("<?php echo __('cart.nowhere');", "cart.nowhere");
    assert.match(text, /The service does not know this key/);
  });

  it("shows texts of the service as plain text", async () => {
    const hostile =
      "[click](command:workbench.action.quit) <img src=x onerror=alert(1)> $(error) ![x](https://evil.example/x.png) \u202Edne https://evil.example";
    const written = await runCommand("setTranslation", {
      locale: "nl",
      namespace: "cart",
      key: "subtotal",
      value: hostile,
    });
    assert.equal(written["outcome"], "done", JSON.stringify(written));
    const document = await openFile("resources/views/cart.blade.php");
    const markdown = await markdownAt(document, middleOfText(document, "cart.subtotal"));
    assert.match(decodeEntities(markdown), /\[U\+202E\]dne/);
    const line = markdown.split("\n").find((each) => each.startsWith("`nl`")) ?? "";
    const text = line.slice(0, line.indexOf("[$(edit)]"));
    assert.doesNotMatch(
      text,
      /[<>[\]()$!]|https:/,
      "marks of Markdown, HTML, icons and addresses are all escaped",
    );
    await showHover("resources/views/cart.blade.php", "cart.subtotal", "Subtotal");
    const links = await onPage((page) =>
      page
        .locator(".monaco-hover a")
        .evaluateAll((all) => all.map((each) => each.getAttribute("data-href") ?? "")),
    );
    assert.ok(links.length > 0);
    assert.ok(
      links.every((link) => link.startsWith("command:projectTranslations.")),
      JSON.stringify(links),
    );
    const images = await onPage((page) => page.locator(".monaco-hover img").count());
    assert.equal(images, 0);
    await screenshot("hostile");
  });

  it("renders in dark, light and high-contrast themes", async () => {
    await showHover("resources/views/cart.blade.php", "cart.items", ":count item");
    await screenshot("dark");
    await workspace.getConfiguration("workbench").update("colorTheme", "Default Light Modern", true);
    await showHover("resources/views/cart.blade.php", "cart.free_delivery", "free delivery");
    await screenshot("light");
    await workspace.getConfiguration("workbench").update("colorTheme", "Default High Contrast", true);
    await onPage((page) => page.locator(".monaco-workbench.hc-black").waitFor());
    await showHover("resources/views/cart.blade.php", "cart.remove", "Remove");
    // The problem of the same key may be shown first: its text has the key's name, too.
    await onPage((page) => page.locator(".monaco-hover:visible", { hasText: "nl" }).first().waitFor());
    await screenshot("contrast");
  });

  it("can be disabled", async () => {
    const settings = workspace.getConfiguration("projectTranslations");
    await settings.update("hover.enabled", false, true);
    assert.equal(await hoverText("resources/views/cart.blade.php", "__('cart.title')"), "");
    await settings.update("hover.enabled", undefined, true);
  });
});

/** What is hovered in a new PHP file of the app. */
async function hoverOverNew(code: string, words: string): Promise<string> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = Uri.joinPath(folder.uri, `app/Hovered${Math.random().toString(36).slice(2)}.php`);
  const edit = new WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(code) });
  await workspace.applyEdit(edit);
  const document = await workspace.openTextDocument(uri);
  return decodeEntities(await markdownAt(document, middleOfText(document, words)));
}

/** Shows the hover in the window as a person with a keyboard does. */
async function showHover(path: string, words: string, shown: string): Promise<void> {
  await onPage((page) => page.keyboard.press("Escape"));
  await onPage((page) => page.locator(".monaco-hover:visible").first().waitFor({ state: "hidden" }));
  const document = await openFile(path);
  const position = middleOfText(document, words);
  const editor = await window.showTextDocument(document);
  editor.selection = new Selection(position, position);
  editor.revealRange(new Range(position, position));
  await commands.executeCommand("editor.action.showHover");
  await onPage(
    (page, text) => page.locator(".monaco-hover:visible", { hasText: text }).first().waitFor(),
    shown,
  );
}
