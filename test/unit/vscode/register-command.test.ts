/** What a command does around its work: options, needs, and what is shown, logged and returned when it fails or is cancelled. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import {
  CommandCancelled,
  CommandError,
  KeptInputError,
  PartialResultError,
  type CommandRun,
} from "../../../src/commands/command-types.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import {
  refreshCommand,
  refreshRowCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { showLogCommand } from "../../../src/features/status-bar/status-bar.ts";
import type { App } from "../../../src/vscode/app.ts";
import { Commands } from "../../../src/vscode/commands/register-command.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { recordingLog } from "../support/node-platform.ts";
import { builtInCommands, clickInNextMessage, commands, messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const log = recordingLog();
let shownLogs: number;
let registered: Commands;
/** Why there is no project; `null`: there is one. */
let noProject: CommandError | null;
/** The options of the commands that ran. */
let ran: (readonly [id: string, options: object])[];
let disposables: { dispose(): unknown }[];

const open = { ready: Promise.resolve(), connection: { kind: "connection" }, source: { isConnected: false } };
const app = {
  log: { ...log, show: () => void shownLogs++ },
  projects: {
    ready: Promise.resolve(),
    choose: async (): Promise<OpenProject> => {
      if (noProject !== null) throw noProject;
      return open as unknown as OpenProject;
    },
  },
} as unknown as App;

type Work = (options: object, run: CommandRun) => unknown;

/** Registers a command that needs a project. */
function register(work: Work, command: typeof listKeysCommand | typeof refreshRowCommand = listKeysCommand) {
  disposables.push(
    registered.register(command as typeof listKeysCommand, (_app, options, run) => {
      ran.push([command.id, options]);
      return work(options, run) as never;
    }),
  );
}

beforeEach(() => {
  shownLogs = 0;
  [noProject, ran, disposables] = [null, [], []];
  [log.lines, messages, builtInCommands].forEach((list) => (list.length = 0));
  Object.assign(app.projects, { ready: Promise.resolve() });
  registered = new Commands(() => app);
  for (const command of [signInCommand, signOutCommand])
    disposables.push(
      registered.register(
        command,
        async (_app, options) => {
          ran.push([command.id, options]);
          return { outcome: "cancelled" };
        },
        async () => open as unknown as OpenProject,
      ),
    );
});
afterEach(() => {
  for (const each of disposables) each.dispose();
});

const call = (...args: readonly unknown[]) => commands.executeCommand(listKeysCommand.id, ...args);
const fail = (error: unknown): Work => {
  return () => {
    throw error;
  };
};

test("its work gets the checked options, the project, and whether it is quiet", async () => {
  const given: unknown[] = [];
  register((options, run) => {
    given.push([options, (run as unknown as { open: unknown }).open, run.quiet]);
    return { outcome: "done", keys: [] };
  });
  expect(await call({ tag: "a" })).toEqual({ outcome: "done", keys: [] });
  expect(await call({ confirm: false })).toEqual({ outcome: "done", keys: [] });
  expect(await registered.run(listKeysCommand, { tag: "b" })).toEqual({ outcome: "done", keys: [] });
  expect(given).toEqual([
    [{ tag: "a" }, open, false],
    [{ confirm: false }, open, true],
    [{ tag: "b" }, open, false],
  ]);
  expect([messages, log.lines]).toEqual([[], []]);
});

test("a wrong option is named, its work does not begin, and a quiet call shows nothing", async () => {
  register(() => ({ outcome: "done" }));
  expect(await call({ tag: 3 })).toMatchObject({
    outcome: "failed",
    error: { code: "invalid", errors: { tag: [expect.any(String)] } },
  });
  expect(messages).toMatchObject([{ kind: "error", actions: ["Show Log"] }]);
  expect(await call({ tag: 3, confirm: false })).toMatchObject({ outcome: "failed" });
  expect(await call("text")).toMatchObject({ error: { code: "invalid" } });
  expect(messages).toHaveLength(2);
  expect(ran).toEqual([]);
});

test("its work begins once the projects of the window are known, also if it needs none", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(app.projects, { ready: promise });
  disposables.push(
    registered.register(showLogCommand, async () => {
      ran.push([showLogCommand.id, {}]);
      return { outcome: "done" };
    }),
  );
  const shown = registered.run(showLogCommand, {});
  await new Promise((passed) => setTimeout(passed));
  expect(ran).toEqual([]);
  resolve();
  expect(await shown).toEqual({ outcome: "done" });
  expect(ran).toHaveLength(1);
});

test("a row that is being loaded again says so, and its work does not begin", async () => {
  register(() => ({ outcome: "done" }), refreshRowCommand);
  expect(await commands.executeCommand(refreshRowCommand.id, undefined, undefined)).toMatchObject({
    error: { code: "not_found", message: "The list has just been updated. Choose the row again." },
  });
  expect(ran).toEqual([]);
});

test("a failure is logged, shown with what to do next, and returned; a quiet one is not shown", async () => {
  register(fail(new ApiError("busy", "busy")));
  expect(await call({ tag: "a" })).toMatchObject({ outcome: "failed", error: { code: "busy" } });
  expect(log.lines[0]).toMatch(/^projectTranslations\.listKeys failed \(busy\) ApiError/u);
  expect(messages).toMatchObject([{ kind: "error", actions: ["Try Again"] }]);
  clickInNextMessage("Try Again");
  await call({ tag: "b" });
  // The same call again, which fails again.
  await waitUntil(() => messages.length === 3);
  expect(ran.map(([, options]) => options)).toEqual([{ tag: "a" }, { tag: "b" }, { tag: "b" }]);
  await call({ confirm: false });
  expect(messages).toHaveLength(3);
  expect(log.lines).toHaveLength(4);
  // Only `false` is quiet: what is left out or refused is not.
  for (const confirm of [undefined, null]) await call({ confirm });
  expect(messages).toHaveLength(5);
});

test.each([
  ["unauthorized", "Sign In", signInCommand.id],
  ["forbidden", "Sign In", signInCommand.id],
] as const)("after %s, %s is offered for the same folder", async (kind, action, id) => {
  register(fail(new ApiError(kind, "refused")));
  clickInNextMessage(action);
  await call({ folder: "/app", tag: "a" });
  await waitUntil(() => ran.length === 2);
  expect(ran[1]).toEqual([id, { folder: "/app" }]);
  expect(messages).toMatchObject([{ actions: [action] }]);
});

test("after a refusal of an archived project, Sign Out is offered for the same folder", async () => {
  register(fail(new CommandError("forbidden", "Archived.", { reason: "archived" })));
  clickInNextMessage("Sign Out");
  await call({ folder: "/app" });
  await waitUntil(() => ran.length === 2);
  expect(ran[1]).toEqual([signOutCommand.id, { folder: "/app" }]);
});

test("in a folder that is not trusted, the trust editor is offered; else the log", async () => {
  register(fail(new CommandError("untrusted", "Not trusted.")));
  clickInNextMessage("Manage Workspace Trust");
  await call();
  await waitUntil(() => builtInCommands.length > 0);
  expect(builtInCommands).toEqual([["workbench.trust.manage"]]);
  register(fail(new Error("a fault")));
  clickInNextMessage("Show Log");
  expect(await call()).toMatchObject({ error: { code: "bad_response" } });
  await waitUntil(() => shownLogs === 1);
});

test("after an answer that cannot be read, both the same call and the log are offered", async () => {
  register(fail(new ApiError("bad_response", "no JSON")));
  await call();
  expect(messages.at(-1)?.actions).toEqual(["Try Again", "Show Log"]);
});

test("an error may bring an action of its own", async () => {
  const act = vi.fn();
  register(fail(new CommandError("not_found", "Not there.", {}, { label: "Push", act })));
  clickInNextMessage("Push");
  await call();
  await waitUntil(() => act.mock.calls.length > 0);
  expect(messages.at(-1)?.actions).toEqual(["Push"]);
});

test("what was typed is offered again, unless somebody has to sign in first or the cause has its own action", async () => {
  const retry = { label: "Edit Again", act: () => undefined };
  const actionsAfter = async (cause: unknown): Promise<readonly string[] | undefined> => {
    register(fail(new KeptInputError(cause, retry)));
    await call();
    return messages.at(-1)?.actions;
  };
  for (const cause of [new ApiError("offline", "offline"), new CommandError("file_changed", "changed")])
    expect(await actionsAfter(cause)).toEqual(["Edit Again"]);
  expect(await actionsAfter(new ApiError("unauthorized", "revoked"))).toEqual(["Sign In"]);
  expect(await actionsAfter(new CommandError("forbidden", "", { reason: "archived" }))).toEqual(["Sign Out"]);
  expect(await actionsAfter(new CommandError("untrusted", ""))).toEqual(["Manage Workspace Trust"]);
  const own = { label: "Open File", act: () => undefined };
  expect(await actionsAfter(new CommandError("invalid", "", {}, own))).toEqual(["Open File"]);
});

test("what needs a sign-in asks for it at once, unless it is quiet or its own work says so", async () => {
  register(() => ({ outcome: "done" }));
  noProject = new CommandError("not_signed_in", "Sign in first.");
  expect(await call({ folder: "/app" })).toEqual({
    outcome: "failed",
    error: { code: "not_signed_in", message: "Sign in first." },
  });
  await waitUntil(() => ran.length > 0);
  expect(ran).toEqual([[signInCommand.id, { folder: "/app" }]]);
  expect(messages).toEqual([]);
  expect(await call({ confirm: false })).toMatchObject({ error: { code: "not_signed_in" } });
  // Signed out while it worked: that is said.
  noProject = null;
  register(fail(new CommandError("not_signed_in", "Signed out meanwhile.")));
  await call();
  expect(messages).toMatchObject([{ text: "Signed out meanwhile.", actions: ["Sign In"] }]);
  // Nobody was asked a second time, also not a moment later.
  expect(ran.map(([id]) => id)).toEqual([signInCommand.id, listKeysCommand.id]);
});

test("what misses something else than a sign-in says so, and asks for none", async () => {
  register(() => ({ outcome: "done" }));
  noProject = new CommandError("untrusted", "Not trusted.");
  expect(await call()).toMatchObject({ outcome: "failed", error: { code: "untrusted" } });
  expect(messages).toMatchObject([{ text: "Not trusted.", actions: ["Manage Workspace Trust"] }]);
  // Also that the token is not accepted any more, which a new sign-in would hide.
  noProject = new CommandError("unauthorized", "Not accepted.");
  expect(await call()).toMatchObject({ outcome: "failed", error: { code: "unauthorized" } });
  expect(messages.at(-1)).toMatchObject({ text: "Not accepted.", actions: ["Sign In"] });
  await new Promise((passed) => setTimeout(passed));
  expect(ran).toEqual([]);
});

test("a refusal of the service is explained by what its project is", async () => {
  const source = { isConnected: false, refusal: "archived" };
  const archived = { ...open, source } as unknown as OpenProject;
  vi.spyOn(app.projects, "choose").mockResolvedValue(archived);
  register(fail(new ApiError("forbidden", "refused", { status: 403 })));
  expect(await call()).toMatchObject({ error: { code: "forbidden", reason: "archived" } });
  expect(messages.at(-1)?.actions).toEqual(["Sign Out"]);
});

test("keys that the service refuses are named as the project writes them", async () => {
  const spelled = { ...open, namespaceSeparator: "/", unwrittenNamespaces: new Set(["common"]) };
  vi.spyOn(app.projects, "choose").mockResolvedValue(spelled as unknown as OpenProject);
  const item = { key: "title", context: null, field: "value", messages: ["too long"] };
  const items = [{ ...item, namespace: "shop" }];
  register(fail(new ApiError("invalid", "refused", { items })));
  expect(await call()).toMatchObject({
    error: { message: expect.stringMatching(/^The service refused shop\/title: too long\./u) },
  });
});

test("a dismissed prompt is no failure", async () => {
  register(fail(new CommandCancelled()));
  expect(await call()).toEqual({ outcome: "cancelled" });
  expect([messages, log.lines]).toEqual([[], []]);
});

test("what was done before a cancellation or a failure is in the result, and said", async () => {
  const partly = (cause: unknown) => new PartialResultError("Archived 2 keys.", { archived: 2 }, cause);
  register(fail(partly(new CommandCancelled())));
  expect(await call()).toEqual({ outcome: "cancelled", archived: 2 });
  expect(messages).toMatchObject([{ kind: "warning", text: "Archived 2 keys." }]);
  expect(log.lines).toEqual(["projectTranslations.listKeys was cancelled. Archived 2 keys."]);
  expect(await call({ confirm: false })).toEqual({ outcome: "cancelled", archived: 2 });
  expect(messages).toHaveLength(1);
  register(fail(partly(new ApiError("offline", "offline"))));
  expect(await call()).toMatchObject({
    outcome: "failed",
    archived: 2,
    error: { code: "offline", message: expect.stringMatching(/^Archived 2 keys\. ./u) },
  });
  expect(messages.at(-1)).toMatchObject({ kind: "error", actions: ["Try Again"] });
});

test("a command that is not registered cannot be run by another one", async () => {
  await expect(registered.run(refreshCommand, {})).rejects.toThrow("refresh is not registered");
  disposables.push(registered.register(showLogCommand, async () => ({ outcome: "done" })));
  noProject = new CommandError("no_project", "None.");
  // It needs none.
  expect(await registered.run(showLogCommand, {})).toEqual({ outcome: "done" });
});
