/**
 * Reading a project in a process that is killed, and on a full or read-only disk: no wrong state, and nothing is
 * fetched twice.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush } from "../../../src/sync/push/push-plan.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { bundleModules } from "../support/bundle-modules.ts";
import { sha1 } from "../support/node-platform.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { openWindow } from "../support/test-window.ts";

const COUNT = 2500;
let shop: FixtureProject;
let program: string;

beforeAll(async () => {
  shop = await openFixtureProject();
  program = await bundleModules("refresh-child", shop.folder, [new URL("refresh-child.ts", import.meta.url)]);
  const filler = await shop.open("filler");
  const [like] = await sourceKeys(filler);
  if (like === undefined) throw new Error("the shop has texts");
  const local = Array.from({ length: COUNT }, (_, index) => {
    const name = { namespace: "many", key: `key ${index}`, context: null };
    return {
      ...like,
      name,
      hash: sha1(`many\u001fkey ${index}\u001f`),
      text: { value: `Text ${index}` },
    };
  });
  await sendPush(filler, (await planPush(filler, local)).items, []);
  const edits = local.map(({ name }, index) => ({ name, text: { value: `Tekst ${index}` } }));
  await setTranslations(filler, "nl", edits, "overwrite");
});
afterAll(() => shop.close());

interface Known {
  readonly wasOnDisk: boolean;
  readonly isOnDisk: boolean;
  readonly keys: number;
  readonly translations: number;
  readonly isComplete: boolean;
  readonly warnings: number;
}

const folderOf = (name: string): string => join(shop.folder, "windows", name);

/** Runs the child under the shell's own limits; out: what it knew, or by which signal it ended. */
async function child(
  folder: string,
  {
    before = "",
    endsAt = 0,
    ...extra
  }: { before?: string; endsAt?: number; uid?: number; gid?: number; env?: NodeJS.ProcessEnv },
): Promise<Known | string> {
  const { baseUrl, token } = shop.service;
  // The service is in this process, so it must go on.
  const started = spawn(
    "sh",
    ["-c", `${before} exec "$0" "$@"`, process.execPath, program, baseUrl, token, folder, String(endsAt)],
    { stdio: ["ignore", "pipe", "pipe"], ...extra },
  );
  const ended = once(started, "close");
  const [stdout, stderr] = await Promise.all([text(started.stdout), text(started.stderr)]);
  const [, signal] = (await ended) as [number | null, string | null];
  if (signal !== null) return signal;
  const last = stdout.trim().split("\n").at(-1) ?? "";
  if (!last.startsWith("{")) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(last) as Known;
}

const open = (name: string): Promise<TestWindow> =>
  openWindow({ ...shop.service, folder: folderOf(name), preview: ["en", "nl"] });

/** Pages that were read whole. */
const wholePages = (window: TestWindow): string[] =>
  window
    .takeRequests()
    .filter((asked) => /^GET \/(?:keys|translations)/u.test(asked) && !asked.includes("updatedSince"));

describe("process killed during a refresh", () => {
  it.each([
    // One of them is the list of archived keys.
    [2, "keys", 4, 3],
    [3, "keys, at their last page", 4, 3],
    [5, "translations", 0, 3],
    [6, "translations, at their last page", 0, 3],
  ])("keeps complete data and reads the rest again: page %d (%s)", async (endsAt, _, keyPages, rowPages) => {
    const name = `killed ${endsAt}`;
    await mkdir(folderOf(name), { recursive: true });
    expect(await child(folderOf(name), { endsAt })).toBe("SIGKILL");
    const window = await open(name);
    expect(window.project.keysComplete).toBe(keyPages === 0);
    expect(window.project.isComplete("nl")).toBe(false);
    await window.refresher.refresh();
    const pages = wholePages(window);
    expect(pages.filter((asked) => asked.startsWith("GET /keys"))).toHaveLength(keyPages);
    expect(pages.filter((asked) => asked.startsWith("GET /translations/nl"))).toHaveLength(rowPages);
    expect(window.project.keys.size).toBe(COUNT);
    expect(window.project.translations.counts("nl")).toMatchObject({ rows: COUNT, translated: COUNT });
    expect(window.project.syncMetadata.cursor("nl")?.differences).toEqual([0, 0, 0]);
  });

  it("fetches nothing again if everything was read", async () => {
    await mkdir(folderOf("whole"), { recursive: true });
    expect(await child(folderOf("whole"), {})).toMatchObject({ keys: COUNT, isComplete: true });
    const window = await open("whole");
    await window.refresher.refresh();
    expect(window.takeRequests()).toEqual(["GET /stats"]);
  });
});

const IN_MEMORY = { isOnDisk: false, keys: COUNT, translations: COUNT, isComplete: true, warnings: 1 };

describe("failing disk", () => {
  it("continues in memory and reports it once when the disk is full", async () => {
    await mkdir(folderOf("full"), { recursive: true });
    // Blocks of 512 bytes: enough for the tables, too few for the pages.
    expect(await child(folderOf("full"), { before: "ulimit -f 1000;" })).toEqual({
      wasOnDisk: true,
      ...IN_MEMORY,
      drafts: 1,
    });
    const window = await open("full");
    await window.refresher.refresh();
    expect(window.project.keys.size).toBe(COUNT);
    expect(window.project.translations.counts("nl").translated).toBe(COUNT);
  });

  it("continues in memory and reports it once when the disk is read-only", async () => {
    await mkdir(folderOf("whole-2"), { recursive: true });
    await child(folderOf("whole-2"), {});
    await cp(folderOf("whole-2"), folderOf("read-only"), { recursive: true });
    for (const name of await readdir(folderOf("read-only")))
      await chmod(join(folderOf("read-only"), name), 0o444);
    // Root may write anywhere, so its child is somebody else.
    const isRoot = process.getuid?.() === 0;
    await chmod(shop.folder, 0o755);
    const parent = dirname(shop.folder);
    await chmod(parent, (await stat(parent)).mode | 0o055);
    await chmod(folderOf("read-only"), isRoot ? 0o755 : 0o555);
    const env = { ...process.env, TMPDIR: "/tmp" };
    const known = await child(folderOf("read-only"), isRoot ? { uid: 65_534, gid: 65_534, env } : {});
    await chmod(folderOf("read-only"), 0o755);
    // Unsaved texts are still read from the disk that cannot be written.
    expect(known).toMatchObject({ ...IN_MEMORY, drafts: 1 });
  });
});
