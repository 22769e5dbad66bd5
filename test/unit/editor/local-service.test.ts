/** The local service in a window: which project it serves, and what happens when it, or its window, is gone. */
import { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
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
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
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
  statusBarItems,
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

/** The same app twice, in a folder each. */
const TWO_APPS = Object.fromEntries(
  Object.entries(LARAVEL).flatMap(([path, text]) => ["site", "shop"].map((app) => [`${app}/${path}`, text])),
);

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

/** The languages of the project that is served. */
async function languagesOf(started: object): Promise<readonly string[]> {
  const { baseUrl, token } = started as { readonly baseUrl: string; readonly token: string };
  const answer = await fetch(`${baseUrl}/stats`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as {
    readonly data: { readonly languages: readonly { readonly locale: string }[] };
  };
  return data.languages.map(({ locale }) => locale);
}

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

/** Kills the process of the service. */
function crash(): void {
  const running = Reflect.get(process, "_getActiveHandles") as () => readonly object[];
  const found = running().find(
    (each) => each instanceof ChildProcess && each.spawnargs.some((given) => given.endsWith("service.mjs")),
  );
  (found as ChildProcess).kill("SIGKILL");
}
const offers = () => messages.filter(({ text }) => text.includes("which is not running"));
/** Waits until a window has seen that a service does not answer, and what it says then. */
async function isOffline(): Promise<void> {
  await editor.run(refreshCommand, {});
  await waitUntil(
    () => statusBarItems.get("projectTranslations.status")?.text.startsWith("$(debug-disconnect)") === true,
  );
  await report();
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
    // No file.
    expect(await editor.run(startLocalServiceCommand, { data: editor.folder })).toMatchObject({
      error: { code: "offline", message: expect.stringMatching(/^The local service did not start: /u) },
    });
    pickInNextList("Project for this app");
    const started = await editor.ask(startLocalServiceCommand, {});
    expect(started).toMatchObject({ outcome: "done" });
    const { baseUrl = "", token = "" } = started as { readonly baseUrl?: string; readonly token?: string };
    expect(messages.at(-1)).toEqual({
      kind: "information",
      text: `The local service runs at ${baseUrl} until this window closes.`,
      actions: ["Sign In", "Copy Token"],
    });
    expect(await languagesOf(started)).toEqual(["en", "de", "nl"]);
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
    // The next time it has the languages of the files of then, too.
    await editor.ask(stopLocalServiceCommand, {});
    await rm(join(editor.folder, "lang/de"), { recursive: true });
    await editor.write("lang/fr/cart.php", "<?php\n\nreturn ['title' => 'Votre panier'];\n");
    const shown = messages.length;
    expect(await languagesOf(await editor.run(startLocalServiceCommand, {}))).toEqual([
      "en",
      "de",
      "nl",
      "fr",
    ]);
    await editor.run(stopLocalServiceCommand, {});
    expect(messages).toHaveLength(shown);
  });

  test("in a window without a folder is the demo, which is opened there, or one of its own", async () => {
    editor = await openEditor({ files: {}, folders: [] });
    pickInNextList(([first]) => first);
    expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
    const [, , options] = builtInCommands.findLast(([id]) => id === "vscode.openFolder") ?? [];
    expect(options).toEqual({ forceNewWindow: false });
    pickInNextList("Project for this app");
    const own = await editor.ask(startLocalServiceCommand, {});
    expect(await languagesOf(own)).toEqual(["en", "nl", "de", "fr"]);
    const folder = join(editor.stored.folder, "local-service");
    const names = (await readdir(folder)).filter((name) => name.endsWith(".db"));
    expect(names).toEqual(["no-folder.db"]);
  });

  test("of a file keeps what that says of its languages", async () => {
    editor = await openEditor({ files: LARAVEL });
    const data = join(dirname(editor.folder), "mine.db");
    const choose = vi.spyOn(window, "showSaveDialog");
    choose.mockResolvedValueOnce(undefined);
    pickInNextList("Project in a file…");
    expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
    let settings = "";
    // Damaged ones are written anew.
    await writeFile(`${data}.project.json`, "{");
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
    editor = await openEditor({ files: TWO_APPS, folders: ["site", "shop"] });
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
      // What this machine did not start cannot be started again.
      await service.stop();
      await editor.show("site/lang/en/cart.php");
      await isOffline();
      expect(offers()).toEqual([]);
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
    const port = await freePort();
    const started = await editor.run(startLocalServiceCommand, { demo: true, port });
    expect([started.outcome, portOf(started)]).toEqual(["done", port]);
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
    // Longer than a start takes to find its database.
    await editor.run(findUnusedCommand, {});
    expect(existsSync(join(editor.stored.folder, "local-service"))).toBe(false);
    workspace.isTrusted = true;
    trustGranted.fire();
    await isSignedIn();
    expect(await diagnosis("Session")).toBe("- Session: Webshop (webshop), reading and writing");
    // It starts by itself, so it is not offered.
    crash();
    await contextKeyIs("serviceRunning", false);
    await isOffline();
    expect(offers()).toEqual([]);
    await editor.reload();
    await contextKeyIs("serviceRunning", true);
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
  test("has its port again, or another one, with what nobody has saved yet in any app, and is offered if it crashes", async () => {
    editor = await openEditor({ files: TWO_APPS, folders: ["site", "shop"] });
    const [site = "", shop = ""] = ["site", "shop"].map((app) => editor.uri(app).fsPath);
    const signIn = async (started: object): Promise<void> => {
      const { baseUrl, token } = started as { readonly baseUrl: string; readonly token: string };
      for (const folder of [site, shop]) {
        const signedIn = await editor.run(signInCommand, { folder, baseUrl, token });
        expect(signedIn).toMatchObject({ project: { slug: "shop" } });
      }
    };
    // Without an option it is that of the editor.
    await editor.show("shop/lang/en/cart.php");
    const first = await editor.run(startLocalServiceCommand, {});
    await signIn(first);
    for (const app of ["site", "shop"]) {
      await editor.show(`${app}/lang/en/cart.php`);
      await editor.run(pushCommand, {});
      await propose(`Mandje van ${app}`);
    }
    expect(await editor.ask(stopLocalServiceCommand, {})).toEqual({ outcome: "done" });
    expect(messages.at(-1)?.text).toMatch(
      /^The local service has stopped\. .* You are signed out of it.* Kept until .*: 2 unsaved texts\.$/u,
    );
    expect((await report()).match(/^- Session: signed out$/gmu)).toHaveLength(2);
    const unsaved = async () =>
      (await report()).split("\n").filter((line) => line.startsWith("- Unsaved texts: "));
    const other = await occupy(portOf(first));
    const elsewhere = await editor.run(startLocalServiceCommand, { folder: shop });
    other.close();
    expect(portOf(elsewhere)).not.toBe(portOf(first));
    await signIn(elsewhere);
    expect(await unsaved()).toEqual(["- Unsaved texts: 1", "- Unsaved texts: 1"]);
    const shown = messages.length;
    await editor.run(stopLocalServiceCommand, {});
    expect(messages).toHaveLength(shown);
    const again = await editor.run(startLocalServiceCommand, { folder: shop });
    expect(portOf(again)).toBe(portOf(elsewhere));
    await signIn(again);
    expect(await unsaved()).toEqual(["- Unsaved texts: 1", "- Unsaved texts: 1"]);
    await contextKeyIs("serviceRunning", true);
    for (const folder of [site, shop]) await editor.run(refreshCommand, { folder });
    expect(offers()).toEqual([]);
    // While the app of the other editor is shown it is that of the offer, and nothing is asked.
    await editor.show("site/lang/en/cart.php");
    crash();
    await contextKeyIs("serviceRunning", false);
    clickInNextMessage("Start Local Service");
    await editor.run(refreshCommand, { folder: shop });
    await contextKeyIs("serviceRunning", true);
    expect(await editor.run(startLocalServiceCommand, {})).toEqual({ ...again, outcome: "unchanged" });
    expect(offers()).toHaveLength(1);
  });

  test("with its window is offered to be started again there", async () => {
    editor = await openEditor({ files: LARAVEL });
    const data = join(dirname(editor.folder), "mine.db");
    const port = await freePort();
    const first = await editor.run(startLocalServiceCommand, {
      data: Uri.file(data),
      port,
      demo: true,
      signIn: true,
    });
    expect(portOf(first)).toBe(port);
    await isSignedIn();
    await editor.run(pushCommand, {});
    await editor.reload();
    await waitUntil(() => offers().length > 0);
    expect(offers()).toMatchInlineSnapshot(`
      [
        {
          "actions": [
            "Start Local Service",
            "Sign Out",
          ],
          "kind": "warning",
          "text": "“Webshop” is signed in to the local service, which is not running.",
        },
      ]
    `);
    // Once is enough.
    const changed = editor.follow("activity");
    await editor.run(refreshCommand, {});
    await waitUntil(() => changed().length > 0);
    await editor.run(refreshCommand, {});
    expect(offers()).toHaveLength(1);
    await editor.reload(() => clickInNextMessage("Start Local Service"));
    await contextKeyIs("serviceRunning", true);
    await waitUntil(async () => (await editor.run(pushCommand, {})).outcome === "unchanged");
    expect(await diagnosis("Base URL")).toContain(`:${portOf(first)}/`);
    await editor.reload(() => clickInNextMessage("Sign Out"));
    await contextKeyIs("state", "signed-out");
    await editor.run(signOutCommand, {});
  });
});
