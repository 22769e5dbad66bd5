/** What a push says of keys that the service refused, and what the next one knows of it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  registerRenameAtService,
  watchRenames,
} from "../../../src/features/rename/rename-at-service-command.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { FEW_ITEMS, type FixtureProject } from "../support/fixture-project.ts";
import { cart, ENGLISH, hashOf, openShop, sourceTexts } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextList, clickInNextMessage, messages, pickInNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
/** What the service answers to the next push. */
let answer: { readonly status: number; readonly body: object } | null;
const unsaved = new Map<string, string>();
beforeEach(async () => {
  answer = null;
  unsaved.clear();
  ({ shop, window, commands, refuse } = await openShop([registerRenameAtService], {
    unsaved,
    intercept: (request, forward) =>
      answer !== null && request.startsWith("POST /keys/sync")
        ? Promise.resolve(Response.json(answer.body, { status: answer.status }))
        : forward(),
  }));
  messages.length = 0;
});
afterEach(() => shop.close());

const push = () => commands.ask(pushCommand, {});

test("refused keys are listed with their reasons, and the others are sent", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await shop.edit(ENGLISH, "Total: :amount", "Sum: :amount");
  const counts = { created: 0, updated: 1, restored: 0, unchanged: 0, archived: 0 };
  const rejected = [{ hash: hashOf("total"), reason: "profanity" }];
  answer = { status: 200, body: { data: { ...counts, rejected } } };
  answerNextList((preview) => preview.accept());
  clickInNextMessage("Show Details");
  expect(await push()).toMatchObject({ outcome: "done", result: { rejected } });
  const message = "Pushed to Test: 1 updated, 1 refused.";
  expect(messages).toEqual([{ kind: "warning", text: message, actions: ["Show Details"] }]);
  expect(commands.results.at(-1)).toEqual({ message, kind: "partly" });
  await waitUntil(() => commands.documents.length > 0);
  expect(commands.documents).toEqual([["push.md", `# ${message}\n\n- cart.total: profanity\n`]]);
});

/** As of a push that may add one key more. */
const KEY_LIMIT = {
  status: 422,
  body: { message: "No.", reason: "key_limit_reached", limit: 5, used: 4, requested: 6 },
};

test("a key limit that stops a push after a part of it is a note of the next preview, too", async () => {
  await shop.close();
  let requests = Number.NEGATIVE_INFINITY;
  const { window: own, ...opened } = await openShop([], {
    maxItems: { ...FEW_ITEMS, sync: 1 },
    intercept: (request, forward) =>
      request.startsWith("POST /keys/sync") && ++requests === 2
        ? Promise.resolve(Response.json(KEY_LIMIT.body, { status: KEY_LIMIT.status }))
        : forward(),
  });
  ({ shop, commands } = opened);
  requests = 0;
  await shop.edit(ENGLISH, "];", "    'a' => 'A',\n    'b' => 'B',\n    'c' => 'C',\n];");
  answerNextList((preview) => preview.accept());
  const before = own.project.stats?.contentVersion;
  expect(await push()).toMatchObject({ outcome: "failed", result: { created: 1 } });
  await waitUntil(() => own.project.stats?.contentVersion !== before);
  await own.refresher.refresh();
  let note: string | undefined;
  answerNextList((preview) => {
    note = preview.placeholder;
    preview.hide();
  });
  await push();
  expect(note).toBe("May exceed the key limit: 2 keys to add, about 1 of 5 free");
});

test("a key limit is a note of the next preview, until a push was done", async () => {
  await shop.edit(ENGLISH, "];", "    'new' => 'New',\n    'next' => 'Next',\n];");
  answer = KEY_LIMIT;
  answerNextList((preview) => preview.accept());
  expect(await push()).toMatchObject({ error: { code: "key_limit_reached" } });
  answer = null;
  const notes: (string | undefined)[] = [];
  answerNextList((preview) => {
    notes.push(preview.placeholder);
    preview.accept();
  });
  expect(await push()).toMatchObject({ outcome: "done" });
  await shop.edit(ENGLISH, "];", "    'more' => 'More',\n    'most' => 'Most',\n];");
  answerNextList((preview) => {
    notes.push(preview.placeholder);
    preview.hide();
  });
  await push();
  expect(notes).toEqual([
    "May exceed the key limit: 2 keys to add, about 1 of 5 free",
    "Selected keys are sent. Use a row’s button to see its difference.",
  ]);
});

test("sends what the files have once it is decided whether unsaved ones are saved", async () => {
  const saved = await shop.read(ENGLISH);
  unsaved.set(ENGLISH, saved.replace("Your cart", "Our cart"));
  await window.local.reload();
  pickInNextList((items) => {
    unsaved.set(ENGLISH, saved.replace("Your cart", "My cart"));
    return items.find(({ label }) => label === "Continue Without Saving");
  });
  answerNextList((preview) => preview.accept());
  expect(await push()).toMatchObject({ outcome: "done" });
  expect(await sourceTexts(window)).toMatchObject({ title: "My cart" });
});

test("with nothing to send, keys to archive are offered only for the whole project", async () => {
  await push();
  await commands.ask(pushCommand, { only: [hashOf("title")] });
  expect(messages.map(({ actions }) => actions.includes("Find Keys to Archive"))).toEqual([true, false]);
});

test("a rename that fails at the service ends those after it, which stay pending", async () => {
  const requested = watchRenames(commands.app);
  requested.expect(commands.open, cart("title"), cart("heading"));
  requested.expect(commands.open, cart("total"), cart("sum"));
  await shop.edit(ENGLISH, "'title'", "'heading'");
  await shop.edit(ENGLISH, "'total'", "'sum'");
  await window.local.reload();
  refuse("POST /keys/sync");
  const run = vi.spyOn(commands.app, "run");
  clickInNextMessage("Rename on the Service");
  await requested.record(commands.open);
  await waitUntil(() => run.mock.results.length > 0);
  expect(await run.mock.results[0]?.value).toMatchObject({ outcome: "failed" });
  await new Promise(setImmediate);
  expect(run).toHaveBeenCalledTimes(1);
  expect(window.project.activity.renames).toHaveLength(2);
});

test("says what it could not read, and what it left, beside what it sent", async () => {
  const broken = "lang/en/broken.php";
  await shop.write(broken, "<?php\n\nreturn [ 'a' => ");
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  const theirs = [{ namespace: "cart", key: "total", value: "Their total: :amount" }];
  await window.client.sync({ keys: theirs, archive: [] }, {});
  const items = [
    { key: "*", file: broken },
    { key: "total", file: ENGLISH },
  ];
  expect(await commands.run(pushCommand, {})).toMatchObject({
    outcome: "done",
    result: { updated: 1 },
    items,
  });
  const unread = "Pushed to Test: 1 updated. ";
  const left = " Not pushed: changed only on the service: 1 key.";
  const [row] = commands.results.slice(-1);
  expect([row?.kind, row?.message.startsWith(unread), row?.message.endsWith(left)]).toEqual([
    "partly",
    true,
    true,
  ]);
  expect(row?.message).toContain(broken);
  expect(messages).toEqual([]);
  // A person has seen in the preview what is left.
  await shop.edit(ENGLISH, "'Our cart'", "'A cart'");
  answerNextList((preview) => preview.accept());
  expect(await push()).toMatchObject({ outcome: "done" });
  const text = row?.message.slice(0, -left.length) ?? "";
  expect(messages).toEqual([{ kind: "warning", text, actions: [] }]);
});

test("keys to archive are listed with a warning of what was not read, and only for the whole project", async () => {
  const broken = "lang/en/broken.php";
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  answerNextList((preview) => {
    expect(preview.buttons).toEqual([]);
    preview.hide();
  });
  await commands.ask(pushCommand, { files: [ENGLISH] });
  await shop.edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
  await shop.write(broken, "<?php\n\nreturn [ 'a' => ");
  messages.length = 0;
  answerNextList(async (preview) => {
    expect(preview.buttons.map(({ tooltip }) => tooltip)).toEqual([
      "Also List Keys Missing from Local Files, to Archive Them",
    ]);
    preview.press("Also List Keys Missing from Local Files, to Archive Them");
    await waitUntil(() => messages.length > 0);
    expect(messages[0]).toMatchObject({ kind: "warning", text: expect.stringContaining(broken) });
    preview.accept();
  });
  await push();
  // Whether it is in the file is not known.
  expect(await sourceTexts(window)).toMatchObject({ title: "Our cart", total: "Total: :amount" });
});

test.each([
  ["a refused key is shown, also before the rest fails", [{ hash: hashOf("title"), reason: "locked" }], 1],
  ["what was sent before the rest fails is in Activity, and said with the error", [], 0],
])("%s", async (_name, rejected, shown) => {
  let syncs = 0;
  const few = await shop.open("few", {
    maxItems: { ...FEW_ITEMS, sync: 1 },
    intercept: async (request, forward) => {
      if (!request.startsWith("POST /keys/sync")) return forward();
      if (++syncs === 2) return Response.json({ message: "No." }, { status: 403 });
      const counts = { created: 0, updated: 1, restored: 0, unchanged: 0, archived: 0 };
      return Response.json({ data: { ...counts, rejected } });
    },
  });
  await few.refresher.refresh();
  const other = createCommandRunner(few, rootOf(shop), [registerPush]);
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await shop.edit(ENGLISH, "Total: :amount", "Sum: :amount");
  answerNextList((preview) => preview.accept());
  const result = await other.ask(pushCommand, {});
  expect(result).toMatchObject({ outcome: "failed", error: { code: "forbidden" }, result: { updated: 1 } });
  expect(other.results).toMatchObject([{ kind: "partly", message: expect.stringContaining("1 updated") }]);
  expect(messages).toHaveLength(shown);
});
