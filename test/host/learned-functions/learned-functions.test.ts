/** A project with a wrapper of its own, opened for the first time: no framework, no project file, not signed in. */
import assert from "node:assert/strict";
import { commands, languages, Uri, window, workspace } from "vscode";
import { hoverText, middleOfText, openFile, runCommand, runSuccessfully } from "../harness/documents.ts";
import { screenshot } from "../harness/bridge-client.ts";
import { clickTreeButton, treeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";

const CODE = "src/labels.js";
const ROW = "translate() is used as a translation function";

async function projectFile(): Promise<string> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return (await openFile("project-translations.json")).getText();
}

async function diagnosis(): Promise<string> {
  const { text } = await runCommand("showDiagnosis", { confirm: false });
  return text as string;
}

const unused = async (): Promise<string[]> => {
  const report = await runSuccessfully("findUnused");
  return (report["unused"] as { key: string }[]).map(({ key }) => key);
};

const usedKeys = async (): Promise<unknown> => (await runSuccessfully("findUnused"))["used"];

const isShown = async (): Promise<boolean> =>
  (await treeRows("Languages")).some((each) => each.includes(ROW));

describe("a function of the project's own", () => {
  it("is learned without a click, and told in the view and the diagnosis", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    assert.match(await waitForTreeRow("Languages", ROW), /24 calls/);
    await screenshot("learned-function");
    assert.match(
      await diagnosis(),
      /`translate\(\)` is used as a translation function: 23 of 24 calls name a key/,
    );
  });

  it("has hovers, completion and problems, and its keys are used", async () => {
    const document = await openFile(CODE);
    await window.showTextDocument(document);
    assert.match(await hoverText(CODE, "ButtonShuffle"), /Willekeurig/);
    const { items } = await commands.executeCommand<{ items: { label: string | { label: string } }[] }>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      middleOfText(document, "ButtonShuffle"),
    );
    const labels = items.map(({ label }) => (typeof label === "string" ? label : label.label));
    assert.ok(labels.includes("ButtonMute"), labels.join());
    await waitFor("the unknown key", () =>
      languages.getDiagnostics(document.uri).some(({ code, range }) => {
        const text = document.getText(range);
        return code === "unknown-key" && text.includes("ButtonRewind");
      }),
    );
    assert.deepEqual(await unused(), ["MessageLegacy"]);
    assert.equal(await usedKeys(), 23);
  });

  it("is written to the project file with one click", async () => {
    await clickTreeButton("Languages", ROW, "Add Function to Project File", async () => !(await isShown()));
    assert.deepEqual(JSON.parse(await projectFile()), {
      usage: { functions: [{ name: "translate", key: 0 }] },
    });
    assert.deepEqual(await unused(), ["MessageLegacy"]);
    assert.doesNotMatch(await diagnosis(), /is used as a translation function/);
    assert.equal((await runCommand("addFunction", { name: "translate" }))["outcome"], "failed");
  });

  it("is not learned again after it was refused", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await workspace.fs.delete(Uri.joinPath(folder.uri, "project-translations.json"));
    await waitForTreeRow("Languages", ROW);
    await clickTreeButton("Languages", ROW, "Not a Translation Function", async () => !(await isShown()));
    assert.deepEqual(JSON.parse(await projectFile()), { usage: { ignoredFunctions: ["translate"] } });
    assert.equal(await usedKeys(), 0);
    assert.ok(!(await isShown()));
  });
});
