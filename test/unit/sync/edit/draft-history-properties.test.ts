/**
 * Random histories of edits, concurrent writes and an unreliable service, compared with a model: a real database, the
 * local service over HTTP, real files. Typed text is never lost, and other people's writes are never overwritten
 * unseen.
 */
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  DraftId,
  TranslationDraftRepository,
  TranslationDraft,
} from "../../../../src/database/personal/translation-draft-repository.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import type { Clock } from "../../../../src/model/platform.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { saveAtService, saveInFiles } from "../../../../src/sync/drafts/save-drafts.ts";
import { isInConflict } from "../../../../src/sync/drafts/decide-draft.ts";
import { DraftHistory, type StagedEdit } from "../../../../src/sync/drafts/draft-history.ts";
import { runCount } from "../../support/full-run.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";

const KEYS = ["title", "total", "voucher.label"] as const;
/** Translations are the service's, source texts stand in a file. */
const CELLS = [
  ...KEYS.map((key) => ({ locale: "nl", key })),
  ...KEYS.slice(0, 2).map((key) => ({ locale: "en", key })),
];
/** Half a character, of which no request and no file can be. */
const HALF = "\ud83d x";
const VALUES = ["", "a", "b", "ç <b>", "\u202eabc", "𝒳😀", HALF] as const;

/** How the service is. `lost`: it does what it is asked and nobody hears of it. */
const MODES = ["well", "offline", "lost", "401", "409", "429", "503"] as const;
type Mode = (typeof MODES)[number];

type Action =
  | { readonly kind: "edit" | "typedWhileSaved"; readonly cells: readonly number[]; readonly value: string }
  | { readonly kind: "theirs"; readonly cell: number; readonly value: string }
  | { readonly kind: "discard" | "keepMine" | "takenBackWhileSaved"; readonly cell: number }
  | { readonly kind: "service"; readonly mode: Mode }
  | { readonly kind: "undo" | "redo" | "save" | "refresh" | "reload" };

const cell = fc.nat(CELLS.length - 1);
const value = fc.constantFrom(...VALUES);
const cells = fc.uniqueArray(cell, { minLength: 1, maxLength: 4 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("edit" as const), cells, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("typedWhileSaved" as const), cells, value }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("theirs" as const), cell, value }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("discard" as const, "keepMine" as const, "takenBackWhileSaved" as const),
      cell,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("service" as const), mode: fc.constantFrom(...MODES) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("undo" as const, "redo" as const) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom("save" as const, "save", "refresh" as const, "reload" as const),
    }),
  },
);

/** What stands in a cell, past the window. */
interface Truth {
  readonly value: string;
  readonly version: number | null;
}

const valueOf = (text: Text | null): string => (text !== null && "value" in text ? text.value : "");

let shop: FixtureProject;
let window: TestWindow;
let drafts: TranslationDraftRepository;
let staged: DraftHistory;
let mode: Mode = "well";
let time = Date.now();
const LONGEST_PAUSE = 15_000;
/** The pauses between tries pass at once; what takes longer is the limit of a request that is on its way. */
const clock: Clock = {
  now: () => time,
  monotonic: () => time,
  sleep: async (milliseconds, signal) => {
    if (milliseconds > LONGEST_PAUSE) return wait(milliseconds, undefined, signal && { signal });
    time += milliseconds;
    return wait(0);
  },
};
const intercept: Interceptor = async (_, pass) => {
  switch (mode) {
    case "well":
      return pass();
    case "offline":
      throw new TypeError("fetch failed");
    case "lost":
      await pass();
      throw new TypeError("fetch failed");
    default:
      return Response.json({ message: "No." }, { status: Number(mode), headers: { "retry-after": "600" } });
  }
};

beforeAll(async () => {
  shop = await openFixtureProject();
  await open();
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
});
afterAll(() => shop.close());

/** Opens the window, anew where it was open: what it had in memory is gone. */
async function open(): Promise<void> {
  window?.database.close();
  window = await shop.open("one", { intercept, clock });
  await window.local.load();
  drafts = window.project.drafts;
  staged = new DraftHistory(drafts, ({ locale, hash }) => ({
    stored: stored(locale, hash),
    source: window.project.keys.text(hash) ?? null,
  }));
}

const nameOf = (index: number) => ({ namespace: "cart", key: CELLS[index]?.key ?? "", context: null });
const idOf = (index: number) => ({
  locale: CELLS[index]?.locale ?? "",
  hash: keyHash(nameOf(index)),
});
const indexOf = ({ locale, hash }: { readonly locale: string; readonly hash: string }): number =>
  CELLS.findIndex((_, index) => idOf(index).hash === hash && CELLS[index]?.locale === locale);

/** As the window knows it. */
function stored(locale: string, hash: string): { text: Text | null; version: number | null } {
  if (locale === "en") return { text: window.local.find(hash, "en")?.text ?? null, version: null };
  const row = window.project.translations.get(locale, hash);
  return { text: row?.text ?? null, version: row?.version ?? null };
}

const shown = (): readonly string[] =>
  CELLS.map((_, index) => {
    const { locale, hash } = idOf(index);
    return valueOf(drafts.get(locale, hash)?.text ?? stored(locale, hash).text);
  });

async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  const { baseUrl, token } = shop.service;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}${path}`, { ...init, headers });
  expect(answer.status, path).toBe(200);
  return answer.json();
}

const FILE = "lang/en/cart.php";
const inPhp = (value: string): string => `'${value.replaceAll(/[\\']/gu, "\\$&")}'`;

async function truth(): Promise<readonly Truth[]> {
  const { data } = (await ask("/translations/nl?namespace=cart")) as {
    data: { key: string; value: string | null; version: number }[];
  };
  const text = await shop.read(FILE);
  return CELLS.map(({ locale, key }) => {
    if (locale === "nl") {
      const row = data.find((each) => each.key === key);
      return { value: row?.value ?? "", version: row?.version ?? null };
    }
    const [, value = ""] = new RegExp(`'${key}' => (?:'([^']*)'|"[^"]*")`, "u").exec(text) ?? [];
    return { value, version: null };
  });
}

async function theyWrite(index: number, value: string): Promise<void> {
  const { locale, key } = CELLS[index] ?? { locale: "", key: "" };
  if (locale === "en") {
    const text = await shop.read(FILE);
    await shop.write(
      FILE,
      text.replace(
        new RegExp(`('${key}' => )(?:'[^']*'|"[^"]*")`, "u"),
        (_, head) => `${head}${inPhp(value)}`,
      ),
    );
    return;
  }
  const translations = [{ namespace: "cart", key, value: value === "" ? null : value }];
  await ask("/translations/nl", { method: "PUT", body: JSON.stringify({ mode: "overwrite", translations }) });
}

const nameOfDraft = (draft: DraftId) => nameOf(indexOf(draft));

/** As the editor saves: the files first, then the service. */
async function save(): Promise<boolean> {
  const all = [...drafts.all()];
  const inFiles = all.filter(({ locale }) => locale === "en");
  const atService = all.filter(({ locale }) => locale !== "en");
  staged.beginSave(all);
  let isWhole = true;
  if (inFiles.length > 0) {
    const result = await saveInFiles(window, inFiles, nameOfDraft);
    await window.local.reload();
    staged.markSaved(result.saved);
    expect([result.refused, result.changed]).toEqual([[], []]);
  }
  if (atService.length > 0) {
    const result = await saveAtService(window, "nl", atService, nameOfDraft);
    staged.markSaved(result.saved);
    isWhole = result.failure === null;
  }
  staged.endSave();
  return isWhole;
}

/**
 * What the person last saw in each cell: what the window shows while nothing is unsaved in it, or beside the own text in a
 * conflict. The drafts are not asked.
 */
const seen: Truth[] = [];

function look(index: number): void {
  const { locale, hash } = idOf(index);
  const { text, version } = stored(locale, hash);
  seen[index] = { value: valueOf(text), version };
}

function lookWhereNothingIsUnsaved(): void {
  for (const index of CELLS.keys()) {
    const { locale, hash } = idOf(index);
    if (drafts.get(locale, hash) === undefined) look(index);
  }
}

/** A person types a text over what they see. */
function typeOver(cells: readonly number[], value: string): StagedEdit | null {
  lookWhereNothingIsUnsaved();
  return staged.stage(cells.map((index) => ({ ...idOf(index), text: { value } })));
}

/** Whether a save may replace what stands there: the person has seen it. */
function maySave(index: number, there: Truth): boolean {
  const { value, version } = seen[index] ?? { value: "", version: null };
  // An empty text has no version, and neither has one in a file.
  return there.value === value && (value === "" || there.version === version);
}

/** Whether the draft is based on what stands there. */
function isBasedOn(draft: TranslationDraft, there: Truth): boolean {
  if (draft.locale === "en") return there.value === valueOf(draft.base);
  return there.version === draft.baseVersion;
}

/** Saves, and looks at every cell. `meanwhile`: what a person does while it is on its way. */
async function saveAndLook(meanwhile?: () => void): Promise<void> {
  const before = [...drafts.all()];
  const was = shown();
  const then = await truth();
  const saving = save();
  let wanted = was;
  if (meanwhile !== undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    meanwhile();
    wanted = shown();
  }
  const isWhole = await saving;
  const now = await truth();
  for (const index of CELLS.keys()) {
    const draft = before.find((each) => indexOf(each) === index);
    const left = drafts.get(idOf(index).locale, idOf(index).hash);
    const [there, here] = [then[index], now[index]];
    if (there === undefined || here === undefined) throw new Error("there is no such cell");
    const label = `${CELLS[index]?.locale} ${CELLS[index]?.key}`;
    // What a person typed or took back is there, shown or written, whatever came of it.
    if (draft !== undefined || wanted[index] !== was[index])
      expect(shown()[index], label).toBe(wanted[index]);
    if (draft === undefined) {
      expect(here, label).toEqual(there);
      continue;
    }
    const mine = valueOf(draft.text);
    // What was taken back before it was written has changed nothing, whatever somebody else wrote unseen.
    const isTakenBack =
      meanwhile !== undefined && wanted[index] === seen[index]?.value && here.value === there.value;
    if (here.version !== there.version || here.value !== there.value) {
      expect([here.value, maySave(index, there)], label).toEqual([mine, true]);
    }
    // Also if somebody else wrote the same text.
    if (here.value === mine) seen[index] = here;
    if (left === undefined) expect(here.value, label).toBe(isTakenBack ? there.value : wanted[index]);
    else if (isWhole && meanwhile === undefined) {
      // What somebody else wrote meanwhile keeps it from being written, and nothing else does.
      expect([isBasedOn(draft, there), here.value === mine], label).toEqual([false, false]);
      expect(isInConflict(staged.stateOf(left)), label).toBe(true);
    }
  }
}

async function play(actions: readonly Action[]): Promise<void> {
  mode = "well";
  time += 700_000;
  staged.discardAll();
  for (const index of CELLS.keys()) await theyWrite(index, VALUES[(index % 2) + 1] ?? "");
  await window.refresher.refresh();
  await window.refresher.ensureLocale("nl");
  await window.local.reload();
  const done: StagedEdit[] = [];
  const undone: StagedEdit[] = [];
  const did = (edit: StagedEdit | null): void => {
    if (edit === null) return;
    done.push(edit);
    undone.length = 0;
  };
  for (const each of actions) {
    lookWhereNothingIsUnsaved();
    const was = shown();
    const before = [...drafts.all()];
    switch (each.kind) {
      case "edit":
        did(typeOver(each.cells, each.value));
        expect(shown()).toEqual(
          was.map((text, index) => (each.cells.includes(index) ? each.value.toWellFormed() : text)),
        );
        break;
      case "theirs":
        await theyWrite(each.cell, each.value);
        expect(shown()).toEqual(was);
        break;
      case "discard":
        did(staged.discard([idOf(each.cell)]));
        expect([...drafts.all()]).toEqual(before.filter((draft) => indexOf(draft) !== each.cell));
        break;
      case "keepMine":
        look(each.cell);
        did(staged.keepMine([idOf(each.cell)]));
        expect(shown()).toEqual(was);
        break;
      case "undo":
      case "redo": {
        const [from, to] = each.kind === "undo" ? [done, undone] : [undone, done];
        // An edit that was taken back while it was saved is the text before it, which nobody typed.
        const takenBack = new Set(
          before.flatMap((draft) => (valueOf(draft.text) === valueOf(draft.base) ? indexOf(draft) : [])),
        );
        for (const edit of from.splice(-1)) {
          edit[each.kind]();
          to.push(edit);
          const after = shown();
          // The other way leads back to the same texts: neither has lost any.
          edit[each.kind === "undo" ? "redo" : "undo"]();
          expect(shown()).toEqual(was.map((text, index) => (takenBack.has(index) ? shown()[index] : text)));
          edit[each.kind]();
          expect(shown()).toEqual(after);
        }
        break;
      }
      case "service":
        mode = each.mode;
        // Past a pause that the service asked for.
        time += 700_000;
        break;
      case "typedWhileSaved":
        await saveAndLook(() => did(typeOver(each.cells, each.value)));
        break;
      case "takenBackWhileSaved":
        await saveAndLook(() => {
          const edit = done.pop();
          edit?.undo();
          if (edit !== undefined) undone.push(edit);
          did(staged.discard([idOf(each.cell)]));
        });
        break;
      case "save":
        await saveAndLook();
        break;
      case "refresh":
        await window.refresher.refresh().catch(() => undefined);
        await window.local.reload();
        expect([...drafts.all()]).toEqual(before);
        break;
      case "reload":
        await open();
        expect([...drafts.all()]).toEqual(before);
        done.length = 0;
        undone.length = 0;
        break;
    }
  }
  // In the end all that was typed can be written.
  mode = "well";
  time += 700_000;
  await window.refresher.refresh();
  await window.local.reload();
  const wanted = shown();
  for (const index of CELLS.keys()) look(index);
  staged.keepMine([...drafts.all()]);
  await saveAndLook();
  expect([drafts.count(), (await truth()).map((each) => each.value)]).toEqual([0, wanted]);
}

test("leaves a text that somebody else cleared unseen when an edit is taken back that was refused", async () => {
  await play([
    { kind: "service", mode: "409" },
    { kind: "theirs", cell: 0, value: "" },
    { kind: "edit", cells: [0], value: "" },
    { kind: "takenBackWhileSaved", cell: 0 },
  ]);
  expect((await truth())[0]?.value).toBe("");
});

test("saves what was typed over a text that somebody else had written in the same words", async () => {
  await play([
    { kind: "edit", cells: [2], value: "ç <b>" },
    { kind: "theirs", cell: 2, value: "ç <b>" },
    { kind: "typedWhileSaved", cells: [2, 0], value: "" },
    { kind: "save" },
  ]);
  expect((await truth())[2]?.value).toBe("");
});

test("loses nothing in any order of edits, undo, redo, saves, conflicts, refusals, offline and reloads", async () => {
  await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 24 }), play), { numRuns: runCount(1_000) });
}, 600_000);
