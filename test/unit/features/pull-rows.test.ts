/** What of a pull is checked, taken, kept and left: plan, preview and files, against the local service. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  chosenChanges,
  hasSendable,
  pullChangeId,
  pullPlaceholder,
  pullSections,
  pullTitle,
  type PullChange,
} from "../../../src/messages/sync/pull-rows.ts";
import { createLocaleMap } from "../../../src/model/locales.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { writePlan } from "../../../src/operations/pull-requirements.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import {
  leftTextsOf,
  limitToFiles,
  planChoice,
  planPull,
  type PullDependencies,
  type PullFile,
  type PullOutcome,
  type PullPlan,
} from "../../../src/sync/pull/pull-plan.ts";
import { writePull } from "../../../src/sync/pull/write-pull.ts";
import { planPush } from "../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { PreviewSelection } from "../../../src/vscode/ui/preview/preview-selection.ts";
import type { PreviewRow } from "../../../src/messages/preview-rows.ts";
import {
  FIXTURE_PROJECT_FILE,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../support/fixture-project.ts";
import type { TestWindow } from "../support/test-window.ts";

const DUTCH = "lang/nl/cart.php";
const ENGLISH = "lang/en/cart.php";
const REQUEST = { profile: "app", locales: ["en", "nl", "fr"], missing: undefined };

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  const { items } = await planPush(window, await sourceKeys(window));
  await sendPush(window, items, []);
  await translate("nl", { title: { value: "Je mandje" }, total: { value: "Totaal: :amount" } });
});
afterEach(() => shop.close());

const project = (): OpenProject =>
  Object.assign(window.project, { local: window.local }) as unknown as OpenProject;

const needs = (): PullDependencies => ({
  ...window,
  locationOptions: {
    file: FIXTURE_PROJECT_FILE,
    entries: FIXTURE_PROJECT_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl"]),
  },
});

async function translate(locale: string, texts: Readonly<Record<string, Text>>): Promise<void> {
  const edits = Object.entries(texts).map(([key, text]) => ({
    name: { namespace: "cart", key, context: null },
    text,
  }));
  await setTranslations(window, locale, edits, "overwrite");
  await window.refresher.refresh({ priority: "person" });
}

async function edit(path: string, before: string, after: string): Promise<void> {
  const text = await shop.read(path);
  expect(text).toContain(before);
  await shop.write(path, text.replace(before, after));
}

async function outcomeOf(options: { readonly ignoreEtag?: boolean } = {}): Promise<PullOutcome> {
  await window.local.reload();
  return planPull(needs(), REQUEST, options);
}

async function plan(): Promise<PullPlan> {
  const outcome = await outcomeOf({ ignoreEtag: true });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  return outcome.plan;
}

function preview(planned: PullPlan) {
  const sections = pullSections(project(), planned);
  const rows = sections.flatMap((section) => section.rows);
  const selection = new PreviewSelection(pullChangeId, sections);
  const click = (label: string): void => {
    const boxes = new Set(rows.filter((row) => selection.isChecked(row) !== (row.label === label)));
    selection.toggle(rows, boxes);
  };
  const write = async (): Promise<void> => {
    await writePull(needs(), await planChoice(window, planned, chosenChanges(selection)));
  };
  return { sections, rows, selection, click, write };
}

const checkedRows = ({ rows, selection }: ReturnType<typeof preview>): readonly string[] =>
  rows.flatMap((row) => (selection.isChecked(row) ? row.label : []));

test("checks existing files, and neither new ones nor what changed in the files", async () => {
  await edit(ENGLISH, "Your cart", "Your basket");
  await translate("nl", { total: { value: "Samen: :amount" } });
  await translate("fr", { title: { value: "Votre panier" } });
  const shown = preview(await plan());
  expect(checkedRows(shown)).toEqual([DUTCH]);
  const { checked } = shown.selection;
  expect(pullTitle(project(), "Shop", checked)).toMatch(/^Pull from Shop: \d translations? in 1 file$/u);
  expect(pullTitle(project(), "Shop", [])).toBe("Pull from Shop: nothing selected");
});

test("writes no file of a plan if one has changed since, and then all of them", async () => {
  await translate("nl", { total: { value: "Samen: :amount" } });
  const planned = await plan();
  const before = await shop.read(DUTCH);
  await shop.write(DUTCH, `${before}\n`);
  await expect(writePlan(needs(), planned)).rejects.toMatchObject({
    code: "file_changed",
    message: expect.stringContaining(`were changed in the meantime: ${DUTCH}`),
  });
  expect(await shop.read(DUTCH)).toBe(`${before}\n`);
  await writePlan(needs(), await plan());
  expect(await shop.read(DUTCH)).toContain("Samen: :amount");
});

test("writes what is checked, and lists the rest again", async () => {
  await translate("nl", { total: { value: "Samen: :amount" } });
  await translate("fr", { title: { value: "Votre panier" } });
  const first = preview(await plan());
  const created = first.rows.find(({ icon }) => icon === "new-file")?.label ?? "";
  expect(created).toContain("fr");
  first.click(DUTCH);
  first.click(created);
  const dutch = await shop.read(DUTCH);
  await first.write();
  expect(await shop.read(created)).toContain("Votre panier");
  expect(await shop.read(DUTCH)).toBe(dutch);
  // What was left out is no reason to say that everything is up to date.
  expect(await outcomeOf()).toMatchObject({ kind: "planned" });
  const second = preview(await plan());
  expect(checkedRows(second)).toEqual([DUTCH]);
  await second.write();
  expect(await shop.read(DUTCH)).toContain("Samen: :amount");
});

test("a pull of some files, and then one of everything, which is not called unchanged", async () => {
  await translate("nl", { total: { value: "Samen: :amount" } });
  await translate("fr", { title: { value: "Votre panier" } });
  const whole = await plan();
  const paths = whole.files.filter(({ change }) => change === "created").map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(0);
  const limited = limitToFiles(whole, new Set(paths));
  expect([limited.etag, limited.files.map(({ path }) => path)]).toEqual([null, paths]);
  await writePull(needs(), limited);
  const outcome = await outcomeOf();
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await writePull(needs(), outcome.plan);
  expect(await shop.read(DUTCH)).toContain("Samen: :amount");
  expect(await outcomeOf()).toEqual({ kind: "unchanged" });
});

test("reports only problems of the files that were asked for", async () => {
  const whole = await plan();
  const problem = (path: string) => ({ kind: "unsaved" as const, path });
  const limited = limitToFiles(
    { ...whole, otherProblems: [problem(DUTCH), problem(ENGLISH)] },
    new Set([DUTCH]),
  );
  expect(limited.otherProblems).toEqual([problem(DUTCH)]);
});

test("a source text that changed in its file is pushed, not sent as a translation; a translation is", async () => {
  await writePull(needs(), await plan());
  await edit(ENGLISH, "Your cart", "Our cart");
  const planned = await plan();
  expect(leftTextsOf(planned).map(({ locale, reason }) => [locale, reason])).toEqual([["en", "file"]]);
  expect(hasSendable(project(), planned, [])).toBe(false);
  await edit(DUTCH, "Je mandje", "Ons mandje");
  expect(hasSendable(project(), await plan(), [])).toBe(true);
});

describe("a conflict", () => {
  const conflict = async (): Promise<PullPlan> => {
    await edit(DUTCH, "Je mandje", "Mijn mandje");
    await translate("nl", { title: { value: "Hun mandje" }, total: { value: "Samen: :amount" } });
    return plan();
  };
  // Both sides have to agree on the text before they change it.
  beforeEach(async () => writePull(needs(), await plan()));

  test("is not checked and stays in the file", async () => {
    const shown = preview(await conflict());
    expect(shown.sections.filter(({ rows }) => rows.length > 0).map(({ heading }) => heading)).toContain(
      "Changed here and on the service: 1",
    );
    expect(shown.rows.find(({ label }) => label === "cart.title")).toMatchObject({
      isChecked: false,
      canKeep: true,
      detail: "here: Mijn mandje ↔ service: Hun mandje",
    });
    await shown.write();
    const text = await shop.read(DUTCH);
    expect([text.includes("Mijn mandje"), text.includes("Samen: :amount")]).toEqual([true, true]);
    expect(leftTextsOf(await plan()).map(({ reason }) => reason)).toContain("conflict");
  });

  test("is taken from the service if it is checked", async () => {
    const shown = preview(await conflict());
    shown.click("cart.title");
    expect(pullTitle(project(), "Shop", shown.selection.checked)).toBe(
      "Pull from Shop: 2 translations in 1 file",
    );
    await shown.write();
    expect(await shop.read(DUTCH)).toContain("Hun mandje");
    expect(leftTextsOf(await plan()).filter(({ reason }) => reason === "conflict")).toEqual([]);
  });

  test("is settled by keeping the file's text, and offered to the service", async () => {
    const planned = await conflict();
    const shown = preview(planned);
    expect(hasSendable(project(), planned, [])).toBe(false);
    const row = shown.rows.find(({ label }) => label === "cart.title") as PreviewRow<PullChange>;
    shown.selection.keep(row.changes);
    const sections = pullSections(project(), planned, shown.selection.kept);
    shown.selection.list(sections);
    expect(sections.map(({ heading, rows }) => [heading, rows.length])).toContainEqual([
      "Changed only in your files: 1",
      1,
    ]);
    expect(sections.flatMap(({ rows }) => rows).some(({ canKeep }) => canKeep === true)).toBe(false);
    expect(hasSendable(project(), planned, shown.selection.kept)).toBe(true);
    await shown.write();
    const text = await shop.read(DUTCH);
    expect([text.includes("Mijn mandje"), text.includes("Samen: :amount")]).toEqual([true, true]);
    expect(leftTextsOf(await plan()).map(({ reason }) => reason)).toEqual(["file"]);
  });

  test("says that it can be kept", async () => {
    expect(pullPlaceholder(await conflict())).toMatch(/you can also keep yours$/u);
    await edit(DUTCH, "Mijn mandje", "Hun mandje");
    expect(pullPlaceholder(await plan())).toBe("Selected files are written");
  });
});

describe("a file whose content might be lost", () => {
  const file = (changes: Partial<PullFile>): PullFile =>
    ({
      path: DUTCH,
      change: "updated",
      locale: "nl",
      texts: 2,
      added: 0,
      differing: 0,
      isWhole: false,
      left: [],
      agreed: [],
      problems: [],
      ...changes,
    }) as unknown as PullFile;
  const planOf = (...files: readonly PullFile[]): PullPlan => ({
    request: REQUEST,
    files,
    otherProblems: [],
    etag: null,
  });

  test.each<[Partial<PullFile>, string]>([
    [{ isUnparsed: true }, "2 texts · the local file has an error and is replaced as a whole"],
    [{ isWhole: true, differing: 1 }, "2 texts · replaced as a whole · replaces 1 text that differs"],
    [{ problems: [{ kind: "unsaved", path: DUTCH }] }, "2 texts · has unsaved changes"],
    [{ change: "created" }, "2 texts"],
  ])("is not checked: %j", (changes, description) => {
    const shown = preview(planOf(file(changes)));
    expect(shown.selection.checked).toEqual([]);
    expect(shown.rows[0]?.description).toBe(description);
  });

  test.each<Partial<PullFile>>([{}, { isWhole: true }, { differing: 1 }])("is checked: %j", (changes) => {
    expect(preview(planOf(file(changes))).selection.checked).toHaveLength(1);
  });

  test("makes its language unchecked, whose box then stands for all its files", () => {
    const other = file({ path: "lang/nl/menu.php" });
    const shown = preview(planOf(file({ isUnparsed: true }), other));
    expect(checkedRows(shown)).toEqual(["lang/nl/menu.php"]);
    shown.click("Nederlands (nl)");
    expect(checkedRows(shown)).toEqual(["Nederlands (nl)", DUTCH, "lang/nl/menu.php"]);
    shown.click("lang/nl/menu.php");
    expect(checkedRows(shown)).toEqual([DUTCH]);
  });
});
