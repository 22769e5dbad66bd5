/** Unsaved texts belong to a project, not to its slug, its token or the session, and none of them vanishes. */
import assert from "node:assert/strict";
import { commands, Uri, workspace } from "vscode";
import { onPage, startService } from "../harness/bridge-client.ts";
import { pickItem, waitForInput } from "../harness/prompts.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { waitFor } from "../harness/wait-for.ts";
import { cell, cellHolds, edit, status, statusSays } from "../translation-editor/page.ts";
import { startTokenProxy, type TokenProxy } from "./token-proxy.ts";

type Result = Record<string, unknown> & { readonly outcome: string };

const run = async (name: string, options: object = {}): Promise<Result> => {
  const result = await commands.executeCommand<Result>(`projectTranslations.${name}`, {
    confirm: false,
    ...options,
  });
  assert.notEqual(result.outcome, "failed", `${name}: ${JSON.stringify(result)}`);
  return result;
};

const [SHOP, SHOP_AGAIN, NAMESAKE] = ["token-of-the-shop-1", "token-of-the-shop-2", "token-of-its-namesake"];
const KEY = "Search the shop";

describe("unsaved texts", function () {
  this.timeout(240_000);
  let proxy: TokenProxy;

  const signIn = (token: string): Promise<Result> => run("signIn", { baseUrl: proxy.baseUrl, token });
  const openEditor = (options: object = {}): Promise<Result> =>
    run("openEditor", { locales: ["nl"], search: KEY, ...options });
  const hasNoUnsaved = (): Promise<boolean> =>
    waitFor("nothing is unsaved", async () => !(await status()).includes("unsaved"));

  before(async () => {
    proxy = await startTokenProxy();
    const shop = await startService({ demo: true });
    const namesake = await startNamesake();
    await proxy.add(SHOP, shop);
    await proxy.add(SHOP_AGAIN, shop);
    await proxy.add(NAMESAKE, namesake);
    await run("signOut");
  });

  after(async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    await run("signOut");
    proxy.close();
  });

  /** Another project with the slug of the demo, and a few of its keys. */
  async function startNamesake(): Promise<RunningService> {
    const service = await startService({
      project: { slug: "webshop", name: "Namesake", sourceLocale: "en", languages: [{ locale: "nl" }] },
    });
    const response = await fetch(`${service.baseUrl}/keys/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ keys: [{ key: KEY, value: KEY }] }),
    });
    assert.equal(response.status, 200);
    return service;
  }

  it("typed before signing in are kept, and taken over when asked to", async () => {
    await openEditor();
    await edit(KEY, "nl", "Zoek overal");
    await signIn(SHOP);
    await openEditor();
    await hasNoUnsaved();
    assert.equal((await run("takeOverDrafts"))["moved"], 1);
    await cellHolds(KEY, "nl", "Zoek overal");
    await statusSays("1 unsaved");
    assert.equal((await run("takeOverDrafts")).outcome, "unchanged");
  });

  it("are there again with another token of the project, and after signing out", async () => {
    await signIn(SHOP_AGAIN);
    await openEditor();
    await statusSays("1 unsaved");
    assert.equal((await run("signOut")).outcome, "done");
    await openEditor();
    await hasNoUnsaved();
    await signIn(SHOP);
    await openEditor();
    await statusSays("1 unsaved");
    await cellHolds(KEY, "nl", "Zoek overal");
  });

  it("are named before signing out, which keeps them", async () => {
    const signOut = (): Thenable<Result> => commands.executeCommand<Result>("projectTranslations.signOut");
    const placeholder = async (): Promise<string> => {
      await waitForInput("Sign Out");
      return onPage(
        async (page) => (await page.locator(".quick-input-box input").getAttribute("placeholder")) ?? "",
      );
    };
    const staying = signOut();
    assert.match(await placeholder(), /^Not sent yet: 1 unsaved text of “Webshop”/);
    await pickItem("Show Unsaved Texts");
    assert.equal((await staying).outcome, "cancelled");
    assert.equal((await run("pull", { locales: ["nl"] })).outcome === "cancelled", false);
    await cellHolds(KEY, "nl", "Zoek overal");
    const leaving = signOut();
    await placeholder();
    await pickItem("They are kept on this machine");
    assert.equal((await leaving).outcome, "done");
    await signIn(SHOP);
    await openEditor();
    await statusSays("1 unsaved");
  });

  it("are neither shown nor saved in another project with the same slug", async () => {
    await signIn(NAMESAKE);
    await openEditor();
    await waitFor("the key is there", async () => (await cell(KEY, "nl")) !== null);
    await hasNoUnsaved();
    proxy.takeRequests();
    await commands.executeCommand("workbench.action.files.save");
    assert.deepEqual(
      proxy.takeRequests().filter(({ line }) => line.startsWith("PUT")),
      [],
    );
    await signIn(SHOP);
    await openEditor();
    await statusSays("1 unsaved");
  });

  it("do not stop the local files from being shown when signing out twice", async () => {
    assert.equal((await run("signOut")).outcome, "done");
    assert.equal((await run("signOut")).outcome, "unchanged");
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "lang/en.json");
    const before = await workspace.fs.readFile(file);
    const text = new TextDecoder().decode(before).replace("{", '{ "Typed after signing out": "Text",');
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    try {
      await waitFor("the new key is known", async () =>
        ((await run("listKeys"))["keys"] as readonly { readonly key: string }[]).some(
          ({ key }) => key === "Typed after signing out",
        ),
      );
    } finally {
      await workspace.fs.writeFile(file, before);
    }
  });
});
