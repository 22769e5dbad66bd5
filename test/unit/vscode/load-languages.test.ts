/** All languages of a small project are read in the background, once it is connected. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { loadLanguages } from "../../../src/vscode/projects/load-languages.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let project: TestWindow["project"];
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  commands = createCommandRunner(window, rootOf(shop), [registerPush]);
  await commands.run(pushCommand, {});
  const name = { namespace: "cart", key: "title", context: null };
  for (const locale of ["nl", "fr"])
    await window.client.writeTranslations(
      locale,
      [{ ...name, hash: keyHash(name), value: "Text" }],
      "overwrite",
    );
  project = window.project;
  project.setStats(await window.client.stats(), project.freshness);
});
afterEach(() => shop.close());

const read = async (): Promise<string[]> => {
  window.takeRequests();
  await loadLanguages(commands.app, commands.open);
  return window.takeRequests().flatMap((request) => /\/translations\/(\w+)/u.exec(request)?.[1] ?? []);
};

test("not before, then each once", async () => {
  const { session } = project;
  project.setSession({ kind: "unknown", isTokenStored: true });
  expect(await read()).toEqual([]);
  project.setSession(session);
  expect(new Set(await read())).toEqual(new Set(["nl", "fr"]));
  expect(await read()).toEqual([]);
});

test("those of a project with many keys, or with many languages, are not", async () => {
  const size = vi.spyOn(project.keys, "size", "get").mockReturnValue(1_001);
  expect(await read()).toEqual([]);
  size.mockRestore();
  const stats = await window.client.stats();
  const [source] = stats.languages.filter(({ isSource }) => isSource);
  if (source === undefined) throw new Error("there is a source language");
  const targets = Array.from({ length: 13 }, (_, number) => ({
    ...source,
    isSource: false,
    locale: `x${number}`,
  }));
  project.setStats({ ...stats, languages: [source, ...targets] }, project.freshness);
  expect(await read()).toEqual([]);
});

test("a project with the source language alone has none, and then the one that is added", async () => {
  const stats = await window.client.stats();
  project.setStats(
    { ...stats, languages: stats.languages.filter(({ isSource }) => isSource) },
    project.freshness,
  );
  expect(await read()).toEqual([]);
  project.setStats(stats, project.freshness);
  expect(new Set(await read())).toEqual(new Set(["nl", "fr"]));
});

test("a language that cannot be read is logged, and nothing fails", async () => {
  window.goOffline();
  expect(await read()).not.toEqual([]);
  expect(window.log.lines.some((line) => line.startsWith("Not every language could be read: "))).toBe(true);
  // Nor is it asked for again and again.
  expect(await read()).toEqual([]);
});
