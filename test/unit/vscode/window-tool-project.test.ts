/** What agents get of a project of the window: it stays the one of when they asked, and pushes are the window's. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { toToolProject, windowToolHost } from "../../../src/vscode/window-tool-host.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { Uri, workspace } from "../support/vscode-stub.ts";

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
const project = { root: Uri.file("/app"), file: {}, files: {}, connection };
const open = project as unknown as OpenProject;
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

test("what an agent got of a project stays that of its connection when somebody signs in elsewhere", () => {
  const own = { ...project };
  const tool = toToolProject(app, own as unknown as OpenProject);
  Object.assign(own, { connection: { hasEnded: false, client: () => "another client" } });
  expect([tool.project, tool.hasEnded, tool.client()]).toEqual([connection, false, "client"]);
  hasEnded = true;
  expect(tool.hasEnded).toBe(true);
  expect(() => tool.client()).toThrow("elsewhere");
});

test("texts are indexed and checked, and code is searched, for this project", async () => {
  const tool = toToolProject(app, open);
  await tool.indexTexts(signal);
  await tool.checkTexts(signal);
  await tool.usages(signal);
  expect(called).toEqual(["index", signal, "check", ["colon"], signal, "usages", open, signal]);
  expect([tool.hasEnded, tool.client()]).toEqual([false, "client"]);
  hasEnded = true;
  expect(tool.hasEnded).toBe(true);
  expect([...tool.lookup.frameworks]).toEqual(["laravel"]);
});

afterEach(() => {
  workspace.isTrusted = true;
});

test("the project is the one that is named, else the active one, once it is known what is on disk and signed in to", async () => {
  const steps: string[] = [];
  const ready = (name: string) => ({
    // Whoever waits for it.
    then: (done: (value: undefined) => void) => {
      steps.push(name);
      done(undefined);
    },
  });
  const source = { hasService: false, isKnown: true };
  const projectAt = (label: string) => ({
    ...project,
    label,
    source,
    ready: ready(`${label} is ready`),
    local: {
      reload: async (given: unknown) => void steps.push(`${label} is read`, String(given === signal)),
    },
    loadLocal: async () => void steps.push(`${label} is shown`),
    client: () => {
      steps.push(`${label} has a client`);
      throw new Error("nobody is signed in");
    },
  });
  const [shop, blog] = [projectAt("shop"), projectAt("blog")];
  const host = windowToolHost({
    ...app,
    projects: { ready: ready("projects"), all: [shop, blog], active: blog },
  } as unknown as App);
  const asked = async (label: string | undefined): Promise<readonly unknown[]> => {
    steps.length = 0;
    const found = await host.project(label, signal).then(
      ({ file }) => file === open.file,
      (error: Error) => error.message,
    );
    return [found, ...steps];
  };
  const known = (label: string) => [
    "projects",
    `${label} is ready`,
    `${label} is read`,
    "true",
    `${label} is shown`,
  ];
  expect(await asked(undefined)).toEqual([true, ...known("blog")]);
  expect(await asked("shop")).toEqual([true, ...known("shop")]);
  // Without files and a service there is nothing to ask, and with a service its client is needed.
  source.isKnown = false;
  expect(await asked("shop")).toEqual(["nobody is signed in", ...known("shop"), "shop has a client"]);
  Object.assign(source, { isKnown: true, hasService: true });
  expect(await asked("shop")).toEqual([
    "nobody is signed in",
    "projects",
    "shop is ready",
    "shop has a client",
  ]);
  workspace.isTrusted = false;
  expect((await asked("shop")).slice(1)).toEqual(["projects"]);
});
