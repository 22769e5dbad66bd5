/** Import by a user and by tasks: requests, prompts, refusals and failures. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { chooseMenuItem, pressInInput, waitForNotification } from "../harness/prompts.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

interface Result {
  readonly outcome: string;
  readonly job?: { readonly id: number; readonly status: string };
  readonly jobs?: readonly object[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly reason?: string;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  };
}

let service: RunningService;

const run = async (options: object): Promise<Result> =>
  await commands.executeCommand<Result>("projectTranslations.import", { confirm: false, ...options });

function place(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

async function lay(path: string, text: string | Uint8Array): Promise<Uri> {
  const uri = place(path);
  await workspace.fs.writeFile(uri, typeof text === "string" ? new TextEncoder().encode(text) : text);
  return uri;
}

const php = (key: string, value: string): string => `<?php\n\nreturn [\n    '${key}' => '${value}',\n];\n`;

/** What the service itself says of a translation. */
async function translated(locale: string, namespace: string, key: string): Promise<unknown> {
  const response = await fetch(
    `${service.baseUrl}/translations/${locale}?namespace=${encodeURIComponent(namespace)}`,
    { headers: { authorization: `Bearer ${service.token}` } },
  );
  const { data } = (await response.json()) as {
    data: readonly { readonly key: string; readonly value?: string | null }[];
  };
  return data.find((row) => row.key === key)?.value;
}

/** The question on the screen: title, list, and what stands in the empty input; empty while nothing is asked. */
const asked = (): Promise<string> =>
  onPage(async (page) => {
    const question = page.locator(".quick-input-widget:visible");
    if ((await question.count()) === 0) return "";
    const placeholder = await question.locator("input.input").first().getAttribute("placeholder");
    return `${await question.innerText()}\n${placeholder ?? ""}`;
  });

const answer = (label: string): Promise<void> =>
  onPage(
    (page, name) =>
      page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click(),
    label,
  );

describe("import command", () => {
  before(async () => {
    service = await startService({ demo: true });
    const { baseUrl, token } = service;
    const result = await commands.executeCommand<Result>("projectTranslations.signIn", {
      baseUrl,
      token,
      confirm: false,
    });
    assert.equal(result.outcome, "done");
  });

  journey("sends a file with its path, which determines language and namespace", async () => {
    assert.equal(await translated("pl", "auth", "throttle"), null);
    await lay("lang/pl/auth.php", php("throttle", "Za dużo prób. Spróbuj za :seconds s."));
    const result = await run({ files: ["lang/pl/auth.php"] });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal(result.job?.status, "succeeded");
    assert.equal(await translated("pl", "auth", "throttle"), "Za dużo prób. Spróbuj za :seconds s.");
  });

  it("keeps existing translations unless `overwrite` is set", async () => {
    const files = [await lay("lang/de/cart.php", php("title", "Ihr Korb"))];
    const before = await translated("de", "cart", "title");
    assert.ok(typeof before === "string" && before !== "Ihr Korb");
    assert.equal((await run({ files })).outcome, "done");
    assert.equal(await translated("de", "cart", "title"), before);
    assert.equal((await run({ files, overwrite: true })).outcome, "done");
    assert.equal(await translated("de", "cart", "title"), "Ihr Korb");
  });

  it("imports only the translation files of a folder", async () => {
    await lay("delivery/README.md", "# From the translators");
    await lay("delivery/pl/cart.php", php("free_delivery", "Jeszcze :amount"));
    await lay("delivery/notes/pl/node_modules/x.php", php("a", "b"));
    const result = await run({ files: [place("delivery")] });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal(await translated("pl", "cart", "free_delivery"), "Jeszcze :amount");
  });

  it("includes a file that is given beside its folder, and no large file of another kind", async () => {
    await lay("mixed/pl/code.js", "function code() {}");
    await lay("mixed/pl/large.php", new Uint8Array(51 * 1024 * 1024).fill(32));
    await lay("mixed/pl/cart.php", php("free_delivery", "Jeszcze :amount"));
    const folder = await run({ files: [place("mixed")] });
    assert.equal(folder.outcome, "done", JSON.stringify(folder));
    const both = await run({ files: [place("mixed/pl/code.js"), place("mixed")] });
    assert.match(both.error?.message ?? "", /code\.js/u, JSON.stringify(both));
    await workspace.fs.delete(place("mixed"), { recursive: true });
  });

  it("requires the language if no path determines it", async () => {
    const files = [await lay("delivery/words.php", php("title", "Koszyk"))];
    const missing = await run({ files });
    assert.equal(missing.outcome, "failed");
    assert.equal(missing.error?.code, "invalid");
    assert.match(missing.error?.message ?? "", /words\.php/u);
    const result = await run({ files, locale: "pl", namespace: "words" });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  it("lists the refused files and stores nothing", async () => {
    await lay("lang/pl/cart.php", php("free_delivery", "Nie"));
    await lay("lang/pl/broken.php", "<?php return [ 'a' => ");
    const result = await run({ files: ["lang/pl/cart.php", "lang/pl/broken.php"], overwrite: true });
    assert.equal(result.error?.code, "invalid", JSON.stringify(result));
    assert.match(result.error?.message ?? "", /lang\/pl\/broken\.php/u);
    assert.doesNotMatch(result.error?.message ?? "", /cart\.php/u);
    assert.deepEqual(Object.keys(result.error?.errors ?? {}), ["lang/pl/broken.php"]);
    assert.equal(await translated("pl", "cart", "free_delivery"), "Jeszcze :amount");
  });

  it("fails with the job's error code and advice", async () => {
    await lay("delivery/list.csv", "clef,francais\ncart.title,Panier\n");
    const result = await run({ files: ["delivery/list.csv"] });
    assert.equal(result.error?.code, "job_failed", JSON.stringify(result));
    assert.equal(result.error?.reason, "needs_mapping");
    assert.match(result.error?.message ?? "", /column mapping/u);
  });

  it("refuses more than 50 MB", async () => {
    await lay("lang/pl/large.json", new Uint8Array(51 * 1024 * 1024).fill(32));
    const result = await run({ files: ["lang/pl/large.json"] });
    await workspace.fs.delete(place("lang/pl/large.json"));
    assert.equal(result.error?.code, "invalid");
    assert.equal(result.error?.reason, "too_large");
    assert.match(result.error?.message ?? "", /50 MB/u);
  });

  it("sends each layout of the project file separately, and refuses keys with a prefix", async () => {
    const file = place("project-translations.json");
    const before = await workspace.fs.readFile(file);
    const parsed = JSON.parse(new TextDecoder().decode(before)) as { files: object[] };
    const entries = [
      { path: "apps/shop/{locale}.json", format: "json_js", namespace: "cart" },
      { path: "apps/admin/{locale}.json", format: "json_js", namespace: "auth" },
      { path: "apps/old/{locale}.json", format: "json_js", keyPrefix: "old." },
    ];
    await lay(
      "project-translations.json",
      JSON.stringify({ ...parsed, files: [...parsed.files, ...entries] }),
    );
    try {
      await lay("apps/shop/pl.json", '{"empty": "Koszyk jest pusty!"}');
      await lay("apps/admin/pl.json", '{"failed": "Nie pasuje!"}');
      await lay("apps/old/pl.json", '{"a": "A"}');
      const options = { overwrite: true, createUnknownKeys: false };
      const result = await waitFor("the project file is taken over", async () => {
        const imported = await run({ ...options, files: ["apps/shop/pl.json", "apps/admin/pl.json"] });
        return imported.jobs?.length === 2 ? imported : undefined;
      });
      assert.equal(result.outcome, "done", JSON.stringify(result));
      assert.equal(await translated("pl", "cart", "empty"), "Koszyk jest pusty!");
      assert.equal(await translated("pl", "auth", "failed"), "Nie pasuje!");
      const refused = await run({ ...options, files: ["apps/old/pl.json"] });
      assert.equal(refused.error?.reason, "key_prefix", JSON.stringify(refused));
      assert.match(refused.error?.message ?? "", /old\..*apps\/old\/pl\.json/u);

      await lay("apps/shop/pl.json", '{"empty": ');
      const partly = await run({ ...options, files: ["apps/admin/pl.json", "apps/shop/pl.json"] });
      assert.deepEqual([partly.outcome, partly.jobs?.length], ["failed", 1], JSON.stringify(partly));
      assert.match(
        partly.error?.message ?? "",
        /^Imported apps\/admin\/pl\.json .*Not done: 1\..*apps\/shop/u,
      );
      assert.doesNotMatch(partly.error?.message ?? "", /Nothing was imported/u);
    } finally {
      await workspace.fs.writeFile(file, before);
    }
  });

  it("refuses invalid paths, formats and empty requests", async () => {
    assert.equal((await run({ files: [{}] })).error?.code, "invalid");
    assert.equal((await run({ files: ["lang/de/cart.php"], format: "docx" })).error?.code, "invalid");
    assert.equal((await run({})).error?.code, "invalid");
    const gone = await run({ files: ["lang/de/gone.php"] });
    assert.equal(gone.outcome, "failed");
    assert.match(gone.error?.message ?? "", /gone\.php/u);
  });
});

describe("interactive import", () => {
  journey("prompts in the explorer only whether to overwrite, with the safe choice first", async () => {
    await lay("lang/de/cart.php", php("continue", "Weiter einkaufen"));
    await commands.executeCommand("revealInExplorer", place("lang/de/cart.php"));
    await onPage(async (page) => {
      await page.locator(".explorer-folders-view").getByText("cart.php").first().click({ button: "right" });
      await page.locator(".monaco-menu").getByText("Import").first().waitFor();
    });
    await screenshot("explorer-menu");
    await chooseMenuItem("Import Translation Files…");
    const question = await waitFor("it asks", asked);
    assert.match(question, /Webshop/u);
    assert.ok(question.indexOf("Keep Existing") < question.indexOf("Overwrite Existing"), question);
    await screenshot("overwrite");
    await pressInInput("Enter");
    const words = await waitForNotification("Imported");
    assert.match(words, /Webshop/u);
    assert.match(words, /1 unchanged|1 skipped|1 new translation/u);
    await screenshot("imported");
    await commands.executeCommand("notifications.clearAll");
  });

  it("prompts for a language that the path does not determine, offering the project's languages", async () => {
    const files = [await lay("delivery/words.php", php("cart", "Koszyk"))];
    const running = commands.executeCommand<Result>("projectTranslations.import", { files });
    const question = await waitFor("it asks", asked);
    assert.match(question, /words\.php/u);
    assert.match(question, /Polski/u);
    await screenshot("language");
    await answer("Polski");
    await waitFor("it asks on", async () => (await asked()).includes("Overwrite"));
    await answer("Overwrite Existing");
    assert.equal((await running).outcome, "done");
    assert.match(await waitForNotification("Imported"), /Webshop/u);
    await commands.executeCommand("notifications.clearAll");
  });

  it("offers project files, other files or a folder in the palette, and does nothing when cancelled", async () => {
    const running = commands.executeCommand<Result>("projectTranslations.import");
    const question = await waitFor("it asks", asked);
    assert.match(question, /Translation Files of This Project/u);
    assert.match(question, /Folder/u);
    await screenshot("where-from");
    await answer("Translation Files of This Project");
    await waitFor("the files are listed", async () => (await asked()).includes("lang/nl/cart.php"));
    await screenshot("files");
    await pressInInput("Escape");
    assert.deepEqual(await running, { outcome: "cancelled" });
  });

  it("does not mix files with and without a language in their path", async () => {
    await lay("delivery/words.php", php("cart", "Koszyk"));
    await lay("delivery/pl/cart.php", php("total", "Suma: :amount"));
    const running = commands.executeCommand<Result>("projectTranslations.import", {
      files: [place("delivery/words.php"), place("delivery/pl")],
      overwrite: true,
    });
    const question = await waitFor("it asks", asked);
    assert.match(question, /words\.php/u);
    await screenshot("apart");
    await answer("Skip These");
    assert.equal((await running).outcome, "done");
    assert.equal(await translated("pl", "cart", "total"), "Suma: :amount");
    await commands.executeCommand("notifications.clearAll");
  });

  it("opens a refused file from the message", async () => {
    const running = commands.executeCommand<Result>("projectTranslations.import", {
      files: [place("lang/pl/broken.php")],
      overwrite: false,
    });
    assert.equal((await running).outcome, "failed");
    assert.match(await waitForNotification("broken.php"), /refused/u);
    await screenshot("refused");
    await onPage((page) => page.getByRole("button", { name: "Open File" }).click());
    await waitFor("the file is open", () =>
      window.activeTextEditor?.document.uri.path.endsWith("/lang/pl/broken.php"),
    );
  });
});
