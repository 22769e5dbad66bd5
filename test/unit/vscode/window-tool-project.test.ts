/** What agents get of a project of the window: it stays the one of when they asked, and pushes are the window's. */
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { toToolProject } from "../../../src/vscode/window-tool-host.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { Uri } from "../support/vscode-stub.ts";

const { signal } = new AbortController();
/** The calls, and what a push ends with. */
let called: unknown[];
let result: object;
let hasEnded: boolean;
const connection = {
  get hasEnded() {
    return hasEnded;
  },
  client: () => {
    if (hasEnded) throw new Error("somebody signed in elsewhere");
    return "client";
  },
  indexTexts: async (...given: unknown[]) => void called.push("index", ...given),
  checkTexts: async (...given: unknown[]) => void called.push("check", ...given),
};
const open = { root: Uri.file("/app"), file: {}, files: {}, connection } as unknown as OpenProject;
const app = {
  documentUsages: { lookupOptions: () => ({ frameworks: new Set(["laravel"]) }) },
  usages: { reload: async (...given: unknown[]) => void called.push("usages", ...given) },
  run: async (...given: unknown[]) => {
    called.push(...given);
    return result;
  },
} as unknown as App;
beforeEach(() => {
  [called, hasEnded] = [[], false];
  result = { outcome: "done", result: { created: 2 } };
});

const push = async () => toToolProject(app, open).window?.push([{ hash: "a" }, { hash: "b" }] as never);

test("a push is that of the window, of these keys, without prompts", async () => {
  expect(await push()).toEqual(result);
  expect(called).toEqual([pushCommand, { folder: open.root, confirm: false, only: ["a", "b"] }]);
});

test("a push that fails says why; after a sign-in elsewhere nothing is pushed", async () => {
  result = { outcome: "failed", error: { code: "busy", message: "Try again later." } };
  await expect(push()).rejects.toThrow("Try again later.");
  called = [];
  hasEnded = true;
  await expect(push()).rejects.toThrow("elsewhere");
  expect(called).toEqual([]);
});

test("texts are indexed and checked, and code is searched, for this project", async () => {
  const tool = toToolProject(app, open);
  await tool.indexTexts(signal);
  await tool.checkTexts(signal);
  await tool.usages(signal);
  expect(called).toEqual(["index", signal, "check", expect.any(Array), signal, "usages", open, signal]);
  expect([tool.hasEnded, tool.client()]).toEqual([false, "client"]);
  hasEnded = true;
  expect(tool.hasEnded).toBe(true);
  expect([...tool.lookup.frameworks]).toEqual(["laravel"]);
});
