/** Commands as tasks and other extensions call them: their results, and that they never throw. */
import assert from "node:assert/strict";
import { commands, Range, Uri, window, workspace } from "vscode";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & { outcome: string; error?: { code: string; message: string } };

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const file = async (path: string): Promise<string> => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder.uri, path)));
};

describe("commands for tasks and other extensions", () => {
  it("fail with a code and a message while signed out", async () => {
    const result = await run("push");
    assert.equal(result.outcome, "failed");
    assert.equal(result.error?.code, "not_signed_in");
    assert.match(result.error?.message ?? "", /Sign in/u);
  });

  it("list the keys of a namespace", async () => {
    const { baseUrl, token } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    const { outcome, keys } = await run("listKeys", { namespace: "cart" });
    assert.equal(outcome, "done");
    assert.ok(Array.isArray(keys) && keys.length > 3);
    assert.ok(
      keys.every(
        (key: { namespace: string; archived: boolean }) => key.namespace === "cart" && !key.archived,
      ),
    );
  });

  it("list QA issues with their suggestions", async () => {
    const { outcome, issues } = await run("listIssues");
    assert.equal(outcome, "done");
    assert.ok(Array.isArray(issues) && issues.length > 0);
    assert.ok(issues.some((issue: { suggestion: string | null }) => issue.suggestion !== null));
    const only = await run("listIssues", { locale: "fr" });
    assert.ok((only["issues"] as { locale: string }[]).every((issue) => issue.locale === "fr"));
  });

  it("do not ask for a key", async () => {
    for (const name of ["copyKey", "copyText", "findUses", "goToEntry", "setLocal", "updateKey"])
      assert.equal((await run(name)).error?.code, "invalid", name);
  });

  it("write to no key that only the cursor is at", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await workspace.openTextDocument(
      Uri.joinPath(folder.uri, "resources/views/cart.blade.php"),
    );
    const cursor = document.positionAt(document.getText().indexOf("cart.title") + 2);
    await window.showTextDocument(document, { selection: new Range(cursor, cursor) });
    assert.equal((await run("setLocal", { value: "x" })).error?.code, "invalid");
    assert.equal((await run("updateKey", { description: "x" })).error?.code, "invalid");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("change only the given details of a key", async () => {
    const name = { namespace: "cart", key: "title" };
    const first = await run("updateKey", { ...name, description: "The heading", maxLength: 30 });
    assert.equal(first.outcome, "done");
    const second = await run("updateKey", { ...name, tags: ["cart", "heading"] });
    const key = second["key"] as Record<string, unknown>;
    assert.equal(key["description"], "The heading");
    assert.equal(key["maxLength"], 30);
    assert.deepEqual(key["tags"], ["cart", "heading"]);
    const unknown = await run("updateKey", { key: "nowhere.at.all", description: "x" });
    assert.equal(unknown.error?.code, "not_found");
  });

  it("write one local text without changing other bytes", async () => {
    const before = await file("lang/en/cart.php");
    const result = await run("setLocal", { namespace: "cart", key: "title", value: "Your 'basket'" });
    assert.deepEqual(result, { outcome: "done", file: "lang/en/cart.php", created: false });
    const after = await file("lang/en/cart.php");
    assert.equal(after, before.replace("'Your cart'", String.raw`'Your \'basket\''`));
    const again = await run("setLocal", { namespace: "cart", key: "title", value: "Your 'basket'" });
    assert.equal(again.outcome, "unchanged");
    const back = await run("setLocal", { namespace: "cart", key: "title", value: "Your cart" });
    assert.equal(back.outcome, "done", JSON.stringify(back));
    assert.equal(await file("lang/en/cart.php"), before);
  });

  it("insert a new key next to its siblings", async () => {
    const result = await run("setLocal", {
      namespace: "cart",
      key: "voucher.remove",
      value: "Remove voucher",
    });
    assert.deepEqual(result, { outcome: "done", file: "lang/en/cart.php", created: true });
    assert.match(
      await file("lang/en/cart.php"),
      /'applied' => .*,\n {8}'remove' => 'Remove voucher',\n {4}\]/u,
    );
  });

  it("open the entry of a key with its text selected", async () => {
    const result = await run("goToEntry", {
      namespace: "cart",
      key: "checkout",
      locale: "nl",
      confirm: true,
    });
    assert.deepEqual(result, { outcome: "done", file: "lang/nl/cart.php" });
    const editor = await waitFor("the editor is there", () => window.activeTextEditor);
    assert.match(editor.document.getText(editor.selection), /^'.+'$/u);
  });

  it("archive keys and ignore unknown ones", async () => {
    const { keys } = await run("listKeys", { namespace: "cart" });
    const [{ hash } = { hash: "" }] = keys as { hash: string }[];
    assert.equal((await run("archive", { hashes: ["0".repeat(40)] })).outcome, "unchanged");
    assert.equal((await run("archive")).error?.code, "invalid");
    const done = await run("archive", { hashes: [hash] });
    assert.equal((done["result"] as { archived: number }).archived, 1);
    const { keys: archived } = await run("listKeys", { archived: true });
    assert.ok((archived as { hash: string }[]).some((key) => key.hash === hash));
  });
});
