/** A pull compares three sides: what was last agreed, the file, and the service. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PendingChangeQueries } from "../../../../src/database/pending-change-queries.ts";
import { textFingerprint } from "../../../../src/model/agreed-text.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import { changedEntries, countPendingChanges } from "../../../../src/sync/count-pending-changes.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import type { PullRequest } from "../../../../src/sync/pull/applied-exports.ts";
import type { LeftText, PullSelection } from "../../../../src/sync/pull/compare-with-export.ts";
import {
  keepLocalTexts,
  leftTextsOf,
  planChoice,
  planPull,
  problemsOf,
  takeLeftTexts,
  type PullDependencies,
  type PullPlan,
} from "../../../../src/sync/pull/pull-plan.ts";
import { undoPull, writePull } from "../../../../src/sync/pull/write-pull.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { renameAtService } from "../../../../src/sync/rename-at-service.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import {
  FIXTURE_PROJECT_FILE,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  await push();
  await translate({ title: { value: "Je mandje" }, total: { value: "Totaal: :amount" } });
});
afterEach(() => shop.close());

const DUTCH = "lang/nl/cart.php";
const ENGLISH = "lang/en/cart.php";

const needs = (layout: "keep" | "service" = "keep"): PullDependencies => ({
  ...window,
  locationOptions: {
    file: { ...FIXTURE_PROJECT_FILE, pull: { layout } },
    entries: FIXTURE_PROJECT_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl"]),
  },
});

async function push(): Promise<void> {
  window.local.invalidate();
  const plan = await planPush(window, await sourceKeys(window));
  await sendPush(
    window,
    plan.items.filter(({ change }) => change !== "unchanged"),
    [],
  );
}

async function translate(texts: Readonly<Record<string, Text>>): Promise<void> {
  const edits = Object.entries(texts).map(([key, text]) => {
    return { name: { namespace: "cart", key, context: null }, text };
  });
  await setTranslations(window, "nl", edits, "overwrite");
  await window.refresher.refresh({ priority: "person" });
}

/** A source text that somebody else changed at the service. */
async function changeSource(key: string, value: string): Promise<void> {
  await window.client.sync({ keys: [{ namespace: "cart", key, value }], archive: [] }, {});
}

async function plan(
  locales = ["en", "nl"],
  layout: "keep" | "service" = "keep",
  missing?: PullRequest["missing"],
): Promise<PullPlan> {
  await window.local.reload();
  const request = { profile: "app", locales, missing };
  const outcome = await planPull(needs(layout), request, { ignoreEtag: true });
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

async function pull(locales?: string[], layout?: "keep" | "service"): Promise<PullPlan> {
  const planned = await plan(locales, layout);
  expect(await writePull(needs(), planned)).toEqual({ kind: "written" });
  return planned;
}

async function edit(path: string, before: string, after: string): Promise<void> {
  const text = await shop.read(path);
  expect(text).toContain(before);
  await shop.write(path, text.replace(before, after));
}

const left = (planned: PullPlan): string[] =>
  leftTextsOf(planned)
    .map(({ locale, name, reason }) => `${locale} ${name.key} ${reason}`)
    .sort();

const counts = async () => {
  const local = await window.local.reload();
  return countPendingChanges(window.project, local, new PendingChangeQueries(window.database));
};

const cart = (key: string) => ({ namespace: "cart", key, context: null });

const idsOf = (planned: PullPlan, locale: string): ReadonlySet<string> =>
  new Set(leftTextsOf(planned).flatMap((text) => (text.locale === locale ? [text.id] : [])));

describe("source texts", () => {
  test("that were not pushed yet stay, and are named", async () => {
    await edit(ENGLISH, "Your cart", "Your basket");
    const planned = await pull();
    expect(left(planned)).toEqual(["en title file"]);
    expect(await shop.read(ENGLISH)).toContain("Your basket");
  });

  test("of which nothing was agreed stay too", async () => {
    window.project.personal.database.write("DELETE FROM agreed_texts");
    await edit(ENGLISH, "Your cart", "Your basket");
    expect(left(await pull(["en"]))).toEqual(["en title file"]);
    expect(await shop.read(ENGLISH)).toContain("Your basket");
  });

  test("that changed only at the service are written", async () => {
    await changeSource("title", "Your bag");
    expect(left(await pull())).toEqual([]);
    expect(await shop.read(ENGLISH)).toContain("Your bag");
    // What was pulled is agreed, also before both sides are compared again.
    await edit(ENGLISH, "Your bag", "My bag");
    expect(left(await plan())).toEqual(["en title file"]);
  });

  test("that changed on both sides are a conflict, with both texts", async () => {
    await changeSource("title", "Your bag");
    await edit(ENGLISH, "Your cart", "Your basket");
    const planned = await pull();
    expect(leftTextsOf(planned)).toMatchObject([
      { reason: "conflict", ours: { value: "Your basket" }, theirs: { value: "Your bag" }, path: ENGLISH },
    ]);
    expect(await shop.read(ENGLISH)).toContain("Your basket");
  });

  test("that changed on both sides are pushed after the file's was kept", async () => {
    await changeSource("title", "Your bag");
    await edit(ENGLISH, "Your cart", "Your basket");
    const planned = await plan();
    await keepLocalTexts(window, planned, leftTextsOf(planned));
    await window.refresher.refresh({ priority: "person" });
    expect(left(await pull())).toEqual(["en title file"]);
    const { items } = await planPush(window, await sourceKeys(window));
    expect(items.find(({ name }) => name.key === "title")).toMatchObject({ change: "changed", side: "file" });
  });

  test("whose key was deleted in the files are not put back, in no language and in no new file", async () => {
    await pull();
    await edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
    await edit(DUTCH, `    'total'  => "Totaal: :amount",\n`, "");
    const planned = await pull();
    expect(left(planned)).toEqual(["en total deleted", "nl total deleted"]);
    expect(await shop.read(ENGLISH)).not.toContain("total");
    expect(await shop.read(DUTCH)).not.toContain("total");
    await shop.remove(DUTCH);
    const again = await plan();
    expect(left(await pull())).toEqual(["en total deleted", "nl total deleted"]);
    expect(await shop.read(DUTCH)).not.toContain("total");
    // A text that was left out of the new file is in it once it is chosen, and then agreed.
    const chosen = await takeLeftTexts(again, idsOf(again, "nl"), () => true);
    expect(left(chosen)).toEqual(["en total deleted"]);
    await shop.remove(DUTCH);
    await writePull(needs(), chosen);
    expect(await shop.read(DUTCH)).toContain("Totaal: :amount");
    expect(left(await plan())).toEqual(["en total deleted"]);
    await shop.remove(ENGLISH);
    await pull();
    await expect(shop.read(ENGLISH)).rejects.toThrow("ENOENT");
  });

  test("whose key may be in a part of the source file that cannot be read are not deleted", async () => {
    await translate({ "voucher.label": { value: "Bon" } });
    const vouchers = `[\n        'label' => 'Voucher code',\n    ]`;
    await edit(ENGLISH, vouchers, "vouchers()");
    expect(left(await plan(["nl"]))).toEqual([]);
    await edit(ENGLISH, "    'voucher' => vouchers(),\n", "");
    expect(left(await plan(["nl"]))).toEqual(["nl voucher.label deleted"]);
  });

  test("whose key was deleted in the files are not put back as empty translations either", async () => {
    const planned = async (): Promise<string> => {
      const { files } = await plan(["nl"], "keep", "empty");
      return new TextDecoder().decode(files.find(({ path }) => path === DUTCH)?.after);
    };
    expect(await planned()).toContain("'items'");
    await edit(ENGLISH, `    'items' => ':count item|:count items',\n`, "");
    expect(await planned()).not.toContain("'items'");
  });

  test("whose key was archived and is restored by somebody else are added, with their translations", async () => {
    await pull();
    await edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
    await edit(DUTCH, `    'total'  => "Totaal: :amount",\n`, "");
    window.local.invalidate();
    const planned = await planPush(window, await sourceKeys(window), { archiveMissing: true });
    expect(planned.archive.map(({ key }) => key)).toEqual(["total"]);
    await sendPush(window, [], planned.archive);
    await changeSource("total", "Total: :amount");
    expect(left(await pull())).toEqual([]);
    expect(await shop.read(ENGLISH)).toContain("Total: :amount");
    expect(await shop.read(DUTCH)).toContain("Totaal: :amount");
  });

  test("of a new key at the service are added", async () => {
    await changeSource("empty", "Your cart is empty");
    expect(left(await pull())).toEqual([]);
    expect(await shop.read(ENGLISH)).toContain("Your cart is empty");
  });
});

describe("translations", () => {
  beforeEach(async () => void (await pull()));

  test("that changed only in the file stay, and the others are pulled", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ total: { value: "Samen: :amount" } });
    const planned = await pull();
    expect(planned.files.find(({ path }) => path === DUTCH)).toMatchObject({ texts: 1, differing: 0 });
    expect(left(planned)).toEqual(["nl title file"]);
    const text = await shop.read(DUTCH);
    expect(text).toContain("Mijn mandje");
    expect(text).toContain("Samen: :amount");
  });

  test("that the file has the source text for are nothing to send", async () => {
    await edit(DUTCH, "Je mandje", "Your cart");
    expect((await counts()).changedInFiles).toEqual(new Map());
    const local = await window.local.load();
    expect(await changedEntries(window.project, local, "nl")).toEqual([]);
    await edit(DUTCH, "Your cart", "Mijn mandje");
    expect((await counts()).changedInFiles).toEqual(new Map([["nl", 1]]));
    expect(await changedEntries(window.project, await window.local.load(), "nl")).toHaveLength(1);
  });

  test("that changed on both sides are a conflict until one is taken", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ title: { value: "Jouw mandje" } });
    expect(left(await pull())).toEqual(["nl title conflict"]);
    expect(await shop.read(DUTCH)).toContain("Mijn mandje");
    const planned = await plan();
    const ids = new Set(leftTextsOf(planned).map(({ id }) => id));
    await writePull(needs(), await takeLeftTexts(planned, ids, () => true));
    expect(await shop.read(DUTCH)).toContain("Jouw mandje");
    // What was taken is agreed.
    await edit(DUTCH, "Jouw mandje", "Mijn tas");
    expect(left(await plan())).toEqual(["nl title file"]);
  });

  test("that changed on both sides are settled by keeping the file's, and then sent", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ title: { value: "Jouw mandje" }, total: { value: "Samen: :amount" } });
    const planned = await plan();
    const kept = await keepLocalTexts(window, planned, leftTextsOf(planned));
    expect(left(kept)).toEqual(["nl title file"]);
    await writePull(needs(), kept);
    const text = await shop.read(DUTCH);
    expect(text).toContain("Mijn mandje");
    expect(text).toContain("Samen: :amount");
    expect(left(await plan())).toEqual(["nl title file"]);
    expect(await counts()).toMatchObject({ toPull: 0, conflicts: 0, changedInFiles: new Map([["nl", 1]]) });
    const local = await window.local.load();
    expect(await changedEntries(window.project, local, "nl")).toMatchObject([
      { entry: { text: { value: "Mijn mandje" } }, row: { text: { value: "Jouw mandje" } } },
    ]);
    await translate({ title: { value: "Mijn mandje" } });
    expect(left(await plan())).toEqual([]);
    // A later change by somebody else is a conflict again.
    await edit(DUTCH, "Mijn mandje", "Mijn tas");
    await translate({ title: { value: "Jouw tas" } });
    expect(left(await plan())).toEqual(["nl title conflict"]);
  });

  test.each([
    ["keep", "leave"],
    ["leave", "take"],
    ["take", "keep"],
  ] as const)("in conflict are settled one by one: %s the first, %s the second", async (title, total) => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await edit(DUTCH, "Totaal: :amount", "Alles: :amount");
    await translate({ title: { value: "Jouw mandje" }, total: { value: "Samen: :amount" } });
    const decisions: Readonly<Record<string, "keep" | "leave" | "take">> = { title, total };
    const planned = await plan();
    const decided = (decision: "keep" | "take"): LeftText[] =>
      leftTextsOf(planned).filter(({ name }) => decisions[name.key] === decision);
    const choice = { files: planned.files, texts: decided("take"), kept: decided("keep") };
    const chosen = await planChoice(window, planned, choice);
    const reasons = { keep: ["file"], leave: ["conflict"], take: [] };
    const expected = [
      ...reasons[title].map((reason) => `nl title ${reason}`),
      ...reasons[total].map((reason) => `nl total ${reason}`),
    ];
    expect(left(chosen)).toEqual(expected);
    await writePull(needs(), chosen);
    const text = await shop.read(DUTCH);
    expect(text).toContain(title === "take" ? "Jouw mandje" : "Mijn mandje");
    expect(text).toContain(total === "take" ? "Samen: :amount" : "Alles: :amount");
    expect(left(await plan())).toEqual(expected);
  });

  test("deleted in the file and changed at the service are settled by leaving them deleted", async () => {
    await edit(DUTCH, `    'total'  => "Totaal: :amount",\n`, "");
    await translate({ total: { value: "Samen: :amount" } });
    const planned = await plan();
    expect(left(planned)).toEqual(["nl total conflict"]);
    expect(left(await keepLocalTexts(window, planned, leftTextsOf(planned)))).toEqual(["nl total deleted"]);
    expect(left(await pull())).toEqual(["nl total deleted"]);
    expect(await shop.read(DUTCH)).not.toContain("total");
    // A later change by somebody else is a conflict again, also once the source files lack the key too.
    await edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
    await translate({ total: { value: "Alles: :amount" } });
    expect(left(await plan())).toEqual(["en total deleted", "nl total conflict"]);
  });

  test("of which nothing was agreed are taken from the service, and counted as differing", async () => {
    window.project.personal.database.write("DELETE FROM agreed_texts");
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    const planned = await pull();
    expect(planned.files.find(({ path }) => path === DUTCH)).toMatchObject({ texts: 1, differing: 1 });
    expect(await shop.read(DUTCH)).toContain("Je mandje");
  });

  test.each([
    ["texts are replaced", "keep"],
    ["whole files are", "service"],
  ] as const)(
    "that are selected alone are taken without the rest of their file, where %s",
    async (_, layout) => {
      await edit(DUTCH, "Je mandje", "Mijn mandje");
      await translate({ total: { value: "Samen: :amount" } });
      const planned = await plan(["en", "nl"], layout);
      const ids = new Set(leftTextsOf(planned).map(({ id }) => id));
      await writePull(needs(), await takeLeftTexts(planned, ids, () => false));
      const text = await shop.read(DUTCH);
      expect(text).toContain("Je mandje");
      expect(text).toContain("Totaal: :amount");
      // The next pull has the rest, so it must not be told that the export is the same.
      const request = { profile: "app", locales: ["en", "nl"], missing: undefined };
      const next = await planPull(needs(layout), request);
      if (next.kind !== "planned") throw new Error(next.kind);
      await writePull(needs(layout), next.plan);
      expect(await shop.read(DUTCH)).toContain("Samen: :amount");
    },
  );

  test("also stay where the file is otherwise replaced by the service's bytes", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ total: { value: "Samen: :amount" } });
    expect(left(await pull(["nl"], "service"))).toEqual(["nl title file"]);
    const text = await shop.read(DUTCH);
    expect(text).toContain("Mijn mandje");
    expect(text).toContain("Samen: :amount");
    expect(text).toContain("Alleen hier");
  });

  test("are agreed where the whole file was replaced by the service's bytes, too", async () => {
    await translate({ title: { value: "Jouw mandje" } });
    const { files } = await pull(["nl"], "service");
    expect(await shop.read(DUTCH)).toBe(new TextDecoder().decode(files[0]?.after));
    await edit(DUTCH, "Jouw mandje", "Mijn mandje");
    expect(left(await plan(["nl"], "service"))).toEqual(["nl title file"]);
  });

  test("that both sides changed alike are no conflict", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ title: { value: "Mijn mandje" } });
    expect(left(await pull())).toEqual([]);
    await translate({ title: { value: "Jouw mandje" } });
    expect(left(await pull())).toEqual([]);
    expect(await shop.read(DUTCH)).toContain("Jouw mandje");
  });

  test("are pulled again after the pull was undone", async () => {
    await translate({ title: { value: "Jouw mandje" } });
    const planned = await pull();
    await undoPull(needs(), planned, (path) => shop.remove(path));
    expect(await shop.read(DUTCH)).toContain("Je mandje");
    expect(left(await pull())).toEqual([]);
    expect(await shop.read(DUTCH)).toContain("Jouw mandje");
  });

  test("are compared with what was agreed on before a pull that was undone", async () => {
    const undo = (planned: PullPlan) => undoPull(needs(), planned, (path) => shop.remove(path));
    await translate({ title: { value: "Jouw mandje" } });
    await undo(await pull());
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    const mine = await shop.read(DUTCH);
    expect(left(await pull())).toEqual(["nl title conflict"]);
    expect(await shop.read(DUTCH)).toBe(mine);
    // The same of a file that was created.
    await shop.remove(DUTCH);
    await undo(await pull());
    await shop.write(DUTCH, mine);
    expect(left(await pull())).toEqual(["nl title conflict"]);
    expect(await shop.read(DUTCH)).toBe(mine);
  });

  test("of an unsaved document are not those of the file, which is pulled once the document is closed", async () => {
    await translate({ title: { value: "Jouw mandje" } });
    const unsaved = new Map([[DUTCH, (await shop.read(DUTCH)).replace("Je mandje", "Jouw mandje")]]);
    window = await shop.open("one", { unsaved });
    await window.refresher.refresh();
    const planned = await plan(["nl"]);
    // There is nothing to write to it.
    expect([left(planned), problemsOf(planned)]).toEqual([[], []]);
    unsaved.clear();
    expect(left(await pull(["nl"]))).toEqual([]);
    expect(await shop.read(DUTCH)).toContain("Jouw mandje");
  });

  test("keep no ETag while one is left", async () => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate({ total: { value: "Samen: :amount" } });
    await pull();
    const request = { profile: "app", locales: ["en", "nl"], missing: undefined };
    expect(await planPull(needs(), request)).toMatchObject({ kind: "planned" });
  });

  test("of a renamed key stay as edited in the file", async () => {
    await edit(DUTCH, "'title'  => 'Je mandje'", "'heading' => 'Mijn mandje'");
    await edit(ENGLISH, "'title'", "'heading'");
    expect(await renameAtService(window, cart("title"), cart("heading"))).toMatchObject({ kind: "done" });
    expect(left(await pull())).toEqual(["nl heading file"]);
    expect(await shop.read(DUTCH)).toContain("Mijn mandje");
  });
});

describe("counts", () => {
  test("store what both sides have, and count by the side that changed", async () => {
    window.project.personal.database.write("DELETE FROM agreed_texts");
    expect(await counts()).toMatchObject({ toPull: 0, conflicts: 0, changedInFiles: new Map() });
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    expect(await counts()).toMatchObject({ toPull: 0, conflicts: 0, changedInFiles: new Map([["nl", 1]]) });
    const local = await window.local.load();
    expect(await changedEntries(window.project, local, "nl")).toMatchObject([
      { entry: { text: { value: "Mijn mandje" } }, row: { text: { value: "Je mandje" } } },
    ]);
    await translate({ title: { value: "Jouw mandje" }, total: { value: "Samen: :amount" } });
    expect(await counts()).toMatchObject({ toPull: 1, conflicts: 1, changedInFiles: new Map() });
    expect(await changedEntries(window.project, local, "nl")).toEqual([]);
  });

  test("leave out what was deleted in the files", async () => {
    await counts();
    await edit(ENGLISH, `    'total' => "Total: :amount",\n`, "");
    await edit(DUTCH, `    'total'  => "Totaal: :amount",\n`, "");
    expect(await counts()).toMatchObject({ toPull: 0 });
  });

  test("store nothing of unsaved text", async () => {
    window.project.personal.database.write("DELETE FROM agreed_texts");
    await window.local.reload();
    window.database.write(
      "UPDATE local_files SET owner = ? WHERE path = ?",
      window.database.windowPid,
      DUTCH,
    );
    await countPendingChanges(window.project, window.local, new PendingChangeQueries(window.database));
    expect(window.project.personal.database.column("SELECT DISTINCT locale FROM agreed_texts")).toEqual([
      "en",
    ]);
  });

  test("are not made without a sign-in, where both sides are the files", async () => {
    const { project } = window;
    window.project.personal.database.write("DELETE FROM agreed_texts");
    project.setSession({ kind: "signed-out" });
    project.showLocal(project.stats, true, []);
    expect(await counts()).toMatchObject({ toPush: null, toPull: null });
    expect(window.project.personal.database.column("SELECT hash FROM agreed_texts")).toEqual([]);
  });
});

/** Adds files with the same keys, which come first. */
function addCopies(): void {
  const files = [
    ...(FIXTURE_PROJECT_FILE.files ?? []),
    { path: "copies/{locale}/{namespace}.php", format: "laravel_php" as const },
  ];
  window.local.configure({ files, locales: {}, sourceLocale: "en", serviceLocales: ["en", "nl", "fr"] });
}

test("what a second file has in common with the service is not agreed about the first", async () => {
  await translate({ title: { value: "Jouw mandje" } });
  addCopies();
  await shop.write("copies/nl/cart.php", "<?php return ['title' => 'Mijn mandje'];");
  await edit(DUTCH, "Je mandje", "Jouw mandje");
  expect(left(await pull(["nl"]))).toEqual([]);
  const agreed = (key: string) => window.project.agreedTexts.get("nl", keyHash(cart(key)));
  expect(agreed("title")).toBeUndefined();
  expect(agreed("total")).toBe(textFingerprint({ value: "Totaal: :amount" }));
});

test("a second file with the same keys is pulled, since what was agreed is about the first", async () => {
  await translate({ title: { value: "Jouw mandje" } });
  addCopies();
  await shop.write("copies/nl/cart.php", "<?php return ['title' => 'Jouw mandje'];");
  await counts();
  expect(window.project.agreedTexts.get("nl", keyHash(cart("title")))).toBe(
    textFingerprint({ value: "Jouw mandje" }),
  );
  expect(left(await pull(["nl"]))).toEqual([]);
  expect(await shop.read(DUTCH)).toContain("Jouw mandje");
});

test("a file with only texts that are left is planned as unchanged and can be taken", async () => {
  await pull();
  await edit(DUTCH, "Je mandje", "Mijn mandje");
  const planned = await plan(["nl"]);
  expect(problemsOf(planned)).toEqual([]);
  expect(planned.files).toMatchObject([{ path: DUTCH, change: "unchanged", texts: 0 }]);
  const nothing: PullSelection = { byDefault: false, left: new Set() };
  expect(await planned.files[0]?.select(nothing)).toMatchObject({ change: "unchanged" });
});
