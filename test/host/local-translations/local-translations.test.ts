/** Translations that only local files have: shown everywhere, marked, and imported on demand. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace, type CodeLens } from "vscode";
import { hoverText, runCommand } from "../harness/documents.ts";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { waitFor } from "../harness/wait-for.ts";

let service: RunningService;

function place(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

/** What the service itself says of `auth.throttle`. */
async function translated(locale: string): Promise<unknown> {
  const response = await fetch(`${service.baseUrl}/translations/${locale}?namespace=auth`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const { data } = (await response.json()) as {
    data: readonly { readonly key: string; readonly value?: string | null }[];
  };
  return data.find((row) => row.key === "throttle")?.value;
}

const rows = (): Promise<string[]> =>
  onPage((page) => page.locator(".pane").getByRole("treeitem").allInnerTexts());

const row = (text: string): Promise<string> =>
  waitFor(`a row with ${text}`, async () => (await rows()).find((each) => each.includes(text)));

const FRENCH = "Trop de tentatives. Réessayez dans :seconds secondes.";

describe("translations that exist only in local files", () => {
  before(async () => {
    service = await startService({ demo: true });
    const { baseUrl, token } = service;
    const result = await runCommand("signIn", { baseUrl, token });
    assert.equal(result["outcome"], "done", JSON.stringify(result));
    const file = place("lang/fr/auth.php");
    const before = new TextDecoder().decode(await workspace.fs.readFile(file));
    assert.ok(!before.includes("throttle"));
    const after = before.replace("return [", `return [\n    'throttle' => '${FRENCH}',`);
    await workspace.fs.writeFile(file, new TextEncoder().encode(after));
    await workspace.fs.writeFile(
      place("app/throttle.php"),
      new TextEncoder().encode("<?php echo __('auth.throttle');\n"),
    );
    await commands.executeCommand("projectTranslations.languages.focus");
  });

  it("are shown and marked in a hover", async () => {
    const text = await waitFor("the hover shows it", async () => {
      const hover = await hoverText("app/throttle.php", "auth.throttle");
      return hover.includes(FRENCH) ? hover : undefined;
    });
    const line = text.split("\n").find((each) => each.startsWith("`fr`")) ?? "";
    assert.match(line, /local, not on the service/);
    assert.doesNotMatch(line, /untranslated/);
  });

  it("are counted in code lenses and in the Languages view", async () => {
    const uri = place("lang/fr/auth.php");
    await window.showTextDocument(uri);
    await waitFor("the lens says so", async () => {
      const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
      const document = await workspace.openTextDocument(uri);
      const lens = lenses.find(({ range }) => document.getText(range) === "throttle");
      return /\/4 translated · 1 not on the service$/.test(lens?.command?.title ?? "");
    });
    await waitFor("the row of French says so", async () =>
      (await row("(fr)")).includes("1 not on the service"),
    );
  });

  it("are offered for import if nothing is to be pushed", async () => {
    // The sample has two in Dutch.
    await row("3 local translations are not on the service");
    await screenshot("activity");
    const importing = runCommand("importLocal", { confirm: true });
    const question = await waitFor("it asks", async () => {
      const text = await onPage((page) =>
        page.locator(".quick-input-widget:visible").innerText({ timeout: 1000 }),
      );
      return text.includes("lang/fr/auth.php") && text;
    });
    assert.match(question, /3 local translations are not on the service/);
    await screenshot("import");
    await pressInInput("Enter");
    const result = await importing;
    assert.equal(result["outcome"], "done", JSON.stringify(result));
    assert.equal(await translated("fr"), FRENCH);
    await waitFor("everything is on the service", async () =>
      (await rows()).every((each) => !/not on the service/.test(each)),
    );
    assert.deepEqual((await runCommand("importLocal"))["outcome"], "unchanged");
  });

  it("that changed only in the files are counted, shown and sent", async () => {
    const path = "lang/fr/auth.php";
    const text = new TextDecoder().decode(await workspace.fs.readFile(place(path)));
    const changed = "Trop d’essais. Attendez :seconds secondes.";
    await workspace.fs.writeFile(place(path), new TextEncoder().encode(text.replace(FRENCH, changed)));
    await row("1 translation changed in your files");
    const importing = runCommand("importLocal", { confirm: true });
    const question = await waitFor("it asks", async () => {
      const shown = await onPage((page) =>
        page.locator(".quick-input-widget:visible").innerText({ timeout: 1000 }),
      );
      return shown.includes("auth.throttle") && shown;
    });
    assert.match(question, /1 translation changed in your files/);
    assert.ok(question.includes(`${FRENCH} → ${changed}`), question);
    await screenshot("changed");
    await pressInInput("Enter");
    const result = await importing;
    assert.deepEqual([result["outcome"], result["written"], result["skipped"]], ["done", 1, []]);
    assert.equal(await translated("fr"), changed);
    await waitFor("nothing is changed any more", async () =>
      (await rows()).every((each) => !each.includes("changed in your files")),
    );
    // It was agreed on, so what somebody else writes is pulled.
    const title = { locale: "fr", namespace: "auth", key: "throttle", value: "Plus tard." };
    assert.equal((await runCommand("setTranslation", title))["outcome"], "done");
    assert.equal((await runCommand("pull"))["outcome"], "done");
    const pulled = new TextDecoder().decode(await workspace.fs.readFile(place(path)));
    assert.ok(pulled.includes("'Plus tard.'"), pulled);
  });
});
