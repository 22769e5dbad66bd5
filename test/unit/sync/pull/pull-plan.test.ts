/** Pulls from a real local service: only changed files are written, and completely. */
import { zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../../../src/api/response-schemas.ts";
import { PendingChangeQueries } from "../../../../src/database/pending-change-queries.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import { countPendingChanges } from "../../../../src/sync/count-pending-changes.ts";
import {
  leftTextsOf,
  planPull,
  problemsOf,
  takeLeftTexts,
  type PullDependencies,
  type PullPlan,
} from "../../../../src/sync/pull/pull-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import {
  openFixtureProject,
  FIXTURE_PROJECT_FILE,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import { realClock } from "../../support/node-platform.ts";
import type { TestWindow } from "../../support/test-window.ts";
import type { PullRequest } from "../../../../src/sync/pull/applied-exports.ts";
import { undoPull, writePull } from "../../../../src/sync/pull/write-pull.ts";
import { waitUntil } from "../../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  await sendPush(window, plan.items, []);
  const cart = (key: string) => ({ namespace: "cart", key, context: null });
  await setTranslations(
    window,
    "nl",
    [
      { name: cart("title"), text: { value: "Je winkelmandje" } },
      { name: cart("total"), text: { value: "Totaal: :amount" } },
      { name: cart("items"), text: { forms: { one: ":count artikel", other: ":count artikelen" } } },
    ],
    "overwrite",
  );
  await window.refresher.refresh();
});
afterEach(() => shop.close());

const needs = (layout: "keep" | "service" = "keep"): PullDependencies => ({
  ...window,
  locationOptions: {
    file: { ...FIXTURE_PROJECT_FILE, pull: { layout } },
    entries: FIXTURE_PROJECT_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl"]),
  },
});
const REQUEST = { profile: "app", locales: ["nl"], missing: undefined };

test("writes changed values, keeps all other bytes, then reports no changes", async () => {
  const outcome = await planPull(needs(), REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  expect(problemsOf(outcome.plan)).toEqual([]);
  expect(outcome.plan.files.map(({ path, change, texts }) => ({ path, change, texts }))).toEqual([
    { path: "lang/nl/cart.php", change: "updated", texts: 2 },
  ]);
  expect(await writePull(needs(), outcome.plan)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toBe(`<?php

return [
    'title'  => 'Je winkelmandje', // aligned by hand
    'total'  => "Totaal: :amount",
    'extra'  => 'Alleen hier',
    'items'  => ':count artikel|:count artikelen',
];
`);
  const time = await shop.modified("lang/nl/cart.php");
  window.takeRequests();
  expect(await planPull(needs(), REQUEST)).toEqual({ kind: "unchanged" });
  expect(window.takeRequests()).toHaveLength(1);
  expect(await shop.modified("lang/nl/cart.php")).toBe(time);
});

test("does not touch a file with equal content but other formatting", async () => {
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  window.project.personal.set("pulls", {});
  const second = await planPull(needs(), REQUEST);
  if (second.kind !== "planned") throw new Error(second.kind);
  expect(second.plan.files.map((file) => file.change)).toEqual(["unchanged"]);
});

test("writes nothing if a file changed after planning", async () => {
  const outcome = await planPull(needs(), { ...REQUEST, locales: ["nl", "en"] });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await shop.write("lang/nl/cart.php", "<?php return ['title' => 'Iemand anders'];");
  const agreed = () => window.project.personal.database.number("SELECT count(*) FROM agreed_texts");
  const before = agreed();
  expect(await writePull(needs(), outcome.plan)).toEqual({ kind: "changed", paths: ["lang/nl/cart.php"] });
  expect(agreed()).toBe(before);
  expect(await shop.read("lang/nl/cart.php")).toContain("Iemand anders");
  expect(await planPull(needs(), { ...REQUEST, locales: ["nl", "en"] })).toMatchObject({ kind: "planned" });
});

describe("requests an export again although its ETag is the last one", () => {
  const BOTH = { ...REQUEST, locales: ["nl", "fr"] };
  const TITLE = { namespace: "cart", key: "title", context: null };
  const plan = async (request: PullRequest, only?: ReadonlySet<string>): Promise<PullPlan> => {
    const outcome = await planPull(only === undefined ? needs() : { ...needs(), only }, request);
    if (outcome.kind !== "planned") throw new Error(outcome.kind);
    return outcome.plan;
  };
  const writeTitle = (value: string): Promise<unknown> =>
    setTranslations(window, "nl", [{ name: TITLE, text: { value } }], "overwrite");

  test.each<[string, () => Promise<PullPlan>]>([
    ["a pull of some keys", () => plan(BOTH, new Set([keyHash(TITLE)]))],
    ["a pull of fewer languages", () => plan(REQUEST)],
  ])("after %s has written another text", async (_, planOther) => {
    await writeTitle("Eerst");
    await writePull(needs(), await plan(BOTH));
    await writeTitle("Daarna");
    await writePull(needs(), await planOther());
    expect(await shop.read("lang/nl/cart.php")).toContain("Daarna");
    await writeTitle("Eerst");
    await writePull(needs(), await plan(BOTH));
    expect(await shop.read("lang/nl/cart.php")).toContain("Eerst");
  });

  test.each(["lang/fr/cart.php", "lang/nl/cart.php"])("after a pull that only wrote %s", async (path) => {
    const write = async (value: string): Promise<void> => {
      await writeTitle(value);
      await setTranslations(window, "fr", [{ name: TITLE, text: { value } }], "overwrite");
    };
    await write("One");
    await writePull(needs(), await plan(BOTH));
    await write("Two");
    await writePull(needs(), await takeLeftTexts(await plan(BOTH), new Set(), (each) => each === path));
    const rest = await plan(BOTH);
    expect(rest.files.filter(({ change }) => change !== "unchanged")).toHaveLength(1);
    await writePull(needs(), rest);
    for (const each of rest.files) expect(await shop.read(each.path)).toContain("Two");
  });

  test("after an earlier pull of other languages was undone", async () => {
    await writeTitle("Eerst");
    const first = await plan(BOTH);
    await writePull(needs(), first);
    await writePull(needs(), await plan(REQUEST));
    await undoPull(needs(), first, (path) => shop.remove(path));
    expect(await shop.read("lang/nl/cart.php")).not.toContain("Eerst");
    await writePull(needs(), await plan(REQUEST));
    expect(await shop.read("lang/nl/cart.php")).toContain("Eerst");
  });
});

test("what was undone is offered again, also after a count that has not noticed it", async () => {
  const count = () =>
    countPendingChanges(window.project, window.local, new PendingChangeQueries(window.project.database));
  const plan = async (): Promise<PullPlan> => {
    const outcome = await planPull(needs(), REQUEST);
    if (outcome.kind !== "planned") throw new Error(outcome.kind);
    return outcome.plan;
  };
  const changes = ({ files }: PullPlan) => files.map(({ path, change, texts }) => ({ path, change, texts }));
  const first = await plan();
  await writePull(needs(), first);
  window.local.invalidate();
  expect(await count()).toMatchObject({ toPull: 0 });
  await undoPull(needs(), first, (path) => shop.remove(path));
  // No event of the file has come.
  await count();
  expect(changes(await plan())).toEqual(changes(first));
});

test("restores a deleted file despite a 304", async () => {
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  const { rm } = await import("node:fs/promises");
  await rm(`${shop.folder}/app/lang/nl/cart.php`);
  const second = await planPull(needs(), REQUEST);
  expect(second).toMatchObject({ kind: "planned", plan: { files: [{ change: "created" }] } });
});

test("writes the service's bytes if the project file says so", async () => {
  const outcome = await planPull(needs("service"), REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await writePull(needs(), outcome.plan);
  const exported = await window.client.export("app", { locales: ["nl"] });
  if (exported.kind !== "file") throw new Error(exported.kind);
  expect(Buffer.from(await shop.read("lang/nl/cart.php"))).toEqual(Buffer.from(exported.bytes));
});

test("leaves the older texts of another branch, and writes them on demand", async () => {
  const old = await shop.read("lang/nl/cart.php");
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  const pulled = await shop.read("lang/nl/cart.php");
  await shop.write("lang/nl/cart.php", old);
  expect(await planPull(needs(), REQUEST)).toEqual({ kind: "unchanged" });
  const anew = await planPull(needs(), REQUEST, { ignoreEtag: true });
  if (anew.kind !== "planned") throw new Error(anew.kind);
  expect(anew.plan.files).toMatchObject([{ change: "unchanged", texts: 0 }]);
  const left = leftTextsOf(anew.plan);
  expect(left.map(({ name, reason }) => [name.key, reason])).toEqual([
    ["title", "file"],
    ["items", "deleted"],
  ]);
  await writePull(needs(), await takeLeftTexts(anew.plan, new Set(left.map(({ id }) => id)), () => true));
  expect(await shop.read("lang/nl/cart.php")).toBe(pulled);
});

test("does not count moved files as pulled", async () => {
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  const elsewhere: PullDependencies = {
    ...needs(),
    locationOptions: {
      ...needs().locationOptions,
      file: { ...FIXTURE_PROJECT_FILE, pull: { into: "resources" } },
    },
  };
  expect(await planPull(elsewhere, REQUEST)).toMatchObject({
    kind: "planned",
    plan: { files: [{ path: "resources/cart.php", change: "created" }] },
  });
});

test("keeps a local text without translation at the service, and adds missing ones", async () => {
  await shop.write(
    "lang/nl/cart.php",
    "<?php return ['title' => 'Je winkelmandje', 'voucher' => ['label' => 'Hier vertaald']];",
  );
  const outcome = await planPull(needs(), { ...REQUEST, missing: "empty" });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await writePull(needs(), outcome.plan);
  const text = await shop.read("lang/nl/cart.php");
  expect(text).toContain("'label' => 'Hier vertaald'");
  expect(text).toContain("'total' => 'Totaal: :amount'");
});

test("skips a file with a syntax error, pulls the others and requests it again", async () => {
  await shop.write("lang/nl/cart.php", "<?php return [\n<<<<<<< HEAD\n'title' => 'Mijn',\n];");
  const outcome = await planPull(needs(), { ...REQUEST, locales: ["nl", "fr"] });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  expect(problemsOf(outcome.plan)).toEqual([
    { kind: "unreadable", path: "lang/nl/cart.php", why: "syntax", line: 2, column: 1 },
  ]);
  expect(await writePull(needs(), outcome.plan)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toContain("<<<<<<< HEAD");
  expect(await planPull(needs(), { ...REQUEST, locales: ["nl", "fr"] })).toMatchObject({ kind: "planned" });
});

test("writes nothing if a file has unsaved changes", async () => {
  const unsaved = {
    ...window.files,
    read: async (path: string) => {
      const content = await window.files.read(path);
      return content.kind === "read" ? { ...content, dirty: true } : content;
    },
  };
  const outcome = await planPull({ ...needs(), files: unsaved }, REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const before = await shop.modified("lang/nl/cart.php");
  expect(await writePull({ ...needs(), files: unsaved }, outcome.plan)).toEqual({
    kind: "changed",
    paths: ["lang/nl/cart.php"],
  });
  expect(await shop.modified("lang/nl/cart.php")).toBe(before);
});

/** An answer that no service of ours would give. */
const answering = (entries: Record<string, string>, etag = '"x"'): PullDependencies => {
  const encoder = new TextEncoder();
  const bytes = zipSync(
    Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, encoder.encode(text)])),
  );
  return {
    ...needs(),
    client: {
      ...window.client,
      export: async () => ({ kind: "file", bytes, etag, fileName: "x.zip", mediaType: "application/zip" }),
    },
  };
};

test("writes names in any script and deep folders", async () => {
  const path = "lang/nl/отчёты/日本 ☂.php";
  const outcome = await planPull(answering({ [path]: "<?php return ['a' => 'é'];" }), REQUEST);
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  await writePull(needs(), outcome.plan);
  expect(await shop.read(path)).toBe("<?php return ['a' => 'é'];");
});

test.each([
  ["climbs", { "lang/../../nl/cart.php": "" }],
  ["is absolute", { "/etc/passwd": "" }],
  ["has a drive", { "C:/x.php": "" }],
  ["differs in case only", { "lang/nl/a.php": "", "lang/nl/A.php": "" }],
  ["names one file in two ways", { "lang/nl/a.php": "", "lang/./nl/a.php": "" }],
  ["composes an accent in two ways", { "lang/nl/\u00e9.php": "", "lang/nl/e\u0301.php": "" }],
  ["is a file and a folder", { "lang/nl": "", "lang/nl/a.php": "" }],
  ["lies in a tool's folder", { ".git/hooks/a.php": "" }],
  ["has backslashes", { "lang\\..\\..\\a.php": "" }],
  ["holds a line end", { "lang/nl/a\n.php": "" }],
])("rejects an archive whose path %s", async (_, entries: Record<string, string>) => {
  expect(await planPull(answering(entries), REQUEST)).toMatchObject({ kind: "unsafe" });
});

test.each(["lang/nl/con.php", "lang/nl/a?.php"])(
  "rejects an export with %s on Windows only",
  async (path) => {
    const dependencies = answering({
      "lang/nl/cart.php": "<?php return [];",
      [path]: "<?php return ['a' => 'b'];",
    });
    const refused = await planPull({ ...dependencies, system: "win32" }, REQUEST);
    expect(refused).toEqual({ kind: "unsafe", message: `Windows cannot have a file named "${path}"` });
    expect(await planPull({ ...dependencies, system: "linux" }, REQUEST)).toMatchObject({ kind: "planned" });
  },
);

test("follows an export that is being built, then writes it", async () => {
  const bytes = new TextEncoder().encode('{"Log out": "Uit"}');
  const job = await window.client.import([{ path: "lang/nl.json", bytes }], {});
  let requests = 0;
  const building: PullDependencies = {
    ...needs(),
    client: {
      ...window.client,
      export: (...given) =>
        ++requests === 1 ? Promise.resolve({ kind: "job", job }) : window.client.export(...given),
    },
  };
  expect(await planPull(building, REQUEST)).toMatchObject({ kind: "planned" });
  expect(requests).toBe(2);
  expect(window.project.jobs[0]).toMatchObject({ kind: "export", subject: ["app"] });
});

test.each([
  ["a whole pull is", {}, {}, { locales: ["nl"], missing: "empty" }],
  ["a quiet one is", {}, { quiet: true }, { locales: ["nl"], missing: "empty" }],
  ["one of a profile just chosen is", {}, { isChosen: true }, expect.objectContaining({ isChosen: true })],
  ["a pull of some files is not", {}, { isPartial: true }, undefined],
  ["a pull of some keys is not", { only: new Set<string>() }, {}, undefined],
])("%s continued by the next window once the export is built", async (_, limits, options, request) => {
  const one = await shop.open("one", { machine: "one", clock: realClock() });
  const bytes = new TextEncoder().encode('{"Log out": "Uit"}');
  const job = await one.client.import([{ path: "lang/nl.json", bytes }], {});
  const building: PullDependencies = {
    ...needs(),
    ...one,
    ...limits,
    client: { ...one.client, export: () => Promise.resolve({ kind: "job", job }) },
  };
  const closing = planPull(building, { ...REQUEST, missing: "empty" }, options);
  await waitUntil(() => one.project.jobs.length === 1);
  one.jobs.dispose();
  expect(await closing).toMatchObject({ kind: "job", end: "unwatched" });
  const reloaded = await shop.open("two", { machine: "one" });
  reloaded.jobs.resume();
  await waitUntil(() => reloaded.unattended.length === 1);
  expect(reloaded.unattended[0]?.purpose).toMatchObject({ subject: ["app"], quiet: "quiet" in options });
  expect(reloaded.unattended[0]?.purpose.request).toEqual(request);
});

test("gives up on an export that is never available", async () => {
  const bytes = new TextEncoder().encode('{"Log out": "Uit"}');
  const job = await window.client.import([{ path: "lang/nl.json", bytes }], {});
  let requests = 0;
  const endless = (status: Job["status"]): PullDependencies => ({
    ...needs(),
    client: {
      ...window.client,
      export: () => {
        requests++;
        return Promise.resolve({ kind: "job", job: { ...job, status } });
      },
    },
  });
  const failed = { kind: "job", end: "failed", job: { id: job.id } };
  expect(await planPull(endless(job.status), REQUEST)).toMatchObject(failed);
  expect(requests).toBe(4);
  // One that could not be built is not requested again.
  expect(await planPull(endless("failed"), REQUEST)).toMatchObject(failed);
  expect(requests).toBe(5);
});

test("aborts at once while an export is being built", async () => {
  const bytes = new TextEncoder().encode('{"Log out": "Uit"}');
  const job = await window.client.import([{ path: "lang/nl.json", bytes }], {});
  const endless: PullDependencies = {
    ...needs(),
    client: { ...window.client, export: () => Promise.resolve({ kind: "job", job }) },
  };
  const leaving = new AbortController();
  const waiting = planPull(endless, REQUEST, { signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
});

test("computes the same hashes for pulled and pushed keys", async () => {
  const hash = keyHash({ namespace: "cart", key: "voucher.label" });
  expect(window.project.keys.has(hash)).toBe(true);
});

test("adds no rows to a sheet for keys in other local files", async () => {
  await shop.write("texts.csv", "namespace,key,en,nl\nmenu,home,Home,Thuis\n");
  const files = [...(FIXTURE_PROJECT_FILE.files ?? []), { path: "texts.csv", format: "csv" as const }];
  window.local.configure({ files, locales: {}, sourceLocale: "en", serviceLocales: ["en", "nl", "fr"] });
  await window.local.load();
  const exported = answering({
    "texts.csv":
      "namespace,key,en,nl\ncart,title,Your cart,Winkelmand\nmenu,home,Home,Begin\nmenu,new,New,Nieuw\n",
  });
  const outcome = await planPull(
    { ...exported, locationOptions: { ...exported.locationOptions, entries: files } },
    REQUEST,
  );
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  await writePull(needs(), outcome.plan);
  expect(await shop.read("texts.csv")).toBe(
    "namespace,key,en,nl\nmenu,home,Home,Begin\nmenu,new,New,Nieuw\n",
  );
});

async function sayInFrench(): Promise<void> {
  const name = { namespace: "cart", key: "title", context: null };
  await setTranslations(window, "fr", [{ name, text: { value: "Votre panier" } }], "overwrite");
}

test("writes only selected files, and requests existing unselected ones again", async () => {
  const request = { ...REQUEST, locales: ["nl", "fr"] };
  await sayInFrench();
  const outcome = await planPull(needs(), request);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const created = outcome.plan.files.filter(({ change }) => change === "created").map(({ path }) => path);
  expect(created.length).toBeGreaterThan(0);
  expect(await takeLeftTexts(outcome.plan, new Set(), () => true)).toEqual(outcome.plan);
  const before = await shop.read("lang/nl/cart.php");
  await writePull(needs(), await takeLeftTexts(outcome.plan, new Set(), (path) => created.includes(path)));
  expect(await shop.read("lang/nl/cart.php")).toBe(before);
  const again = await planPull(needs(), request);
  if (again.kind !== "planned") throw new Error(again.kind);
  expect(again.plan.files.filter(({ change }) => change === "updated")).toHaveLength(1);
  for (const path of created) await shop.remove(path);
  const third = await planPull(needs(), request);
  if (third.kind !== "planned") throw new Error(third.kind);
  await writePull(needs(), await takeLeftTexts(third.plan, new Set(), (path) => !created.includes(path)));
  expect(await planPull(needs(), request)).toEqual({ kind: "unchanged" });
  // A whole request that was not selected gets the new files too.
  expect(await planPull(needs(), request, { quiet: true })).toMatchObject({ kind: "planned" });
});

test("undoes a pull completely or not at all", async () => {
  const request = { ...REQUEST, locales: ["nl", "fr"] };
  await sayInFrench();
  const before = await shop.read("lang/nl/cart.php");
  const outcome = await planPull(needs(), request);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const { plan } = outcome;
  const created = plan.files.find(({ change }) => change === "created")?.path ?? "";
  await writePull(needs(), plan);
  const after = await shop.read(created);
  await shop.write(created, `${after}// mine\n`);
  const removed: string[] = [];
  const remove = async (path: string): Promise<void> => {
    removed.push(path);
    await shop.remove(path);
  };
  expect(await undoPull(needs(), plan, remove)).toEqual({ kind: "changed", paths: [created] });
  expect(await shop.read("lang/nl/cart.php")).not.toBe(before);
  await shop.write(created, after);
  // Nor is one taken away where another cannot be put back.
  const pulled = await shop.read("lang/nl/cart.php");
  await shop.write("lang/nl/cart.php", `${pulled}// mine\n`);
  expect(await undoPull(needs(), plan, remove)).toEqual({ kind: "changed", paths: ["lang/nl/cart.php"] });
  expect(removed).toEqual([]);
  await shop.write("lang/nl/cart.php", pulled);
  // Nor where one changes at the last moment.
  const outcomeOfWrite = { kind: "changed", paths: ["lang/nl/cart.php"] } as const;
  const late = { ...needs(), files: { ...window.files, write: async () => outcomeOfWrite } };
  expect(await undoPull(late, plan, remove)).toEqual(outcomeOfWrite);
  expect(removed).toEqual([]);
  expect(await undoPull(needs(), plan, remove)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toBe(before);
  expect(removed).toContain(created);
  expect(await planPull(needs(), request)).toMatchObject({ kind: "planned" });
});

test("goes on with an undo of which a removal failed; a file that is gone is removed", async () => {
  const request = { ...REQUEST, locales: ["nl", "fr"] };
  await sayInFrench();
  const before = await shop.read("lang/nl/cart.php");
  const outcome = await planPull(needs(), request);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const { plan } = outcome;
  const created = plan.files.flatMap(({ change, path }) => (change === "created" ? [path] : []));
  await writePull(needs(), plan);
  const busy = undoPull(needs(), plan, () => Promise.reject(new Error("busy")));
  await expect(busy).rejects.toThrow("busy");
  expect(await shop.read("lang/nl/cart.php")).toBe(before);
  const remove = async (path: string): Promise<void> => {
    await shop.remove(path);
    throw new Error("somebody else was faster");
  };
  expect(await undoPull(needs(), plan, remove)).toEqual({ kind: "written" });
  for (const path of created) await expect(shop.read(path)).rejects.toThrow("ENOENT");
});

test("requests the export again after undoing a pull of existing files", async () => {
  const outcome = await planPull(needs(), REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const updated = outcome.plan.files.filter(({ change }) => change === "updated").map(({ path }) => path);
  const plan = await takeLeftTexts(outcome.plan, new Set(), (path) => updated.includes(path));
  await writePull(needs(), plan);
  expect(await undoPull(needs(), plan, (path) => shop.remove(path))).toEqual({ kind: "written" });
  expect(await planPull(needs(), REQUEST)).toMatchObject({ kind: "planned" });
});

test("does not restore the old name of a locally renamed key", async () => {
  const hash = keyHash({ namespace: "cart", key: "title", context: null });
  const before = await shop.read("lang/nl/cart.php");
  await shop.write("lang/nl/cart.php", before.replace("'title' ", "'heading' "));
  for (const layout of ["keep", "service"] as const) {
    const outcome = await planPull({ ...needs(layout), renamed: new Set([hash]) }, REQUEST, {
      ignoreEtag: true,
    });
    if (outcome.kind !== "planned") throw new Error(outcome.kind);
    await writePull(needs(layout), outcome.plan);
    const text = await shop.read("lang/nl/cart.php");
    expect(text).toContain("'heading' ");
    expect(text).not.toContain("'title'");
    expect(text).toContain("Totaal: :amount");
  }
});

test("does not restore the old name of a renamed key in a new file", async () => {
  const hash = keyHash({ namespace: "cart", key: "title", context: null });
  await shop.remove("lang/nl/cart.php");
  const outcome = await planPull({ ...needs(), renamed: new Set([hash]) }, REQUEST, { ignoreEtag: true });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const file = outcome.plan.files.find(({ path }) => path === "lang/nl/cart.php");
  expect(file?.change).toBe("created");
  await writePull(needs(), outcome.plan);
  const text = await shop.read("lang/nl/cart.php");
  expect(text).not.toContain("'title'");
  expect(text).toContain("'total'");
  const whole = await planPull(needs(), REQUEST, { ignoreEtag: true });
  if (whole.kind !== "planned") throw new Error(whole.kind);
  expect(whole.plan.files.find(({ path }) => path === "lang/nl/cart.php")?.texts).toBe(1);
});

test("pulls a single key into existing files", async () => {
  const hash = keyHash({ namespace: "cart", key: "title", context: null });
  const before = await shop.read("lang/nl/cart.php");
  const changed = before.replace(/'title'( +)=> '[^']*'/, "'title'$1=> 'x'").replace("Totaal: :amount", "y");
  await shop.write("lang/nl/cart.php", changed);
  const outcome = await planPull({ ...needs("service"), only: new Set([hash]) }, REQUEST, {
    ignoreEtag: true,
  });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  const { plan } = outcome;
  expect(
    plan.files.filter(({ change }) => change !== "unchanged").map(({ path, texts }) => [path, texts]),
  ).toEqual([["lang/nl/cart.php", 1]]);
  await writePull(needs(), plan);
  const text = await shop.read("lang/nl/cart.php");
  expect(text).not.toContain("=> 'x'");
  expect(text).toContain('"y"');
  // The rest of the export is not taken for pulled.
  expect(await planPull(needs(), REQUEST)).toMatchObject({ kind: "planned" });
});

test("a pull of some keys creates no file, and then one of everything does", async () => {
  const hash = keyHash({ namespace: "cart", key: "title", context: null });
  await shop.remove("lang/nl/cart.php");
  await window.local.reload();
  const changes = async (only?: ReadonlySet<string>): Promise<readonly string[]> => {
    const outcome = await planPull({ ...needs(), ...(only === undefined ? {} : { only }) }, REQUEST);
    if (outcome.kind !== "planned") throw new Error(outcome.kind);
    return outcome.plan.files.map(({ path, change }) => `${change} ${path}`);
  };
  expect(await changes(new Set([hash]))).toEqual([]);
  expect(await changes()).toEqual(["created lang/nl/cart.php"]);
});
