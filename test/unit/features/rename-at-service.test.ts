/** Rename on the Service as a user runs it: what is said of each outcome, and which renames stay pending. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  archiveCommand,
  giveUpRenameCommand,
  renameAtServiceCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import { addRename, pendingRenames } from "../../../src/database/personal/pending-rename-repository.ts";
import { registerArchive } from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import {
  registerRenameAtService,
  watchRenames,
} from "../../../src/features/rename/rename-at-service-command.ts";
import type { KeyName } from "../../../src/model/key-hash.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import {
  cart,
  ENGLISH,
  hashOf,
  openShop,
  sourceTexts,
  translate,
  translatedTexts,
} from "../support/open-shop.ts";
import type { Interceptor, TestWindow } from "../support/test-window.ts";
import { clickInNextMessage, messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** Answers the next request that begins so, or does something before it is sent. */
let next: { readonly request: string; readonly answer: () => Promise<Response | undefined> } | null;
beforeEach(async () => {
  messages.length = 0;
  next = null;
  const intercept: Interceptor = async (request, forward) => {
    if (next === null || !request.startsWith(next.request)) return forward();
    const { answer } = next;
    next = null;
    return (await answer()) ?? forward();
  };
  const features = [registerArchive, registerRenameAtService];
  ({ shop, window, commands, refuse } = await openShop(features, { intercept }));
});
afterEach(() => shop.close());

/** A rename in the files that is pending. */
async function renameInFiles(from: string, to: string): Promise<void> {
  await shop.edit(ENGLISH, `'${from}'`, `'${to}'`);
  addRename(window.project, cart(from), cart(to));
  window.project.setActivity({ renames: pendingRenames(window.project, await window.local.reload()) });
}
const rename = (from: KeyName, to: KeyName) => commands.ask(renameAtServiceCommand, { from, to });
/** The pending renames, as stored and as Activity lists them. */
const pending = async () => {
  const stored = pendingRenames(window.project, await window.local.reload());
  const listed = window.project.activity.renames;
  return [stored, listed].map((all) => all.map(({ from, to }) => `${from.key} ${to.key}`));
};

test("a rename that is done is no longer pending, and others are", async () => {
  await translate(window, { title: "Je mandje" });
  await renameInFiles("title", "heading");
  await renameInFiles("total", "sum");
  expect(await rename(cart("title"), cart("heading"))).toEqual({
    outcome: "done",
    copied: 1,
    skipped: [],
    outdated: [],
    archived: true,
  });
  expect(messages).toMatchObject([
    { kind: "information", text: "cart.title is now cart.heading on the service, with 1 translation." },
  ]);
  expect(commands.results.at(-1)?.kind).toBe("done");
  expect(await pending()).toEqual([["total sum"], ["total sum"]]);
});

test("a rename of a key that the service no longer has is no longer pending", async () => {
  await renameInFiles("title", "heading");
  await commands.run(archiveCommand, { hashes: [hashOf("title")] });
  messages.length = 0;
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({
    outcome: "unchanged",
    archived: false,
  });
  expect(messages.at(-1)?.text).toBe(
    "Nothing to rename: the service has no active key cart.title with a source text.",
  );
  expect(await pending()).toEqual([[], []]);
  expect(await rename(cart("total"), cart("total"))).toMatchObject({ outcome: "unchanged" });
  expect(messages.at(-1)?.text).toBe("Nothing to rename: cart.total is the same key.");
});

test("a rename to a name with half a character is refused, and stays pending", async () => {
  await renameInFiles("title", "heading");
  expect(await rename(cart("title"), cart("half \ud83d"))).toMatchObject({
    error: { code: "invalid", message: expect.stringMatching(/^cart\.title was not renamed: /u) },
  });
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
});

test("an outdated translation is not copied, and the rename stays pending until it is updated", async () => {
  await translate(window, { title: "Je mandje" });
  await window.client.sync(
    { keys: [{ namespace: "cart", key: "title", value: "Our cart" }], archive: [] },
    {},
  );
  await renameInFiles("title", "heading");
  expect(await rename(cart("title"), cart("heading"))).toEqual({
    outcome: "done",
    copied: 0,
    skipped: [],
    outdated: ["nl"],
    archived: false,
  });
  expect(messages.at(-1)).toMatchObject({
    kind: "warning",
    text: "cart.heading was created on the service, with 0 translations, and cart.title was not archived. Outdated translations would count as up to date, so they were not copied (nl). Update them, then rename again.",
  });
  expect(commands.results.at(-1)?.kind).toBe("partly");
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  expect(Object.keys(await sourceTexts(window)).toSorted()).toContain("title");
});

test("a rename that fails after the new key was created says so, stays pending, and can be completed", async () => {
  await translate(window, { title: "Je mandje" });
  await renameInFiles("title", "heading");
  refuse("PUT /translations/nl");
  const message =
    "cart.heading was created on the service, but the rename of cart.title was not completed. Rename again to complete it.";
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({
    outcome: "failed",
    error: { code: "forbidden", message: expect.stringContaining(message) },
    archived: false,
  });
  expect(commands.results.at(-1)).toEqual({ message, kind: "partly" });
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  refuse(null);
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({ outcome: "done", archived: true });
  expect(await pending()).toEqual([[], []]);
  expect(await translatedTexts(window)).toEqual({ heading: "Je mandje" });
});

test("a rename that is given up is no longer pending, and others are", async () => {
  await renameInFiles("title", "heading");
  await renameInFiles("total", "sum");
  expect(await commands.run(giveUpRenameCommand, { from: cart("total") })).toEqual({ outcome: "done" });
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
});

test("a name that the service refuses changes nothing, and the rename stays pending", async () => {
  await renameInFiles("title", "heading");
  const counts = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
  const rejected = [{ hash: hashOf("heading"), reason: "key_limit" }];
  next = { request: "POST /keys/sync", answer: async () => Response.json({ data: { ...counts, rejected } }) };
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({
    outcome: "failed",
    error: {
      code: "invalid",
      message: "The service refused cart.heading (key_limit). The old key is unchanged.",
    },
  });
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  expect(await sourceTexts(window)).toMatchObject({ title: "Your cart" });
});

test("a key that somebody changes meanwhile is not archived, and the rename stays pending", async () => {
  await translate(window, { title: "Je mandje" });
  await renameInFiles("title", "heading");
  const keys = [{ namespace: "cart", key: "title", value: "Their cart" }];
  const answer = async () => {
    await window.client.sync({ keys, archive: [] }, {});
    return undefined;
  };
  next = { request: "PUT /translations/nl", answer };
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({ outcome: "done", archived: false });
  expect(messages.at(-1)?.text).toMatch(/Someone changed the key in the meantime\. Rename again\.$/u);
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  expect(await sourceTexts(window)).toMatchObject({ title: "Their cart", heading: "Your cart" });
});

test("a key that there is already is left, and so is a translation that it has, which are named", async () => {
  await translate(window, { title: "Je mandje" });
  expect(await rename(cart("title"), cart("total"))).toMatchObject({ outcome: "unchanged", archived: false });
  expect(messages.at(-1)?.text).toBe(
    "Nothing was renamed: the service already has a key cart.total with a different source text.",
  );
  const keys = [{ namespace: "cart", key: "heading", value: "Your cart" }];
  await window.client.sync({ keys, archive: [] }, {});
  await window.refresher.refresh({ priority: "person" });
  await translate(window, { heading: "Hun mandje" });
  expect(await rename(cart("title"), cart("heading"))).toMatchObject({ skipped: ["nl"], archived: false });
  expect(messages.at(-1)?.text).toBe(
    "cart.heading was created on the service, with 0 translations, and cart.title was not archived. The new key has different translations in these languages: nl. Make both keys match, then rename again.",
  );
  expect(await translatedTexts(window)).toEqual({ title: "Je mandje", heading: "Hun mandje" });
});

test("one that fails before that is a plain failure", async () => {
  await renameInFiles("title", "heading");
  refuse("POST /keys/sync");
  const failed = await rename(cart("title"), cart("heading"));
  expect(failed).toMatchObject({
    outcome: "failed",
    error: { message: expect.not.stringContaining("created") },
  });
  expect("archived" in failed).toBe(false);
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
});

test("a rename in the files is offered for the service, with those of the key's other forms", async () => {
  const requested = watchRenames(commands.app);
  requested.expect(commands.open, cart("title"), cart("heading"));
  requested.expect(commands.open, cart("total"), cart("sum"));
  // A key that the service does not have needs no rename there.
  requested.expect(commands.open, cart("voucher.label"), cart("voucher.name"));
  await commands.run(archiveCommand, { hashes: [hashOf("voucher.label")] });
  await window.refresher.refresh({ priority: "person" });
  for (const [from, to] of [
    ["'title'", "'heading'"],
    ["'total'", "'sum'"],
    ["'label'", "'name'"],
  ] as const)
    await shop.edit(ENGLISH, from, to);
  await window.local.reload();
  messages.length = 0;
  clickInNextMessage("Rename on the Service");
  await requested.record(commands.open);
  expect(messages[0]?.text).toBe(
    "cart.title is cart.heading in your files now; also renamed: 1 more key. Until they are renamed on the service, they are listed in Activity.",
  );
  await waitUntil(async () => "sum" in (await sourceTexts(window)));
  await waitUntil(async () => (await pending()).every((all) => all.length === 0));
  expect(await sourceTexts(window)).toMatchObject({ heading: "Your cart", sum: "Total: :amount" });
  expect(Object.keys(await sourceTexts(window)).toSorted()).toEqual(["heading", "items", "sum"]);
});

test("where one of the keys needs no rename any more, the others are renamed; a failure leaves the rest", async () => {
  const requested = watchRenames(commands.app);
  const renames = [
    ["title", "heading"],
    ["total", "sum"],
    ["items", "things"],
  ] as const;
  for (const [from, to] of renames) {
    requested.expect(commands.open, cart(from), cart(to));
    await shop.edit(ENGLISH, `'${from}'`, `'${to}'`);
  }
  await window.local.reload();
  // Somebody else archives the first, which the window does not know yet.
  await window.client.sync({ keys: [], archive: [hashOf("title")] }, {});
  const renamed = vi.spyOn(commands.app, "run");
  const refuseFromNowOn = async () => {
    refuse("POST /keys/sync");
    return undefined;
  };
  next = { request: "POST /keys/sync", answer: refuseFromNowOn };
  clickInNextMessage("Rename on the Service");
  await requested.record(commands.open);
  await waitUntil(() => renamed.mock.results.length === 2);
  const outcomes = await Promise.all(renamed.mock.results.map(({ value }) => value as Promise<object>));
  expect(outcomes).toMatchObject([{ outcome: "unchanged" }, { outcome: "failed" }]);
  await new Promise(setImmediate);
  expect(renamed.mock.results).toHaveLength(2);
  expect(Object.keys(await sourceTexts(window)).toSorted()).toContain("items");
});

test("is not offered to a token that may only read, and is recorded all the same", async () => {
  const requested = watchRenames(commands.app);
  requested.expect(commands.open, cart("title"), cart("heading"));
  await shop.edit(ENGLISH, "'title'", "'heading'");
  await window.local.reload();
  const { session } = window.project;
  window.project.setSession({ ...session, canWrite: false } as typeof session);
  messages.length = 0;
  await requested.record(commands.open);
  expect(messages).toEqual([]);
  expect(await pending()).toEqual([["title heading"], ["title heading"]]);
  // And then another one to a token that may write.
  window.project.setSession(session);
  requested.expect(commands.open, cart("total"), cart("sum"));
  await shop.edit(ENGLISH, "'total'", "'sum'");
  await window.local.reload();
  await requested.record(commands.open);
  expect(messages.map(({ text }) => text)).toEqual([
    "cart.total is cart.sum in your files now, and still cart.total on the service. Until it is renamed there, it is listed in Activity.",
  ]);
  expect(await pending()).toEqual([
    ["title heading", "total sum"],
    ["title heading", "total sum"],
  ]);
});
