/** Unsaved texts of another project of the folder. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KnownProjects, personalProject } from "../../../src/database/personal/known-projects.ts";
import { LOCAL_PROJECT, PersonalData } from "../../../src/database/personal/personal-data.ts";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import type { App } from "../../../src/vscode/app.ts";
import {
  registerKeptDrafts,
  takeOverDraftsCommand,
} from "../../../src/features/translation-editor/kept-drafts.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { messages, pickInNextList, window as vscodeWindow } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const OTHER = "https://service.example/v1";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** With which options the translation editor was opened. */
let opened: object[];
const recordEditor = (app: App): void =>
  app.command(openEditorCommand, async (_app, options) => {
    opened.push(options);
    return { outcome: "done" };
  });
beforeEach(async () => {
  opened = [];
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  commands = createCommandRunner(window, rootOf(shop), [registerKeptDrafts, recordEditor]);
});
afterEach(() => shop.close());

function put(project: string, ...hashes: readonly string[]): void {
  const { database } = window.project.personal;
  const drafts = new TranslationDraftRepository(new PersonalData(database, project), window.database);
  drafts.put(
    hashes.map((hash) => ({
      locale: "nl",
      hash,
      text: { value: hash },
      base: null,
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    })),
  );
}
const here = (): string[] => Array.from(window.project.drafts.all(), ({ hash }) => hash);

test("are offered once, for the folder that has them, and taken over when that is clicked", async () => {
  put(LOCAL_PROJECT, "a");
  messages.length = 0;
  const answer = Promise.withResolvers<string>();
  const shown = vi.spyOn(vscodeWindow, "showInformationMessage").mockReturnValueOnce(answer.promise);
  const asked = vi.spyOn(commands.app, "run");
  commands.connect(commands.open);
  commands.connect(commands.open);
  expect(shown.mock.calls).toEqual([
    [
      "Kept from the local files, typed without signing in: 1 unsaved text. Take over to save to “Test”; otherwise it is there again when you sign out.",
      "Take Over…",
    ],
  ]);
  // And once for another project that the folder is signed in to.
  const { personal } = window.project;
  const { project } = personal;
  for (const id of [personalProject(OTHER, "7"), project]) {
    Object.assign(personal, { project: id });
    commands.connect(commands.open);
    expect(shown).toHaveBeenCalledTimes(2);
  }
  answer.resolve("Take Over…");
  pickInNextList((items) => items);
  await waitUntil(() => asked.mock.calls.length > 0);
  expect(asked.mock.calls[0]?.[1]).toEqual({ folder: commands.open.root });
});

test("are taken over if they probably are this project's, and others stay where they are", async () => {
  const known = new KnownProjects(window.project.personal.database);
  known.put(OTHER, { id: "1", slug: "test", name: "Test" });
  known.put(OTHER, { id: "2", slug: "blog", name: "Blog" });
  put(LOCAL_PROJECT, "a", "b");
  put(personalProject(OTHER, "1"), "c");
  put(personalProject(OTHER, "2"), "d");
  put(window.project.personal.project, "b");
  expect(await commands.run(takeOverDraftsCommand, {})).toEqual({ outcome: "done", moved: 2 });
  expect(here().toSorted()).toEqual(["a", "b", "c"]);
  const left = known.keptDrafts(window.project.personal.project);
  expect(left.map(({ slug, count }) => [slug, count])).toEqual(
    expect.arrayContaining([
      ["blog", 1],
      [null, 1],
    ]),
  );
  expect(await commands.run(takeOverDraftsCommand, {})).toEqual({ outcome: "unchanged", moved: 0 });
});

test("as a user chooses them: what is likely is checked, what cannot be moved is said, and the rest is shown", async () => {
  const known = new KnownProjects(window.project.personal.database);
  known.put(OTHER, { id: "1", slug: "test", name: "Test" });
  known.put(OTHER, { id: "2", slug: "blog", name: "Blog" });
  put(LOCAL_PROJECT, "a", "b");
  put(personalProject(OTHER, "1"), "c");
  put(personalProject(OTHER, "2"), "d");
  put(window.project.personal.project, "b");
  // Of a project with the same slug it is said that it may be another one.
  messages.length = 0;
  commands.connect(commands.open);
  expect(messages.map(({ text }) => text).toSorted()).toEqual([
    "Kept from the local files, typed without signing in: 2 unsaved texts. Take over to save to “Test”; otherwise it is there again when you sign out.",
    "Kept of another project called “Test”: 1 unsaved text. Take over only if it is the same project.",
  ]);
  messages.length = 0;
  pickInNextList((items, { title, canPickMany }) => {
    expect([title, canPickMany]).toEqual(["Take Over Unsaved Texts", true]);
    const rows = items.map((item) => [item.label, item.description, (item as { picked?: boolean }).picked]);
    expect(rows).toEqual([
      ["Local files", "2 unsaved texts", true],
      ["Test", "1 unsaved text", true],
      ["Blog", "1 unsaved text", false],
    ]);
    return items.filter(({ label }) => label === "Local files");
  });
  expect(await commands.ask(takeOverDraftsCommand, {})).toEqual({ outcome: "done", moved: 1 });
  expect(here().toSorted()).toEqual(["a", "b"]);
  // What was not chosen is not said to be left.
  expect(messages.map(({ text }) => text)).toEqual([
    "Left where they are: 1 unsaved text. The same texts have unsaved changes here.",
  ]);
  expect(opened).toEqual([{ folder: commands.open.root, filter: "unsaved" }]);
  // And then that text again, which still cannot be moved.
  pickInNextList((items) => items.filter(({ label }) => label === "Local files"));
  expect(await commands.ask(takeOverDraftsCommand, {})).toEqual({ outcome: "unchanged", moved: 0 });
  expect([messages.length, opened.length]).toEqual([2, 1]);
  pickInNextList((items) => items.filter(({ label }) => label !== "Local files"));
  expect(await commands.ask(takeOverDraftsCommand, {})).toEqual({ outcome: "done", moved: 2 });
  expect([messages.length, opened.length, here().toSorted()]).toEqual([2, 2, ["a", "b", "c", "d"]]);
  // With nothing left there is no list.
  window.project.drafts.remove([{ locale: "nl", hash: "b" }]);
  pickInNextList((items) => items);
  expect(await commands.ask(takeOverDraftsCommand, {})).toEqual({ outcome: "done", moved: 1 });
  expect(await commands.ask(takeOverDraftsCommand, {})).toEqual({ outcome: "unchanged", moved: 0 });
  expect(messages.at(-1)?.text).toBe("There are no unsaved texts of another project.");
  // Signed out, nothing is offered.
  put(personalProject(OTHER, "1"), "e");
  window.project.setSession({ kind: "signed-out" });
  const { length } = messages;
  commands.connect(commands.open);
  expect(messages).toHaveLength(length);
});
