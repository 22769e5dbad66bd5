/** The local service in a window: which project it serves, and what happens when it, or its window, is gone. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
  startLocalServiceCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { stopLocalServiceCommand } from "../../../src/features/local-service/local-service-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { showDiagnosisCommand } from "../../../src/commands/declarations/window-commands.ts";
import { startService } from "../../../src/local-service/start-service.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { contextKeyIs, type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import {
  builtInCommands,
  clickInNextMessage,
  env,
  messages,
  pickInNextList,
  tools,
  trustGranted,
  Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const LARAVEL = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
  "lang/nl/cart.php": "<?php\n\nreturn ['title' => 'Je mandje'];\n",
};

let editor: Editor;
afterEach(() => editor.close());

const isSignedIn = (): Promise<void> => contextKeyIs("state", "signed-in");
async function report(): Promise<string> {
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  return text;
}
/** A line of the diagnosis. */
const diagnosis = async (name: string): Promise<string | undefined> =>
  (await report()).split("\n").find((line) => line.startsWith(`- ${name}: `));
const portOf = (started: object): number =>
  Number(new URL((started as { readonly baseUrl: string }).baseUrl).port);

/** Keeps a port from being used. */
async function occupy(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}
async function freePort(): Promise<number> {
  const server = await occupy(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

describe("the project that is served", () => {
  test("is chosen, and nothing is started if that is dismissed", async () => {
    editor = await openEditor({ files: LARAVEL });
    // Written a moment ago, and not seen by any watcher yet.
    await editor.write("lang/de/cart.php", "<?php\n\nreturn ['title' => 'Dein Korb'];\n");
    pickInNextList((items) => {
      expect(items.map(({ label, description }) => [label, description])).toMatchInlineSnapshot(`
        [
          [
            "$(folder) Project for this app",
            "laravel: en → de, nl",
          ],
          [
            "$(database) Project in a file…",
            "saved for next time",
          ],
          [
            "$(beaker) Demo project",
            "a web shop in five languages",
          ],
        ]
      `);
      return undefined;
    });
    expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
    expect(await editor.run(stopLocalServiceCommand, {})).toEqual({ outcome: "unchanged" });
    pickInNextList("Project for this app");
    const started = await editor.ask(startLocalServiceCommand, {});
    expect(started).toMatchObject({ outcome: "done" });
    const { baseUrl = "", token = "" } = started as { readonly baseUrl?: string; readonly token?: string };
    expect(messages.at(-1)).toEqual({
      kind: "information",
      text: `The local service runs at ${baseUrl} until this window closes.`,
      actions: ["Sign In", "Copy Token"],
    });
    const languages = await fetch(`${baseUrl}/stats`, { headers: { authorization: `Bearer ${token}` } });
    expect(await languages.text()).toContain('"nl"');
    // It is asked only what is not running yet.
    clickInNextMessage("Copy Token");
    expect(await editor.ask(startLocalServiceCommand, {})).toMatchObject({ outcome: "unchanged", baseUrl });
    await waitUntil(async () => (await env.clipboard.readText()) === token);
    expect(await diagnosis("Session")).toBe("- Session: signed out");
    const { command } = await editor.row("languages", "Sign In to the Local Service");
    expect([command?.command, command?.arguments]).toMatchObject([
      startLocalServiceCommand.id,
      [{ signIn: true }],
    ]);
    clickInNextMessage("Sign In");
    await editor.ask(startLocalServiceCommand, {});
    await isSignedIn();
  });

  test("of a file keeps what that says of its languages", async () => {
    editor = await openEditor({ files: LARAVEL });
    const data = join(dirname(editor.folder), "mine.db");
    const choose = vi.spyOn(window, "showSaveDialog");
    choose.mockResolvedValueOnce(undefined);
    pickInNextList("Project in a file…");
    expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
    let settings = "";
    for (const isNew of [true, false]) {
      choose.mockResolvedValueOnce(Uri.file(data));
      pickInNextList("Project in a file…");
      // Also if it had another one before.
      const port = await freePort();
      const started = await editor.ask(startLocalServiceCommand, { port });
      expect([started.outcome, portOf(started)]).toEqual(["done", port]);
      // Only for a new file the settings are those of the app.
      const now = await readFile(`${data}.project.json`, "utf8");
      if (isNew) settings = now;
      expect([now, now.includes('"de"')]).toEqual([settings, false]);
      if (!isNew) break;
      await editor.write("lang/de/cart.php", "<?php\n\nreturn ['title' => 'Dein Korb'];\n");
      await editor.ask(stopLocalServiceCommand, {});
      expect(messages.at(-1)?.text).toBe(`The local service has stopped. Its project is kept in ${data}.`);
    }
  });

  test("is that of the app, started once although it is asked for twice, and others stay signed in", async () => {
    const files = Object.entries(LARAVEL).flatMap(([path, text]) =>
      ["site", "shop"].map((app) => [`${app}/${path}`, text] as const),
    );
    editor = await openEditor({ files: Object.fromEntries(files), folders: ["site", "shop"] });
    const site = editor.uri("site").fsPath;
    const shop = editor.uri("shop").fsPath;
    await editor.write("../service.json", JSON.stringify(DUTCH_SHOP));
    const service = await startService({ project: join(editor.folder, "../service.json") });
    try {
      const { baseUrl, token } = service;
      await editor.run(signInCommand, { folder: site, baseUrl, token });
      const [first, second] = await Promise.all([
        editor.run(startLocalServiceCommand, { folder: shop, signIn: true }),
        editor.run(startLocalServiceCommand, { folder: shop }),
      ]);
      expect([first.outcome, second.outcome].toSorted()).toEqual(["done", "unchanged"]);
      expect(portOf(first)).toBe(portOf(second));
      const sessions = async () =>
        (await report())
          .split("\n")
          .filter((line) => /^## (?:site|shop)|^- (?:Session|Base URL)/u.test(line));
      const atSite = ["## site", `- Base URL: ${baseUrl}`, "- Session: Shop (shop), reading and writing"];
      await waitUntil(async () => (await sessions())[2]?.endsWith("writing"));
      expect(await sessions()).toEqual([
        "## shop",
        `- Base URL: http://127.0.0.1:${portOf(first)}/v1`,
        "- Session: shop (shop), reading and writing",
        ...atSite,
      ]);
      await editor.ask(stopLocalServiceCommand, {});
      expect(messages.at(-1)?.text).toContain("You are signed out of it");
      expect(await sessions()).toEqual([
        "## shop",
        "- Base URL: none usable",
        "- Session: signed out",
        ...atSite,
      ]);
    } finally {
      await service.stop();
    }
  });

  test("that is the demo gets no texts of another app", async () => {
    editor = await openEditor({ files: LARAVEL });
    expect(await editor.run(startLocalServiceCommand, { demo: true, signIn: true })).toMatchObject({
      error: { code: "invalid", message: expect.stringContaining("“app” has translation files of its own") },
    });
    expect(await editor.ask(startLocalServiceCommand, { demo: true })).toEqual({ outcome: "cancelled" });
    const [, folder, options] = builtInCommands.findLast(([id]) => id === "vscode.openFolder") ?? [];
    expect((folder as Uri).path.endsWith("/demo/webshop")).toBe(true);
    expect(options).toEqual({ forceNewWindow: true });
    // What somebody has changed there stays.
    const sample = join((folder as Uri).fsPath, "composer.json");
    expect(existsSync(sample)).toBe(true);
    await writeFile(sample, "{}");
    const before = builtInCommands.length;
    pickInNextList("Demo project");
    expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
    expect(builtInCommands.slice(before).map(([id]) => id)).toContain("vscode.openFolder");
    expect(await readFile(sample, "utf8")).toBe("{}");
    const shown = editor.follow("languages");
    expect(await editor.run(startLocalServiceCommand, { demo: true })).toMatchObject({ outcome: "done" });
    // A sign-in to it is offered where the languages are.
    await waitUntil(() => shown()[0] === "Sign In to the Local Service");
    expect(await diagnosis("Session")).toBe("- Session: signed out");
    const databases = await readdir(join(editor.stored.folder, "local-service"));
    expect(databases.filter((name) => name.endsWith(".db"))).toEqual([expect.stringMatching(/-demo\.db$/u)]);
  });
});

describe("the folder of the demo", () => {
  const DEMO = "../storage/demo/webshop";
  const files = Object.fromEntries(Object.entries(LARAVEL).map(([path, text]) => [`${DEMO}/${path}`, text]));

  test("starts the demo, and signs in to it, once it is trusted", async () => {
    workspace.isTrusted = false;
    editor = await openEditor({ files, folders: [DEMO] });
    await contextKeyIs("state", "untrusted");
    expect(await editor.run(stopLocalServiceCommand, {})).toEqual({ outcome: "unchanged" });
    workspace.isTrusted = true;
    trustGranted.fire();
    await isSignedIn();
    expect(await diagnosis("Session")).toBe("- Session: Webshop (webshop), reading and writing");
  });
});

/** An agent proposes a translation, which nobody has saved. */
async function propose(text: string): Promise<void> {
  const input = { locale: "nl", translations: [{ namespace: "cart", key: "title", text }] };
  const tool = tools.get("project_translations_stage_translations");
  const { content } = (await tool?.invoke({ input }, NOT_CANCELLED)) ?? { content: [] };
  expect(content[0]?.value).toContain('"staged":1');
}

describe("a service that ends", () => {
  test("has its port again, or another one, with what nobody has saved yet", async () => {
    editor = await openEditor({ files: LARAVEL });
    const first = await editor.run(startLocalServiceCommand, { signIn: true });
    await isSignedIn();
    expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "done" });
    await propose("Mijn mandje");
    await editor.ask(stopLocalServiceCommand, {});
    expect(messages.at(-1)?.text).toMatch(
      /^The local service has stopped\. .* You are signed out of it.* Kept until .*: 1 unsaved text\.$/u,
    );
    const again = await editor.run(startLocalServiceCommand, { signIn: true });
    expect(portOf(again)).toBe(portOf(first));
    await isSignedIn();
    expect(await diagnosis("Unsaved texts")).toBe("- Unsaved texts: 1");
    await editor.run(stopLocalServiceCommand, {});
    const other = await occupy(portOf(first));
    const elsewhere = await editor.run(startLocalServiceCommand, { signIn: true });
    other.close();
    expect(portOf(elsewhere)).not.toBe(portOf(first));
    await isSignedIn();
    expect(await diagnosis("Unsaved texts")).toBe("- Unsaved texts: 1");
  });

  test("with its window is offered to be started again there", async () => {
    editor = await openEditor({ files: LARAVEL });
    const data = join(dirname(editor.folder), "mine.db");
    const first = await editor.run(startLocalServiceCommand, { data, signIn: true });
    await isSignedIn();
    await editor.run(pushCommand, {});
    await editor.reload();
    const offer = () => messages.filter(({ text }) => text.includes("which is not running"));
    await waitUntil(() => offer().length > 0);
    expect(offer()).toMatchInlineSnapshot(`
      [
        {
          "actions": [
            "Start Local Service",
            "Sign Out",
          ],
          "kind": "warning",
          "text": "“Project” is signed in to the local service, which is not running.",
        },
      ]
    `);
    // Once is enough.
    const changed = editor.follow("activity");
    await editor.run(refreshCommand, {});
    await waitUntil(() => changed().length > 0);
    await editor.run(refreshCommand, {});
    expect(offer()).toHaveLength(1);
    await editor.reload(() => clickInNextMessage("Start Local Service"));
    await contextKeyIs("serviceRunning", true);
    await waitUntil(async () => (await editor.run(pushCommand, {})).outcome === "unchanged");
    expect(await diagnosis("Base URL")).toContain(`:${portOf(first)}/`);
    await editor.reload(() => clickInNextMessage("Sign Out"));
    await contextKeyIs("state", "signed-out");
    await editor.run(signOutCommand, {});
  });
});
