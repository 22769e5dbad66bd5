/** Push by a user and by tasks: comparison, preview, requests and result messages. */
import assert from "node:assert/strict";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands, languages, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pressInInput, pressInNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { BRIDGE_VARIABLE, type RunningService } from "../harness/bridge-protocol.ts";
import { journey } from "../harness/journey.ts";

type Item = { file?: string; key: string; messages: string[] };

type Result = Record<string, unknown> & {
  outcome: string;
  error?: { code: string; message: string; reason?: string; items?: Item[] };
  items?: Item[];
  plan?: { new: number; changed: number; restored: number; unchanged: number; archive: number };
  result?: Record<string, unknown> & { rejected: { hash: string; reason: string }[] };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const root = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return folder.uri;
};

const at = (path: string): string => Uri.joinPath(root(), path).fsPath;

const keysOf = async (namespace: string): Promise<{ hash: string; key: string; source: object }[]> =>
  (await run("listKeys", { namespace }))["keys"] as { hash: string; key: string; source: object }[];

/** The source texts of a namespace as the service has them, by key; asked without the product. */
async function sourcesAt(
  { baseUrl, token }: RunningService,
  namespace: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${baseUrl}/keys?namespace=${namespace}&limit=200`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 200);
  const { data } = (await response.json()) as { data: { key: string; source: object }[] };
  return Object.fromEntries(data.map(({ key, source }) => [key, source]));
}

/** VS Code's built-in extensions, which share the process, ask here which experiments are on. */
const VSCODE_EXPERIMENTS = "https://default.exp-tas.com";

describe("push", () => {
  let service: RunningService;
  /** Of every request that this process made. */
  const origins = new Set<string>();
  const note = (message: unknown): void => {
    origins.add(String((message as { request: { origin: unknown } }).request.origin));
  };

  before(async () => {
    subscribe("undici:request:create", note);
    service = await startService({ demo: true });
    const { baseUrl, token } = service;
    const result = await run("signIn", { baseUrl, token });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  journey("returns the plan in a dry run without changes", async () => {
    const first = await run("push", { dryRun: true });
    assert.equal(first.outcome, "done", JSON.stringify(first));
    assert.ok((first.plan?.changed ?? 0) > 0 && (first.plan?.new ?? 0) > 0, JSON.stringify(first));
    assert.equal(first.result, undefined);
    assert.deepEqual((await run("push", { dryRun: true })).plan, first.plan);
  });

  journey("counts keys missing from local files only on request", async () => {
    assert.equal((await run("push", { dryRun: true })).plan?.archive, 0);
    const { plan } = await run("push", { dryRun: true, archiveMissing: true });
    assert.ok((plan?.archive ?? 0) > 0, JSON.stringify(plan));
  });

  journey("compares only the keys of the requested files", async () => {
    const whole = (await run("push", { dryRun: true })).plan;
    const { plan } = await run("push", { dryRun: true, files: ["lang/en/mail.php"] });
    const total = (counts: typeof plan): number =>
      (counts?.new ?? 0) + (counts?.changed ?? 0) + (counts?.unchanged ?? 0);
    assert.ok(total(plan) > 0 && total(plan) < total(whole), JSON.stringify([plan, whole]));
  });

  journey("previews each change with its diff and sends the selected ones", async () => {
    await run("setLocal", { namespace: "cart", key: "title", value: "Your basket" });
    const { plan } = await run("push", { dryRun: true });
    const pushing = run("push", { confirm: true });
    const rows = await waitFor("the preview is there", async () => {
      const texts = await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row:visible").allInnerTexts(),
      );
      return texts.length > 0 ? texts : undefined;
    });
    assert.ok(rows.length > 0);
    const title = await onPage((page) => page.locator(".quick-input-title:visible").innerText());
    assert.ok(title.includes(`${plan?.changed} changed`), title);
    await screenshot("preview");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "→" }).first();
      await row.hover();
      await row.getByRole("button", { name: "Show Difference" }).click();
      await page.locator(".monaco-diff-editor .view-lines .view-line").first().waitFor();
    });
    await screenshot("difference");
    const shown = await onPage((page) => page.locator(".quick-input-widget").isVisible());
    assert.ok(shown, "the preview stays open");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "payment.choose" });
      await row.locator("input[type=checkbox], .monaco-checkbox").first().click();
    });
    await onPage(async (page) =>
      page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click(),
    );
    const result = await pushing;
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal(result.result?.["updated"], (plan?.changed ?? 0) - 1);
    assert.equal(result.result?.["created"], plan?.new);
    const after = await run("push", { dryRun: true });
    assert.deepEqual([after.plan?.new, after.plan?.changed], [0, 1]);
    const [cart, checkout, mail] = await Promise.all(
      ["cart", "checkout", "mail"].map((namespace) => sourcesAt(service, namespace)),
    );
    assert.deepEqual(cart?.["title"], { value: "Your basket" });
    // Archived on the service: unchecked in the preview.
    assert.equal(cart?.["continue"], undefined);
    assert.deepEqual(checkout?.["payment.choose"], { value: "How do you want to pay?" });
    assert.deepEqual(mail?.["back_in_stock.subject"], { value: ":product is back!" });
    assert.deepEqual(mail?.["back_in_stock.action"], { value: "Have a look" });
  });

  it("sends only the requested hashes, each once", async () => {
    await run("setLocal", { namespace: "auth", key: "failed", value: "Wrong name or password." });
    await run("setLocal", { namespace: "auth", key: "brand_new", value: "Brand new" });
    const failed = (await keysOf("auth")).find((key) => key.key === "failed");
    const result = await run("push", { only: [failed?.hash] });
    assert.deepEqual(
      [result.plan, result.result?.["updated"]],
      [{ new: 0, changed: 1, restored: 0, unchanged: 0, archive: 0 }, 1],
    );
    const arrived = await sourcesAt(service, "auth");
    assert.deepEqual(arrived["failed"], { value: "Wrong name or password." });
    assert.equal(arrived["brand_new"], undefined);
    const all = await run("push");
    assert.equal(all.result?.["created"], 1, JSON.stringify(all));
    const again = await run("push");
    assert.equal(again.outcome, "unchanged");
    assert.deepEqual([again.plan?.new, again.plan?.changed], [0, 0]);
    assert.deepEqual((await sourcesAt(service, "auth"))["brand_new"], { value: "Brand new" });
  });

  it("includes files that were just changed, created or removed by another program", async () => {
    const before = readFileSync(at("lang/en/auth.php"), "utf8");
    const changed = before.replace("Brand new", "Brand old");
    assert.notEqual(changed, before);
    writeFileSync(at("lang/en/auth.php"), changed);
    writeFileSync(at("lang/en/made.php"), "<?php\n\nreturn [\n    'one' => 'One',\n];\n");
    const { plan } = await run("push", { dryRun: true });
    assert.deepEqual([plan?.changed, plan?.new], [1, 1]);

    rmSync(at("lang/en/made.php"));
    writeFileSync(at("lang/en/auth.php"), before);
    assert.equal((await run("push", { dryRun: true })).outcome, "unchanged");

    writeFileSync(at("lang/en/auth.php"), changed);
    const { file, created } = await run("setLocal", {
      namespace: "auth",
      key: "brand_new",
      value: "Brand old",
    });
    assert.deepEqual([file, created], ["lang/en/auth.php", false]);
    assert.equal(readFileSync(at("lang/en/auth.php"), "utf8"), changed);
    writeFileSync(at("lang/en/auth.php"), before);
  });

  it("reads the current project file", async () => {
    const file = Uri.joinPath(root(), "project-translations.json").fsPath;
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("lang/{locale}/{namespace}.php", "nowhere/{locale}/{namespace}.php"));
    const moved = await run("push", { dryRun: true });
    writeFileSync(file, before);
    const back = await run("push", { dryRun: true });
    assert.ok((moved.plan?.unchanged ?? 0) < (back.plan?.unchanged ?? 0), JSON.stringify([moved, back]));
  });

  it("archives nothing if a source file cannot be read", async () => {
    await run("push");
    const file = Uri.joinPath(root(), "lang/en/auth.php");
    const before = await workspace.fs.readFile(file);
    const text = Buffer.from(before).toString("utf8");
    await workspace.fs.writeFile(file, Buffer.from(text.slice(0, text.lastIndexOf("]"))));
    try {
      const result = await run("push", { archiveMissing: true });
      assert.deepEqual([result.outcome, result.error?.reason], ["failed", "unread_source"]);
      assert.equal((await keysOf("auth")).length > 0, true);
      const plain = await run("push");
      assert.deepEqual([plain.outcome, plain.error?.reason], ["failed", "unread_source"]);
      assert.deepEqual(
        plain.error?.items?.map((item) => [item.file, item.key]),
        [["lang/en/auth.php", "*"]],
      );
    } finally {
      await workspace.fs.writeFile(file, before);
    }
  });

  it("names a file with an error among what was pushed", async () => {
    const file = at("lang/en/auth.php");
    const [before, cart] = [readFileSync(file, "utf8"), readFileSync(at("lang/en/cart.php"), "utf8")];
    writeFileSync(file, before.slice(0, before.lastIndexOf("]")));
    try {
      await run("setLocal", { namespace: "cart", key: "title", value: "Your trolley" });
      const result = await run("push");
      assert.deepEqual([result.outcome, result.result?.["updated"]], ["done", 1], JSON.stringify(result));
      assert.deepEqual(
        result.items?.map((item) => [item.file, item.key]),
        [["lang/en/auth.php", "*"]],
      );
      assert.match(result.items?.[0]?.messages[0] ?? "", /lang\/en\/auth\.php:\d+:\d+/);
      // Keys of other files are compared as ever.
      const other = await run("push", { files: ["lang/en/cart.php"] });
      assert.deepEqual([other.outcome, other.items], ["unchanged", undefined], JSON.stringify(other));
    } finally {
      writeFileSync(file, before);
      writeFileSync(at("lang/en/cart.php"), cart);
      await run("push");
    }
  });

  for (const [kind, target] of [
    ["out of the project", () => join(tmpdir(), "outside-of-the-project.php")],
    ["to nothing", () => "../nothing.php"],
  ] as const) {
    it(`archives no key of a source file that is a link ${kind}`, async () => {
      const file = at("lang/en/mail.php");
      const before = readFileSync(file);
      const outside = join(tmpdir(), "outside-of-the-project.php");
      writeFileSync(outside, before);
      rmSync(file);
      symlinkSync(target(), file);
      try {
        const result = await run("push", { archiveMissing: true });
        assert.deepEqual([result.outcome, result.error?.reason], ["failed", "unread_source"]);
        assert.deepEqual(
          result.error?.items?.map((item) => item.file),
          ["lang/en/mail.php"],
        );
        assert.ok((await keysOf("mail")).length > 0);
        await commands.executeCommand("projectTranslations.activity.focus");
        await onPage((page) =>
          page.getByRole("treeitem").filter({ hasText: "Not read completely: 1 file" }).waitFor(),
        );
      } finally {
        rmSync(file);
        rmSync(outside);
        writeFileSync(file, before);
      }
      assert.equal((await run("push", { dryRun: true })).items, undefined);
    });
  }

  it("offers to look for keys to archive if there is nothing to push", async () => {
    const missing = (await run("push", { dryRun: true, archiveMissing: true })).plan?.archive ?? 0;
    assert.ok(missing > 0);
    assert.equal((await run("push", { confirm: true })).outcome, "unchanged");
    await pressInNotification("Find Keys to Archive", "Find Keys to Archive");
    await onPage((page) => page.locator(".quick-input-title:visible", { hasText: /archive/i }).waitFor());
    await pressInInput("Escape");
  });

  it("archives keys missing from local files, and restores those that a push asks for", async () => {
    const { plan, result } = await run("push", { archiveMissing: true });
    assert.ok((plan?.archive ?? 0) > 0);
    assert.equal(result?.["archived"], plan?.archive);
    const brandNew = (await keysOf("auth")).find((key) => key.key === "brand_new");
    assert.equal((await run("archive", { hashes: [brandNew?.hash] })).outcome, "done");
    // It was archived on purpose, so that a push only restores it if it is asked for.
    const left = await run("push");
    assert.deepEqual([left.outcome, left.plan?.restored], ["unchanged", 2], JSON.stringify(left));
    assert.equal(
      (await keysOf("auth")).find((key) => key.key === "brand_new"),
      undefined,
    );
    const back = await run("push", { only: [brandNew?.hash] });
    assert.equal(back.plan?.restored, 1, JSON.stringify(back));
    assert.equal(back.result?.["restored"], 1);
    assert.deepEqual((await sourcesAt(service, "auth"))["brand_new"], { value: "Brand new" });
  });

  it("pushes unsaved text of an editor if no prompt is allowed", async () => {
    const uri = Uri.joinPath(root(), "lang/en/auth.php");
    const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
    const start = editor.document.getText().indexOf("Brand new");
    await editor.edit((edit) => edit.insert(editor.document.positionAt(start), "Very "));
    assert.ok(editor.document.isDirty);
    const result = await run("push");
    assert.equal(result.result?.["updated"], 1, JSON.stringify(result));
    assert.deepEqual((await sourcesAt(service, "auth"))["brand_new"], { value: "Very Brand new" });
    await editor.document.save();
  });

  it("sends a text with a bar as text or plural forms, as the service has its key", async () => {
    await run("setLocal", { namespace: "cart", key: "title", value: "Your cart|Your carts" });
    await run("setLocal", { namespace: "cart", key: "items", value: "One item|:count items" });
    const { result } = await run("push");
    assert.deepEqual([result?.["updated"], result?.rejected], [2, []]);
    const sources = await sourcesAt(service, "cart");
    assert.deepEqual(sources["title"], { value: "Your cart|Your carts" });
    assert.deepEqual(sources["items"], { forms: { one: "One item", other: ":count items" } });
  });

  it("refuses a mapping that would duplicate all keys, and offers the matching one", async () => {
    const file = Uri.joinPath(root(), "project-translations.json");
    const before = new TextDecoder().decode(await workspace.fs.readFile(file));
    const wrong = before.replace(
      '"format": "laravel_php" }',
      '"format": "laravel_php", "namespace": "*", "keyPrefix": "{namespace}." }',
    );
    assert.notEqual(wrong, before);
    await workspace.fs.writeFile(file, new TextEncoder().encode(wrong));
    const refused = await waitFor("the new mapping holds", async () => {
      const result = await run("push");
      return result.outcome === "failed" ? result : undefined;
    });
    assert.deepEqual([refused.error?.code, refused.error?.reason], ["invalid", "mapping"]);
    const pushing = run("push", { confirm: true });
    await waitFor("the question is there", () =>
      onPage((page) =>
        page
          .locator(".quick-input-list .monaco-list-row", { hasText: "The path names the namespace" })
          .isVisible(),
      ),
    );
    await screenshot("mapping");
    // It is the first; a pointer that happens to rest there shows a word over it.
    await pressInInput("Enter");
    const result = await pushing;
    assert.equal(result.outcome, "unchanged", JSON.stringify(result));
    const after = new TextDecoder().decode(await workspace.fs.readFile(file));
    assert.doesNotMatch(after, /keyPrefix/);
    await workspace.fs.writeFile(file, new TextEncoder().encode(before));
  });

  it("sends requests only to the service", () => {
    // The tests themselves ask the program that runs them.
    const bridge = new URL(process.env[BRIDGE_VARIABLE] ?? "").origin;
    origins.delete(VSCODE_EXPERIMENTS);
    assert.deepEqual([...origins].sort(), [bridge, new URL(service.baseUrl).origin].sort());
  });

  it("leaves what somebody changed at the service, names it, and sends it if it is asked for", async () => {
    const other = await startService({ demo: true });
    const { baseUrl, token } = other;
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    await run("push");
    const changeAtService = async (key: string, value: string): Promise<void> => {
      const response = await fetch(`${baseUrl}/keys/sync`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ keys: [{ namespace: "auth", key, value }], archive: [] }),
      });
      assert.equal(response.status, 200);
    };
    const before = readFileSync(at("lang/en/auth.php"), "utf8");
    const [failed] = (await keysOf("auth")).filter(({ key }) => key === "failed");
    const named = ({ items }: Result): unknown => items?.map(({ key, messages }) => [key, messages]);
    try {
      await changeAtService("failed", "Theirs");
      const left = await run("push");
      assert.deepEqual([left.outcome, left.plan?.changed], ["unchanged", 0], JSON.stringify(left));
      assert.deepEqual(named(left), [["failed", ["auth.failed was changed only on the service."]]]);

      await run("setLocal", { namespace: "auth", key: "brand_new", value: "Newer" });
      const uri = Uri.file(at("lang/en/auth.php"));
      await window.showTextDocument(uri);
      await waitFor("only the text that is not pushed is reported", () => {
        const unpushed = languages.getDiagnostics(uri).filter(({ code }) => code === "unpushed");
        const isReported = (name: string): boolean => unpushed.some(({ message }) => message.includes(name));
        return isReported("brand_new") && !isReported("failed");
      });
      await run("setLocal", { namespace: "auth", key: "failed", value: "Mine" });
      assert.deepEqual((await run("push", { dryRun: true })).plan?.changed, 1);
      const pushing = run("push", { confirm: true });
      await onPage((page) =>
        page
          .locator(".quick-input-list .monaco-list-row", { hasText: "Theirs → Mine" })
          .locator("input[type=checkbox]:not(:checked), .monaco-checkbox[aria-checked=false]")
          .first()
          .waitFor(),
      );
      await screenshot("conflict");
      await pressInInput("Escape");
      assert.equal((await pushing).outcome, "cancelled");
      const others = await run("push");
      assert.deepEqual([others.outcome, others.result?.["updated"]], ["done", 1], JSON.stringify(others));
      assert.deepEqual(named(others), [["failed", ["auth.failed was changed here and on the service."]]]);
      assert.equal((await run("push")).outcome, "conflict");
      assert.deepEqual((await sourcesAt(other, "auth"))["failed"], { value: "Theirs" });

      const mine = await run("push", { only: [failed?.hash] });
      assert.deepEqual([mine.plan?.changed, mine.result?.["updated"]], [1, 1], JSON.stringify(mine));
      assert.deepEqual((await sourcesAt(other, "auth"))["failed"], { value: "Mine" });
    } finally {
      writeFileSync(at("lang/en/auth.php"), before);
      await run("push");
    }
  });

  it("reports a read-only token", async () => {
    const { baseUrl, readToken } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token: readToken })).outcome, "done");
    const result = await run("push");
    assert.equal(result.error?.code, "forbidden");
    assert.match(result.error?.message ?? "", /read-only/);
  });
});
