/** Push near the key limit, and with more keys than a user reads one by one. */
import assert from "node:assert/strict";
import { commands, Uri, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  outcome: string;
  error?: { code: string; message: string; reason?: string };
  plan?: { new: number };
  result?: { created: number };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const languages = [{ locale: "nl", name: "Nederlands" }];

/** The open preview, as soon as it is there. */
const preview = (): Promise<{ placeholder: string; rows: string[] }> =>
  waitFor("the preview is there", async () => {
    const list = await onPage(async (page) => ({
      title: await page.locator(".quick-input-title:visible").innerText({ timeout: 1000 }),
      placeholder: (await page.locator(".quick-input-box input").getAttribute("placeholder")) ?? "",
      rows: await page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
    }));
    return list.title.startsWith("Push to") && list.rows.length > 0 ? list : undefined;
  });

describe("push near the key limit", () => {
  it("pushes nothing beyond the key limit, and warns of it from then on", async () => {
    const service = await startService({
      project: { slug: "small", name: "Small", type: "laravel", sourceLocale: "en", languages, keyLimit: 10 },
    });
    assert.equal((await run("signIn", { baseUrl: service.baseUrl, token: service.token })).outcome, "done");
    const refused = await run("push");
    assert.equal(refused.error?.code, "key_limit_reached", JSON.stringify(refused));
    assert.match(refused.error?.message ?? "", /10/);
    assert.deepEqual((await run("listKeys"))["keys"], []);
    const pushing = run("push", { confirm: true });
    const { placeholder } = await preview();
    assert.match(placeholder, /May exceed the key limit: 54 keys to add, about 10 of 10 free/);
    await screenshot("limit");
    await pressInInput("Escape");
    assert.equal((await pushing).outcome, "cancelled");
  });

  it("previews thousands of new keys by namespace, and sends them all", async () => {
    const service = await startService({
      project: { slug: "large", name: "Large", type: "laravel", sourceLocale: "en", languages },
    });
    assert.equal((await run("signIn", { baseUrl: service.baseUrl, token: service.token })).outcome, "done");
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const lines = Array.from({ length: 6000 }, (_, index) => `    'key_${index}' => 'Text number ${index}',`);
    const code = `<?php\n\nreturn [\n${lines.join("\n")}\n];\n`;
    await workspace.fs.writeFile(
      Uri.joinPath(folder.uri, "lang/en/many.php"),
      new TextEncoder().encode(code),
    );
    const plan = await waitFor("the new file is read", async () => {
      const result = await run("push", { dryRun: true });
      return (result.plan?.new ?? 0) > 6000 ? result.plan : undefined;
    });
    const pushing = run("push", { confirm: true });
    const { rows } = await preview();
    assert.ok(
      rows.some((row) => row.includes("many") && row.includes("6,000 keys")),
      JSON.stringify(rows),
    );
    await screenshot("many");
    await onPage((page) => page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click());
    const result = await pushing;
    assert.equal(result.result?.created, plan?.new, JSON.stringify(result));
    assert.equal((await run("push")).outcome, "unchanged");
  });

  it("reports what was pushed before the key limit was reached", async () => {
    const service = await startService({
      project: {
        slug: "nearly",
        name: "Nearly",
        type: "laravel",
        sourceLocale: "en",
        languages,
        keyLimit: 5500,
      },
    });
    assert.equal((await run("signIn", { baseUrl: service.baseUrl, token: service.token })).outcome, "done");
    const result = await run("push");
    assert.equal(result.error?.code, "key_limit_reached", JSON.stringify(result));
    assert.equal(result.result?.created, 5000);
    assert.match(result.error?.message ?? "", /5,000 created.*Not done: 1,0\d\d\./u);
    assert.doesNotMatch(result.error?.message ?? "", /Nothing was written/u);
  });
});
