/** Write Skill for Agents: no file with other content is replaced without being asked. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commands, extensions, window, workspace } from "vscode";
import { pickItem, pickItems, waitForInput } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string; readonly reason?: string };
};

const PATH = ".claude/skills/project-translations/SKILL.md";

const run = async (options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>("projectTranslations.writeAgentSkill", options);

const inProject = (path: string): string => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return join(folder.uri.fsPath, path);
};

const text = (): Promise<string> => readFile(inProject(PATH), "utf8");

async function write(content: string): Promise<void> {
  await mkdir(dirname(inProject(PATH)), { recursive: true });
  await writeFile(inProject(PATH), content);
}

describe("the skill for agents", () => {
  let skill = "";

  before(async () => {
    const extension = extensions.all.find(({ id }) => id.endsWith(".project-translations"));
    assert.ok(extension);
    skill = await readFile(join(extension.extensionPath, "media", "chat", "SKILL.md"), "utf8");
  });
  afterEach(() => rm(inProject(".claude"), { recursive: true, force: true }));
  after(() => commands.executeCommand("workbench.action.closeAllEditors"));

  it("is written once, and shown", async () => {
    assert.deepEqual(await run(), { outcome: "done", file: PATH });
    assert.equal(await text(), skill);
    await waitFor("it is shown", () => window.activeTextEditor?.document.uri.fsPath === inProject(PATH));
    assert.deepEqual(await run({ confirm: false }), { outcome: "unchanged", file: PATH });
  });

  it("does not replace a file with other content without being asked", async () => {
    await write("Ours.\n");
    const { outcome, error } = await run({ confirm: false });
    assert.deepEqual([outcome, error?.code, error?.reason], ["failed", "file_changed", "exists"]);
    assert.ok(error?.message.includes(PATH));
    assert.equal(await text(), "Ours.\n");
  });

  for (const [choice, outcome, content] of [
    ["Keep", "cancelled", () => "Ours.\n"],
    ["Replace", "done", () => skill],
  ] as const)
    it(`asks whether to replace it: ${choice}`, async () => {
      await write("Ours.\n");
      const running = run();
      await waitForInput(`Replace ${PATH}?`);
      assert.equal((await pickItems()).length, 2);
      await pickItem(choice);
      assert.equal((await running).outcome, outcome);
      assert.equal(await text(), content());
    });

  it("does not replace a file that changed while a person was asked", async () => {
    await write("Ours.\n");
    const running = run();
    await waitForInput(`Replace ${PATH}?`);
    await write("Ours, and more.\n");
    await pickItem("Replace");
    const { outcome, error } = await running;
    assert.deepEqual([outcome, error?.code], ["failed", "file_changed"]);
    assert.equal(await text(), "Ours, and more.\n");
  });

  it("fails where its folder cannot be created, and says so", async () => {
    await writeFile(inProject(".claude"), "A file.\n");
    const { outcome, error } = await run({ confirm: false });
    assert.equal(outcome, "failed");
    assert.ok(error?.message.includes(PATH), error?.message);
    assert.equal(await readFile(inProject(".claude"), "utf8"), "A file.\n");
  });
});
