/** Which keys are archived and restored, and messages about those that the service refused. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import { projectKey } from "../../../src/database/project-state.ts";
import type { Key } from "../../../src/api/response-schemas.ts";
import {
  keysToArchive,
  keysToRestore,
  registerArchive,
  restoreCommand,
  restoredMessage,
} from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { FEW_ITEMS, type FixtureProject } from "../support/fixture-project.ts";
import { ENGLISH, hashOf, openShop, sourceTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextList, clickInNextMessage, messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

const keyOf = (key: string): Key => ({
  hash: `hash of ${key}`,
  namespace: "cart",
  key,
  context: null,
  isPlural: false,
  description: null,
  maxLength: null,
  sourceHash: null,
  source: { value: key },
  tags: [],
  archived: true,
  updatedAt: null,
});
const keys = ["title", "total", "empty"].map(keyOf);
const refused = (...names: readonly string[]) =>
  names.map((name) => ({ hash: `hash of ${name}`, reason: "locked" }));

test("counts what was restored", () => {
  expect(restoredMessage(SPELLING, { restored: 3, rejected: [] }, keys)).toBe("Restored 3 keys.");
});

test("names the first refused key with its reason, and counts the others", () => {
  expect(restoredMessage(SPELLING, { restored: 2, rejected: refused("total") }, keys)).toBe(
    "Restored 2 keys. The service refused cart.total: locked.",
  );
  expect(restoredMessage(SPELLING, { restored: 0, rejected: refused("title", "total", "empty") }, keys)).toBe(
    "Restored 0 keys. The service refused cart.title and 2 more keys: locked.",
  );
});

describe("archives and restores", () => {
  const hashes = (found: readonly { readonly hash: string }[]) => found.map(({ hash }) => hash);
  const active = { ...keyOf("title"), hash: "hash of active", archived: false };
  const withoutText = { ...keyOf("title"), hash: "hash of nothing", source: {} };

  test("restores the keys that were asked for, and no other archived one", () => {
    const found = [...keys, active, withoutText];
    const three = ["hash of title", "hash of total", "hash of active"];
    expect(hashes(keysToRestore(found, three).keys)).toEqual(["hash of title", "hash of total"]);
    expect(hashes(keysToRestore(found, []).keys)).toEqual([]);
  });

  test("offers all archived keys with a text if none was named", () => {
    const { archived, keys: restorable } = keysToRestore([...keys, active, withoutText], undefined);
    expect(hashes(archived)).toEqual([...hashes(keys), "hash of nothing"]);
    expect(hashes(restorable)).toEqual(hashes(keys));
  });

  test("archives each key once, and none that is not active", () => {
    const stored = new Map(keys.map((key) => [key.hash, projectKey(key)]));
    const asked = ["hash of total", "hash of gone", "hash of total"];
    expect(hashes(keysToArchive(stored, asked))).toEqual(["hash of total"]);
  });
});

describe("as a user chooses them", () => {
  let shop: FixtureProject;
  let window: TestWindow;
  let commands: CommandRunner;
  let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
  /** Whether the answer of the next sync is lost on its way. */
  let isLost: boolean;
  /** What the service answers to the next sync without executing it. */
  let answer: { readonly status: number; readonly body: object } | null;
  beforeEach(async () => {
    isLost = false;
    answer = null;
    ({ shop, window, commands, refuse } = await openShop([registerArchive], {
      intercept: async (request, forward) => {
        if (answer !== null && request.startsWith("POST /keys/sync")) {
          const { status, body } = answer;
          answer = null;
          return Response.json(body, { status });
        }
        const answered = await forward();
        if (!isLost || !request.startsWith("POST /keys/sync")) return answered;
        isLost = false;
        throw new TypeError("fetch failed");
      },
    }));
    messages.length = 0;
  });
  afterEach(() => shop.close());
  const active = async () => Object.keys(await sourceTexts(window)).toSorted();
  const hashesOf = (...names: readonly string[]) => names.map(hashOf);

  test("keys that are only offered are not checked, and only what is checked is archived", async () => {
    answerNextList((list) => {
      expect([list.title, list.checked]).toEqual([
        "Archive 2 keys of Test?",
        ["$(archive) cart.title", "$(archive) cart.total"],
      ]);
      expect(list.items.map(({ label }) => label)).toEqual([
        "2 keys",
        "$(archive) cart.title",
        "$(archive) cart.total",
        "Probably unused",
        "$(archive) cart.items",
      ]);
      list.toggle("cart.total");
      expect(list.title).toBe("Archive 1 key of Test?");
      list.accept();
    });
    const asked = { hashes: hashesOf("title", "total"), alsoOffer: hashesOf("items", "title", "gone") };
    expect(await commands.ask(archiveCommand, asked)).toMatchObject({
      outcome: "done",
      result: { archived: 1 },
    });
    expect(await active()).toEqual(["items", "total", "voucher.label"]);
    // Without a person, what is only offered stays.
    expect(await commands.run(archiveCommand, asked)).toMatchObject({ result: { archived: 1 } });
    expect(await active()).toEqual(["items", "voucher.label"]);
    answerNextList((list) => list.hide());
    expect(await commands.ask(archiveCommand, { hashes: hashesOf("items") })).toEqual({
      outcome: "cancelled",
    });
    expect(await active()).toEqual(["items", "voucher.label"]);
  });

  test("the notification restores what was archived, and nothing else, and knows what the files still have", async () => {
    await commands.run(archiveCommand, { hashes: hashesOf("voucher.label") });
    answerNextList((list) => list.accept());
    answerNextList((list) => {
      expect([list.title, list.checked]).toEqual(["Restore 1 key in Test?", ["$(discard) cart.title"]]);
      list.accept();
    });
    clickInNextMessage("Restore");
    await commands.ask(archiveCommand, { hashes: hashesOf("title") });
    expect(messages.at(-1)).toMatchObject({
      text: "Archived 1 key.",
      actions: ["Remove from Files…", "Restore"],
    });
    await waitUntil(async () => (await active()).includes("title"));
    expect(await active()).toEqual(["items", "title", "total"]);
    await shop.edit(ENGLISH, "    'title' => 'Your cart',\n", "");
    await shop.edit("lang/nl/cart.php", "    'title'  => 'Je mandje', // aligned by hand\n", "");
    await window.local.reload();
    await window.local.loadTexts();
    await window.refresher.refresh({ priority: "person" });
    answerNextList((list) => list.accept());
    await commands.ask(archiveCommand, { hashes: hashesOf("title") });
    expect(messages.at(-1)?.actions).toEqual(["Restore"]);
    // A translation is an entry that stays, too.
    await shop.edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
    await window.local.reload();
    await window.local.loadTexts();
    answerNextList((list) => list.accept());
    await commands.ask(archiveCommand, { hashes: hashesOf("total") });
    expect(messages.at(-1)?.actions).toEqual(["Remove from Files…", "Restore"]);
  });

  test("a key whose restoration was done and not heard of is counted as restored", async () => {
    await commands.run(archiveCommand, { hashes: hashesOf("title", "total") });
    isLost = true;
    expect(await commands.run(restoreCommand, { hashes: hashesOf("title") })).toMatchObject({
      outcome: "done",
      result: { restored: 1 },
    });
    expect(await active()).toEqual(["items", "title", "voucher.label"]);
  });

  test("of all archived keys none is checked at first, and those that are chosen are restored", async () => {
    expect(await commands.ask(restoreCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(messages.at(-1)?.text).toBe("No key is archived.");
    await commands.run(archiveCommand, { hashes: hashesOf("title", "total", "items") });
    answerNextList((list) => {
      expect([list.title, list.checked]).toEqual(["Select keys to restore", []]);
      list.toggle("cart.total");
      list.accept();
    });
    expect(await commands.ask(restoreCommand, {})).toMatchObject({
      outcome: "done",
      result: { restored: 1 },
    });
    expect(await active()).toEqual(["total", "voucher.label"]);
    expect(messages.at(-1)?.text).toBe("Restored 1 key.");
    // Others are archived, but not this one.
    expect(await commands.ask(restoreCommand, { hashes: hashesOf("total") })).toMatchObject({
      outcome: "unchanged",
    });
    expect(messages.at(-1)?.text).toBe("No key is archived.");
    refuse("POST /keys/sync");
    expect(await commands.run(restoreCommand, { hashes: hashesOf("title") })).toMatchObject({
      outcome: "failed",
      error: { code: "forbidden" },
    });
    refuse(null);
    expect(await commands.run(restoreCommand, { hashes: hashesOf("title") })).toMatchObject({
      result: { restored: 1 },
    });
    expect(await active()).toEqual(["title", "total", "voucher.label"]);
  });

  const COUNTS = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
  const refusing = (key: string, counts: object) => {
    const rejected = [{ hash: hashOf(key), reason: "locked" }];
    answer = { status: 200, body: { data: { ...COUNTS, ...counts, rejected } } };
  };

  test("keys that the service refuses are named, also among those that were chosen", async () => {
    await commands.run(archiveCommand, { hashes: hashesOf("title", "items", "total") });
    const errors = { "keys.0.value": ["Too long."], "keys.1.value": ["Not a text."] };
    answer = { status: 422, body: { message: "No.", errors } };
    answerNextList((list) => {
      expect(list.checked).toHaveLength(3);
      list.toggle("cart.title");
      list.accept();
    });
    const refused = await commands.ask(restoreCommand, { hashes: hashesOf("title", "items", "total") });
    const { items = [] } =
      (refused as { readonly error?: { readonly items?: readonly { key: string }[] } }).error ?? {};
    expect(items.map(({ key }) => key).toSorted()).toEqual(["items", "total"]);
    messages.length = 0;
    refusing("total", { restored: 1 });
    answerNextList((list) => list.accept());
    const restored = await commands.ask(restoreCommand, { hashes: hashesOf("title", "total") });
    expect(restored).toMatchObject({ outcome: "done", result: { restored: 1, rejected: [{}] } });
    const text = "Restored 1 key. The service refused cart.total: locked.";
    expect(messages).toEqual([{ kind: "warning", text, actions: [] }]);
    expect(commands.results.at(-1)).toEqual({ message: text, kind: "partly" });
    refusing("total", {});
    expect(await commands.run(restoreCommand, { hashes: hashesOf("total") })).toMatchObject({
      outcome: "unchanged",
    });
    refusing("voucher.label", {});
    expect(await commands.run(archiveCommand, { hashes: hashesOf("voucher.label") })).toMatchObject({
      outcome: "unchanged",
    });
    expect(commands.results.at(-1)).toEqual({ message: "Archived 0 keys.", kind: "partly" });
  });

  test("what was done before a later request fails is counted, shown soon, and not done again", async () => {
    let syncs = 0;
    let failing = 0;
    const few = await shop.open("few", {
      maxItems: { ...FEW_ITEMS, sync: 1 },
      intercept: (request, forward) =>
        request.startsWith("POST /keys/sync") && ++syncs === failing
          ? Promise.resolve(Response.json({ message: "No." }, { status: 403 }))
          : forward(),
    });
    const other = createCommandRunner(few, rootOf(shop), [registerArchive]);
    const three = hashesOf("title", "items", "total");
    failing = 3;
    expect(await other.run(archiveCommand, { hashes: three })).toMatchObject({
      error: { code: "forbidden", message: expect.stringMatching(/^Archived 2 keys\. Not done: 1\. /u) },
      result: { archived: 2 },
    });
    expect(other.results).toEqual([{ message: "Archived 2 keys.", kind: "partly" }]);
    const known = () => three.filter((hash) => few.project.keys.has(hash)).length;
    await waitUntil(() => known() === 1);
    // Somebody else archives the last one meanwhile.
    await commands.run(archiveCommand, { hashes: three });
    syncs = 0;
    expect(await other.run(archiveCommand, { hashes: three })).toMatchObject({ outcome: "unchanged" });
    expect(syncs).toBe(0);
    failing = 2;
    expect(await other.run(restoreCommand, { hashes: three })).toMatchObject({
      error: { message: expect.stringMatching(/^Restored 1 key\. Not done: 2\. /u) },
      result: { restored: 1 },
    });
    await waitUntil(() => known() === 1);
    expect(other.progress.slice(-2)).toEqual(["Restoring 3 keys: 0 %", "Restoring 3 keys: 33 %"]);
  });

  test("archived keys without a source text cannot be restored, which is said", async () => {
    await commands.run(archiveCommand, { hashes: hashesOf("title") });
    const page = await window.client.keys({ archived: true });
    const data = page.data.map((key) => ({ ...key, source: {} }));
    vi.spyOn(window.client, "keys").mockResolvedValueOnce({ ...page, data });
    expect(await commands.ask(restoreCommand, {})).toMatchObject({ outcome: "unchanged" });
    expect(messages.at(-1)?.text).toBe("No archived key has a source text, so none can be restored.");
  });
});
