/** What VS Code backs up of the translation editor. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { commands } from "vscode";
import { startService } from "../harness/bridge-client.ts";
import { runSuccessfully } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";
import { edit, status } from "./page.ts";

interface Backup {
  readonly isOnDisk: boolean;
  readonly drafts: readonly { readonly locale: string; readonly text: unknown }[];
}

/** Returns a backup that contains the text, in this window's own folder. */
async function backupWith(text: string): Promise<Backup | undefined> {
  for (const path of await readdir(homedir(), { recursive: true })) {
    if (!path.includes("project-translations.project-translations") || path.includes(".db")) continue;
    const content = await readFile(join(homedir(), path), "utf8").catch(() => "");
    if (content.includes(text) && content.includes('"drafts"')) return JSON.parse(content) as Backup;
  }
  return undefined;
}

it("a backup of the translation editor has its unsaved texts", async function () {
  this.timeout(120_000);
  const { baseUrl, token } = await startService({ demo: true });
  await runSuccessfully("signIn", { baseUrl, token });
  await runSuccessfully("openEditor", { locales: ["nl"], search: "subtotal" });
  await edit("cart.subtotal", "nl", "Reservekopie");
  const backup = await waitFor("there is a backup", () => backupWith("Reservekopie"));
  assert.equal(backup.isOnDisk, true);
  assert.deepEqual(
    backup.drafts.map(({ locale, text }) => [locale, text]),
    [["nl", { value: "Reservekopie" }]],
  );
  await commands.executeCommand("workbench.action.files.revert");
  await waitFor("nothing is unsaved", async () => !(await status()).includes("unsaved"));
  await commands.executeCommand("workbench.action.closeAllEditors");
});
