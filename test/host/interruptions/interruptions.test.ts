/**
 * Reloads and crashes in the middle of work, and files that cannot be written: what is reported afterwards, what was
 * done, and that the same action succeeds then.
 */
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import * as disk from "node:fs/promises";
import { join } from "node:path";
import { syncBuiltinESMExports } from "node:module";
import { commands, Uri, workspace } from "vscode";
import { call, onPage, reloadWindow, screenshot, stage, startService } from "../harness/bridge-client.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  requests,
  dropAnswers,
  heldAnswers,
  holdAnswers,
  keepJobsRunning,
  startServiceProxy,
} from "./service-proxy.ts";

type Result = Record<string, unknown> & {
  outcome: string;
  error?: { code: string; message: string; reason?: string };
  files?: { path: string; change: string }[];
  jobs?: { id: number; status: string }[];
  plan?: { new: number; changed: number };
  items?: { key: string; file?: string }[];
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const place = (path: string): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
};
const read = async (path: string): Promise<string> =>
  new TextDecoder().decode(await workspace.fs.readFile(place(path)));

/** Every file of the folder's translations, by path. */
async function texts(): Promise<Record<string, string>> {
  const all = await readdir(place("lang").fsPath, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: Record<string, string> = {};
  for (const file of files.sort()) found[file] = (await disk.readFile(file)).toString();
  return found;
}

const activity = async (): Promise<string> => {
  await commands.executeCommand("projectTranslations.activity.focus");
  const rows = await onPage((page) => page.locator(".pane-body .monaco-list-row:visible").allInnerTexts());
  return rows.join("\n").replaceAll("\u00a0", " ");
};

/**
 * The extension host stops between two of its instructions, and is killed when the new window comes: nothing of the
 * extension runs in between. Never returns.
 */
async function killHost(test: Mocha.Context, name: string): Promise<never> {
  const title = test.test?.fullTitle() ?? "";
  await onPage((page, pid) => {
    page.once("domcontentloaded", () => {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    });
    return Promise.resolve();
  }, process.pid);
  await call("reload", { title, stage: name });
  process.kill(process.pid, "SIGSTOP");
  return new Promise<never>(() => {});
}

const polls = async (): Promise<readonly number[]> =>
  (await requests()).filter(({ line }) => line.startsWith("GET /jobs/")).map(({ at }) => at);
const countOf = async (line: string): Promise<number> =>
  (await requests()).filter((each) => each.line === line).length;

/** Changes texts of each Dutch file at the service, so that a pull has something to write. */
async function change(paths: readonly string[], value: string): Promise<void> {
  const items = await Promise.all(
    paths.map(async (path) => {
      const [, key = ""] = /^ {4}'(\w+)' => '[^':]+',/mu.exec(await read(path)) ?? [];
      return { namespace: path.slice("lang/nl/".length, -".php".length), key, value };
    }),
  );
  const result = await run("setTranslations", { locale: "nl", items });
  assert.equal(result.outcome, "done", JSON.stringify(result));
}

/** The extension's own way to the disk: the same module in the same process. */
const ownDisk = process.getBuiltinModule("node:fs/promises");

/** Replaces functions there, also for modules that have imported them. */
function replaceOnDisk(functions: Partial<typeof ownDisk>): void {
  Object.assign(ownDisk, functions);
  syncBuiltinESMExports();
}

const DUTCH = ["lang/nl/auth.php", "lang/nl/cart.php", "lang/nl/checkout.php"] as const;

describe("interruptions", () => {
  before(async function () {
    this.timeout(240_000);
    const { finishedTests, resume } = await call("getInstructions", null);
    if (finishedTests.length === 0 && resume === null) {
      const service = await startService({ demo: true });
      const baseUrl = await startServiceProxy(service.baseUrl);
      const result = await run("signIn", { baseUrl, token: service.token });
      assert.equal(result.outcome, "done", JSON.stringify(result));
      // From now on the files say what the service says.
      assert.equal((await run("pull")).error, undefined);
    }
    await waitFor("the session is there again", async () => (await run("listJobs")).outcome === "done", 60);
  });

  it("continue to poll an import, once, after a reload and a crash of the extension host", async function () {
    this.timeout(240_000);
    const reached = await stage(this);
    if (reached === undefined) {
      await keepJobsRunning(true);
      const file = place("delivery/lang/pl/cart.php");
      await workspace.fs.writeFile(file, new TextEncoder().encode("<?php return ['title' => 'Koszyk'];\n"));
      void run("import", { files: [file], overwrite: true });
      await waitFor("the job is requests for", async () => (await polls()).length > 0, 60);
      await reloadWindow(this, "reloaded");
    }
    if (reached === "reloaded") {
      const before = (await polls()).length;
      await waitFor("the new window asks on", async () => (await polls()).length > before + 1, 60);
      await killHost(this, "killed");
    }
    const before = (await polls()).length;
    await waitFor("the next window asks on", async () => (await polls()).length > before + 1, 60);
    await keepJobsRunning(false);
    const statuses = async () => (await run("listJobs")).jobs?.map(({ status }) => status);
    await waitFor("the job has ended", async () => (await statuses())?.join() === "succeeded", 60);
    // A job is requests for at most every 2 seconds, whoever asks.
    const times = await polls();
    for (const [index, at] of times.entries())
      assert.ok(index === 0 || at - (times[index - 1] ?? 0) > 1500, `two polls at once: ${times.join()}`);
    assert.equal(await countOf("POST /imports"), 1);
    await commands.executeCommand("projectTranslations.activity.focus");
    await waitFor(
      "the end is shown",
      () =>
        onPage((page) =>
          page
            .getByRole("treeitem")
            .filter({ hasText: "Import: " })
            .filter({ has: page.locator(".codicon-pass") })
            .first()
            .isVisible(),
        ),
      20,
    );
    await screenshot("import-followed");
  });

  it("do not repeat an unanswered push without the user", async function () {
    this.timeout(240_000);
    if ((await stage(this)) === undefined) {
      const set = await run("setLocal", { namespace: "cart", key: "interrupted", value: "Interrupted" });
      assert.equal(set.outcome, "done", JSON.stringify(set));
      await holdAnswers("POST /keys/sync");
      void run("push");
      await waitFor("the service took it", async () => (await heldAnswers()) > 0, 60);
      await killHost(this, "killed");
    }
    assert.equal(await countOf("POST /keys/sync"), 1);
    await holdAnswers(null);
    const result = await run("push");
    assert.equal(result.error, undefined, JSON.stringify(result));
    assert.deepEqual([result.plan?.new, result.plan?.changed], [0, 0]);
    // The service had it: there was nothing left to send.
    assert.equal(await countOf("POST /keys/sync"), 1);
  });

  it("report that an unanswered import may have arrived, and do not repeat it", async function () {
    this.timeout(240_000);
    const before = await countOf("POST /imports");
    const file = place("delivery/lang/pl/auth.php");
    await workspace.fs.writeFile(file, new TextEncoder().encode("<?php return ['failed' => 'Źle'];\n"));
    await holdAnswers("POST /imports");
    const running = run("import", { files: [file] });
    await waitFor("the service took it", async () => (await heldAnswers()) > 0, 60);
    await dropAnswers();
    const { error } = await running;
    await holdAnswers(null);
    assert.equal(error?.code, "offline");
    assert.match(
      error?.message ?? "",
      /The service did not answer the upload of .+ The import may be running anyway/u,
    );
    assert.equal(await countOf("POST /imports"), before + 1);
  });

  it("leave files unchanged if a pull gets no response", async function () {
    this.timeout(240_000);
    if ((await stage(this)) === undefined) {
      await change(DUTCH, "Anders");
      await rm(place("lang/fr/auth.php").fsPath);
      await holdAnswers("GET /exports/");
      void run("pull");
      await waitFor("the service took it", async () => (await heldAnswers()) > 0, 60);
      await reloadWindow(this, "reloaded");
    }
    await holdAnswers(null);
    for (const path of DUTCH) assert.doesNotMatch(await read(path), /=> 'Anders',/u);
    const result = await run("pull");
    assert.equal(result.outcome, "done", JSON.stringify(result));
    for (const path of DUTCH) assert.match(await read(path), /=> 'Anders',/u);
  });

  it("complete a pull after a crash between two files, and report it", async function () {
    this.timeout(240_000);
    if ((await stage(this)) === undefined) {
      await change(DUTCH, "Nieuw");
      await rm(place("lang/fr/auth.php").fsPath);
      const { rename: real } = ownDisk;
      replaceOnDisk({
        rename: async (from, to) => {
          await real(from, to);
          if (String(to).endsWith("cart.php")) await killHost(this, "killed");
        },
      });
      await run("pull");
      assert.fail("the pull went on");
    }
    for (const path of DUTCH) assert.match(await read(path), /=> 'Nieuw',/u, path);
    assert.ok((await read("lang/fr/auth.php")).length > 0);
    const left = Object.keys(await texts()).filter((path) => path.endsWith(".tmp"));
    assert.deepEqual(left, []);
    await waitFor("it is said", async () => (await activity()).includes("They have now been completed"), 20);
    await screenshot("pull-completed");
    const result = await run("pull");
    assert.equal(result.error, undefined, JSON.stringify(result));
    assert.ok(
      (result.files ?? []).every((file) => file.change === "unchanged"),
      JSON.stringify(result),
    );
  });

  describe("disk errors", function () {
    this.timeout(240_000);
    let changes = 0;
    /** A pull that has three files to write and may not write one of them. */
    const refused = async (): Promise<NonNullable<Result["error"]>> => {
      const before = await texts();
      const result = await run("pull");
      assert.equal(result.outcome, "failed", JSON.stringify(result));
      assert.ok(result.error);
      assert.equal(result.error.code, "unsafe_file");
      assert.deepEqual(await texts(), before);
      return result.error;
    };
    const worksThen = async (): Promise<void> => {
      const result = await run("pull");
      assert.equal(result.outcome, "done", JSON.stringify(result));
      for (const path of DUTCH) assert.ok((await read(path)).includes(`=> '${value}',`), path);
    };

    let value = "";
    beforeEach(async () => {
      value = `Tekst ${++changes}`;
      await change(DUTCH, value);
      await rm(place("lang/fr/auth.php").fsPath);
    });

    it("report a read-only file", async () => {
      await chmod(place(DUTCH[1]).fsPath, 0o444);
      const { message, reason } = await refused();
      assert.equal(reason, "read_only");
      assert.equal(
        message,
        "lang/nl/cart.php or its folder is read-only. Make it writable, then try again. No file was changed.",
      );
      // As a person does it: the same in a notification.
      void commands.executeCommand("projectTranslations.setLocal", {
        locale: "nl",
        namespace: "cart",
        key: "title",
        value: "Iets anders",
      });
      await waitForNotification("lang/nl/cart.php or its folder is read-only");
      await screenshot("read-only");
      await commands.executeCommand("notifications.clearAll");
      await chmod(place(DUTCH[1]).fsPath, 0o644);
      await worksThen();
    });

    it("report a folder where a file is expected, and pull the other files", async () => {
      const path = place("lang/fr/auth.php").fsPath;
      await mkdir(path);
      const result = await run("pull");
      assert.equal(result.outcome, "done", JSON.stringify(result));
      const named = (result.items ?? []).filter(({ key }) => key === "");
      assert.deepEqual(
        named.map(({ file }) => file),
        ["lang/fr/auth.php"],
      );
      for (const dutch of DUTCH) assert.ok((await read(dutch)).includes(`=> '${value}',`), dutch);
      await rm(path, { recursive: true });
      await worksThen();
    });

    it("report a full disk", async () => {
      const { open: real } = ownDisk;
      replaceOnDisk({
        open: (...args) =>
          String(args[0]).includes("checkout.php.")
            ? Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }))
            : real(...args),
      });
      try {
        const { message, reason } = await refused();
        assert.equal(reason, "disk_full");
        assert.equal(
          message,
          "There is not enough disk space for lang/nl/checkout.php. Free up space, then try again. No file was changed.",
        );
      } finally {
        replaceOnDisk({ open: real });
      }
      await worksThen();
    });

    it("recreate a removed translation folder, but not a removed project", async () => {
      await rm(place("lang/nl").fsPath, { recursive: true });
      assert.equal((await run("pull")).outcome, "done");
      assert.match(await read("lang/nl/cart.php"), /Je winkelwagen is leeg/u);
      const root = place("").fsPath.replace(/\/$/u, "");
      await rename(root, `${root}-moved`);
      try {
        const { outcome, error } = await run("setLocal", { namespace: "cart", key: "gone", value: "Gone" });
        assert.equal(outcome, "failed");
        assert.ok(error);
        assert.deepEqual(
          (await readdir(join(root, ".."))).filter((name) => root.endsWith(`/${name}`)),
          [],
          error.message,
        );
      } finally {
        await rename(`${root}-moved`, root);
      }
      await waitFor("it works again", async () => {
        const result = await run("setLocal", { namespace: "cart", key: "back", value: "Back" });
        return result.outcome === "done" || result.outcome === "unchanged";
      });
    });
  });
});
