/** The local service for an app without a project file, as a person starts, stops and continues it. */
import assert from "node:assert/strict";
import { commands, Uri, workspace } from "vscode";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { runCommand, runSuccessfully } from "../harness/documents.ts";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  pickItem,
  pickItems,
  pressInInput,
  pressInNotification,
  submitInput,
  waitForInput,
} from "../harness/prompts.ts";
import { closeSecondWindow } from "../harness/second-window.ts";
import { treeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { canBeEdited, cellHolds, edit, statusSays } from "../translation-editor/page.ts";

interface Started {
  readonly outcome: string;
  readonly baseUrl: string;
  readonly token: string;
}

const root = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return folder.uri;
};

const textOf = async (path: string): Promise<string> =>
  new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(root(), path)));

const translationFiles = async (): Promise<readonly string[]> => {
  const found = await workspace.findFiles("**/*");
  return found.map(({ path }) => path.slice(root().path.length + 1)).toSorted();
};

/** Returns the texts of the notifications. */
async function notifications(): Promise<string> {
  await commands.executeCommand("notifications.showList");
  const texts = await onPage((page) => page.locator(".notification-list-item").allInnerTexts());
  await commands.executeCommand("notifications.hideList");
  return texts.join("\n");
}

/** Returns the id of the process of the local service that this window started. */
function serviceProcess(): number {
  const found = readdirSync("/proc").find((id) => {
    if (!/^\d+$/u.test(id)) return false;
    try {
      const parent = /^PPid:\s*(\d+)$/mu.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
      const isService = readFileSync(`/proc/${id}/cmdline`, "utf8").includes("service.mjs");
      return Number(parent) === process.pid && isService;
    } catch {
      // A process that has just ended.
      return false;
    }
  });
  assert.ok(found, "the service runs");
  return Number(found);
}

/** Whether the server has the port. */
async function isListening(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

describe("the local service of a Laravel app", function () {
  this.timeout(180_000);

  after(async () => {
    await closeSecondWindow();
    await commands.executeCommand("workbench.action.closeAllEditors");
    await runCommand("stopLocalService");
  });

  journey("offers a project that is made from the app first", async () => {
    const starting = commands.executeCommand<Started>("projectTranslations.startLocalService");
    await waitForInput("Start Local Service");
    await screenshot("choices");
    const [first = "", ...others] = await pickItems();
    assert.match(first, /Project for this app/u);
    assert.match(first, /laravel: en → nl, pl/u);
    assert.match(others.join(), /Demo project/u);
    await pressInInput("Enter");
    assert.equal((await starting).outcome, "done");
    await pressInNotification("The local service runs at", "Sign In");
    await commands.executeCommand("projectTranslations.languages.focus");
    await waitForTreeRow("Activity", "3 source texts to push");
    await screenshot("signed-in");
    await commands.executeCommand("workbench.action.closeQuickOpen");
  });

  journey("pulls the app's own PHP files from it", async () => {
    const files = await translationFiles();
    const before = await textOf("lang/nl/order.php");
    await runSuccessfully("push");
    await runSuccessfully("importLocal");
    await runSuccessfully("setTranslation", {
      namespace: "order",
      key: "collect",
      locale: "nl",
      value: "Ophalen vóór twaalven",
    });
    await runSuccessfully("pull");
    const after = await textOf("lang/nl/order.php");
    assert.equal(after, before.replace("];", "    'collect' => 'Ophalen vóór twaalven',\n];"));
    assert.deepEqual(await translationFiles(), files);
    assert.equal((await runCommand("push"))["outcome"], "unchanged");
  });

  it("keeps unsaved texts and its data when it is stopped and started again", async () => {
    await runSuccessfully("openEditor", { locales: ["pl"] });
    await edit("order.loaves", "pl", ":count bochenki chleba");
    const stopping = commands.executeCommand<Started>("projectTranslations.stopLocalService");
    assert.equal((await stopping).outcome, "done");
    await commands.executeCommand("projectTranslations.languages.focus");
    const said = await waitFor("it is said what is kept", async () => {
      const texts = await notifications();
      return texts.includes("The local service has stopped.") ? texts : undefined;
    });
    assert.match(said, /kept in .*\.db/u);
    assert.match(said, /You are signed out of it; the views show your local files/u);
    assert.match(said, /1 unsaved text/u);
    const statusBar = await onPage((page) =>
      page.locator(".statusbar-item", { hasText: "Translations" }).first().innerText(),
    );
    assert.match(statusBar, /local files/u);
    await waitFor("no activity is shown", async () => (await treeRows("Activity")).length === 0);
    await screenshot("stopped");
    const { error } = (await runCommand("pull")) as { error?: { code: string } };
    assert.equal(error?.code, "not_signed_in");
    await canBeEdited("order.loaves", "pl");

    const again = (await runSuccessfully("startLocalService")) as unknown as Started;
    await runSuccessfully("signIn", { baseUrl: again.baseUrl, token: again.token });
    assert.equal((await runCommand("push"))["outcome"], "unchanged");
    await runSuccessfully("openEditor", { locales: ["pl", "nl"] });
    await statusSays("1 unsaved");
    await cellHolds("order.loaves", "pl", ":count bochenki chleba");
    await cellHolds("order.collect", "nl", "Ophalen vóór twaalven");
    await screenshot("continued");
    await commands.executeCommand("workbench.action.files.save");
    await waitFor("the text is saved", async () => {
      const response = await fetch(`${again.baseUrl}/translations/pl?limit=50`, {
        headers: { Authorization: `Bearer ${again.token}` },
      });
      return (await response.text()).includes("bochenki");
    });
  });

  it("is offered again where a project is signed in to it, and keeps unsaved texts on another port", async () => {
    const before = (await runCommand("startLocalService")) as unknown as Started;
    await runSuccessfully("signIn", { baseUrl: before.baseUrl, token: before.token });
    await runSuccessfully("openEditor", { locales: ["pl", "nl"] });
    await edit("order.loaves", "pl", "Jeden bochenek");
    await statusSays("1 unsaved");
    // As when its window was closed.
    process.kill(serviceProcess(), "SIGKILL");
    const port = Number(new URL(before.baseUrl).port);
    const other = createServer((socket) => socket.destroy());
    await waitFor("the port is taken by another program", () => isListening(other, port));
    try {
      assert.notEqual((await runCommand("refresh"))["outcome"], "done");
      await screenshot("not-running");
      await pressInNotification("which is not running", "Start Local Service");
      await waitFor(
        "it is signed in to again",
        async () => (await runCommand("refresh"))["outcome"] === "done",
      );
      const { baseUrl } = (await runCommand("startLocalService")) as unknown as Started;
      assert.notEqual(baseUrl, before.baseUrl);
      await runSuccessfully("openEditor", { locales: ["pl", "nl"] });
      await statusSays("1 unsaved");
      await cellHolds("order.loaves", "pl", "Jeden bochenek");
    } finally {
      other.close();
    }
    await commands.executeCommand("workbench.action.files.save");
  });

  it("does not sign in to the demo in the folder of another app", async () => {
    await runSuccessfully("stopLocalService");
    const result = (await runCommand("startLocalService", { demo: true, signIn: true })) as {
      readonly outcome: string;
      readonly error?: { readonly code: string; readonly message: string };
    };
    assert.deepEqual([result.outcome, result.error?.code], ["failed", "invalid"], JSON.stringify(result));
    assert.match(result.error?.message ?? "", /has translation files of its own/u);
    assert.equal((await runCommand("stopLocalService"))["outcome"], "unchanged");
  });

  it("serves another app’s database without changing its settings", async () => {
    const data = join(tmpdir(), `other-app-${process.pid}.db`);
    const settings = `${data}.project.json`;
    try {
      await runSuccessfully("startLocalService", { data, demo: true });
      await runSuccessfully("stopLocalService");
      writeFileSync(settings, '{ "of": "another app" }\n');
      const starting = commands.executeCommand<Started>("projectTranslations.startLocalService");
      await waitForInput("Start Local Service");
      await pickItem("Project in a file");
      await waitForInput("Where should the service store its data?");
      // The dialog sets its text once more when it has listed the folder.
      await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row", { hasText: "lang" }).waitFor({ timeout: 10_000 }),
      );
      await submitInput(data);
      // The dialog asks whether the file may be replaced, which it is not. While it reads the folder, VS Code ignores
      // Enter and OK.
      let isStarted = false;
      void starting.then(() => {
        isStarted = true;
      });
      await waitFor("the service is started with the file", async () => {
        if (isStarted) return true;
        await onPage(async (page) => {
          const dialogs = page.locator(".quick-input-widget, .monaco-dialog-box");
          const ok = dialogs.getByRole("button", { name: /^(?:OK|Yes|Replace)$/u }).first();
          if (await ok.isVisible()) await ok.click({ timeout: 1000 }).catch(() => undefined);
        });
        return isStarted;
      });
      const { outcome, baseUrl, token } = await starting;
      assert.equal(outcome, "done");
      const response = await fetch(`${baseUrl}/stats`, { headers: { Authorization: `Bearer ${token}` } });
      assert.match(await response.text(), /"fr"/u, "it has the demo's languages");
      assert.equal(readFileSync(settings, "utf8"), '{ "of": "another app" }\n');
    } finally {
      await runCommand("stopLocalService");
      for (const path of [data, settings, `${data}-wal`, `${data}-shm`]) rmSync(path, { force: true });
    }
  });

  it("opens the demo in a folder of its own, where it starts by itself", async () => {
    const files = await translationFiles();
    await commands.executeCommand("workbench.action.closeAllEditors");
    await runCommand("stopLocalService");
    const starting = commands.executeCommand<Started>("projectTranslations.startLocalService");
    await waitForInput("Start Local Service");
    await pickItem("Demo project");
    assert.equal((await starting).outcome, "cancelled");
    const opened = await onPage(async (page) => {
      const isOther = (each: unknown): boolean => each !== page;
      const demo =
        page.context().pages().find(isOther) ??
        (await page.context().waitForEvent("page", { timeout: 20_000 }));
      await demo.locator(".activitybar").getByRole("tab", { name: "Project Translations" }).click();
      const row = demo
        .locator(".sidebar")
        .getByRole("treeitem", { name: /^Nederlands/ })
        .first();
      await row.waitFor({ timeout: 60_000 });
      await demo.locator(".statusbar-item", { hasText: "Webshop" }).first().waitFor({ timeout: 60_000 });
      return demo.url();
    });
    assert.match(decodeURIComponent(opened), /folder=[^&]*\/demo\/webshop/u);
    assert.deepEqual(await translationFiles(), files);
  });
});
