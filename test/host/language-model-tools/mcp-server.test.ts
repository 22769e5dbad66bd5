/** The server that VS Code starts for agents: its calls are carried out in this window. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { commands, LanguageModelTextPart, lm, Range, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

const DUTCH = "lang/nl/cart.php";

/** The tool as VS Code names it: with a prefix for the server. */
const toolOf = (name: string) =>
  lm.tools.find((tool) => /^mcp_/u.test(tool.name) && tool.name.endsWith(name));

async function call(name: string, input: object): Promise<string> {
  const tool = toolOf(name);
  assert.ok(tool, name);
  const { content } = await lm.invokeTool(tool.name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
}

describe("the server for agents", () => {
  before(async () => {
    await waitFor("the server is started, and its tools are there", async () => {
      await commands.executeCommand("workbench.mcp.startServer", "*", {
        autoTrustChanges: true,
        waitForLiveTools: true,
      });
      return toolOf("list_keys") !== undefined;
    });
  });

  journey("has the tools of the window, and one that adds keys", () => {
    for (const name of ["search_texts", "stage_translations", "push_changes", "add_key"])
      assert.ok(toolOf(name), name);
  });

  journey("reads what is not saved in the window", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = Uri.file(join(folder.uri.fsPath, DUTCH));
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    const at = document.getText().indexOf("Je winkelwagen");
    const edit = new WorkspaceEdit();
    edit.replace(uri, new Range(document.positionAt(at), document.positionAt(at + 14)), "Je mandje");
    assert.ok(await workspace.applyEdit(edit));
    try {
      const input = { keys: [{ namespace: "cart", key: "title" }], locales: ["nl"] };
      const { items } = JSON.parse(await call("get_translations", input)) as {
        items: Record<string, unknown>[];
      };
      assert.equal(items[1]?.["translation"], "Je mandje", JSON.stringify(items));
    } finally {
      await commands.executeCommand("workbench.action.files.revert");
    }
  });

  journey("says what to do where nobody is signed in", async () => {
    const said = await call("push_changes", {}).catch((error: Error) => error.message);
    assert.match(said, /not signed in.*Sign In…/su);
  });
});
