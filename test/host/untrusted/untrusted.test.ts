/** An untrusted folder: readable, no requests, and the views explain why. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { commands, lm, Uri, workspace } from "vscode";
import { onPage, reloadWindow, screenshot, stage, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { cellHolds, edit, statusSays } from "../translation-editor/page.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const KEY = "Search the shop";

/** Starts the servers that are offered to agents, and returns the names of their tools. */
async function toolsForAgents(): Promise<readonly string[]> {
  const options = { autoTrustChanges: true, waitForLiveTools: true };
  await commands.executeCommand("workbench.mcp.startServer", "*", options);
  return lm.tools.map(({ name }) => name).filter((name) => name.startsWith("mcp_"));
}

describe("an untrusted folder", () => {
  before(() => assert.equal(workspace.isTrusted, false));

  journey("makes every command that needs the service fail", async () => {
    const { baseUrl, token } = await startService();
    for (const [name, options] of [
      ["signIn", { baseUrl, token }],
      ["refresh", {}],
      ["push", { dryRun: true }],
      ["pull", {}],
    ] as const) {
      const result = await run(name, options);
      assert.equal(result.error?.code, "untrusted", `${name}: ${JSON.stringify(result)}`);
    }
  });

  journey("makes no request, not even to the base URL of its own project file", async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const [folder] = workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const file = Uri.joinPath(folder.uri, "project-translations.json");
      const text = new TextDecoder().decode(await workspace.fs.readFile(file));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const after = text.replace("{", `{ "baseUrl": ${JSON.stringify(baseUrl)},`);
      await workspace.fs.writeFile(file, new TextEncoder().encode(after));
      await waitFor("the base URL is taken over", async () =>
        String((await run("showDiagnosis"))["text"]).includes(baseUrl),
      );
      assert.equal((await run("refresh")).error?.code, "untrusted");
      assert.deepEqual(asked, []);
    } finally {
      server.close();
    }
  });

  journey("shows the keys and translations of its files", async () => {
    const { keys } = await run("listKeys");
    assert.ok((keys as unknown[]).length > 0);
  });

  journey("shows in the view that trust is required", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    await waitFor("the view says so", () =>
      onPage(async (page) =>
        (
          await page.locator(".tree-explorer-viewlet-tree-view .message:visible").first().innerText()
        ).includes("not trusted"),
      ),
    );
    await screenshot("untrusted");
  });

  journey("supports diagnosis and navigation to entries", async () => {
    assert.match(String((await run("showDiagnosis"))["text"]), /not trusted: no network/);
    assert.equal((await run("goToEntry", { namespace: "cart", key: "title" })).outcome, "done");
  });

  it("has no server for agents, and does nothing for tools of a chat", async () => {
    assert.deepEqual(await toolsForAgents(), []);
    const options = { input: {}, toolInvocationToken: undefined };
    await assert.rejects(async () => lm.invokeTool("project_translations_list_keys", options), /trust/u);
  });

  it("keeps texts that are typed, over a reload and when the folder is trusted", async function () {
    const openEditor = (): Promise<Result> => run("openEditor", { locales: ["nl"], search: KEY });
    if ((await stage(this)) === undefined) {
      await openEditor();
      await edit(KEY, "nl", "Zoek overal");
      await reloadWindow(this, "typed");
      return;
    }
    assert.equal(workspace.isTrusted, false);
    await openEditor();
    await cellHolds(KEY, "nl", "Zoek overal");
    await statusSays("1 unsaved");
    await commands.executeCommand("workbench.trust.manage");
    await onPage((page) =>
      page.locator(".workspace-trust-editor").getByText("Trust", { exact: true }).click(),
    );
    await waitFor("the folder is trusted", () => workspace.isTrusted);
    await openEditor();
    await cellHolds(KEY, "nl", "Zoek overal");
    await statusSays("1 unsaved");
    await commands.executeCommand("workbench.action.files.revert");
  });

  it("has a server for agents when it is trusted", async () => {
    await waitFor("its tools are there", async () =>
      (await toolsForAgents()).some((name) => name.endsWith("list_keys")),
    );
  });
});
