/** The writing tools: propose translations and push. Both show counts and the first texts for confirmation. */
import type { TranslationDraft } from "../database/personal/translation-draft-repository.ts";
import type { Project } from "../database/project-state.ts";
import { describeRejection } from "../machine-translation/rejection-feedback.ts";
import { checkTranslation } from "../machine-translation/validate-translation.ts";
import { collectInSlices } from "../util/event-loop.ts";
import { keyHash, type KeyName } from "../model/key-hash.ts";
import { fingerprintOf } from "../util/fingerprint.ts";
import { areTextsEqual, isEmptyText, type Text, valuesOf } from "../model/translation-text.ts";
import { sourceLocaleOf } from "../sync/handle-source-language-change.ts";
import {
  isLeftUnlessChosen,
  overwritesService,
  planPush,
  type PushChange,
  type PushItem,
  type PushPlanCounts,
} from "../sync/push/push-plan.ts";
import { l10n } from "../util/l10n.ts";
import { unparsedRanges, unsavedPaths, wholeRanges } from "../workspace/local-files/local-file.ts";
import { chosenDelimiters } from "../workspace/problems/project-placeholder-families.ts";
import { unreadItems } from "../messages/file-problem-messages.ts";
import { formatCount, formatNumber } from "../messages/counts-and-times.ts";
import { type KeySpelling, projectDisplayName, projectKeyLabel, textLine } from "../messages/labels.ts";
import { ensureLoaded, keyFields, unknownKeyMessage } from "./read-tools.ts";
import { saveStaged, saveStagedInFiles, sendPlanned } from "./save-confirmed.ts";
import { toKeyName, type ToolInput } from "./tool-inputs.ts";
import type { ResultRow } from "./limit-result-tokens.ts";
import type { Confirmation, ToolCall, ToolProject, WriteTool } from "./tool.ts";

type StagedItem = ToolInput<"stage_translations">["translations"][number];

export const stageTranslations: WriteTool<"stage_translations"> = {
  name: "stage_translations",
  progress: () => l10n.t("Checking translations"),
  plan: async (call) => {
    const { open, input, signal } = call;
    const { project } = open;
    const { locale, translations } = input;
    await ensureLoaded(open, signal, locale);
    if (locale === project.sourceLocale)
      throw new Error(
        `${JSON.stringify(locale)} is the source language: change its texts in the source files.`,
      );
    const stored = (name: KeyName): Text | null =>
      project.translations.get(locale, keyHash(name))?.text ?? null;
    const texts = translations
      .map(toKeyName)
      .map((name) => [name, stored(name), project.keys.text(keyHash(name)) ?? null]);
    const writes = savesInFiles(open);
    const refused: ResultRow[] = [];
    const drafts = new Map<StagedItem, TranslationDraft>();
    for (const item of translations) {
      const draft = toDraft(open, locale, item);
      if (typeof draft === "string") refused.push({ ...keyFields(toKeyName(item)), problem: draft });
      else drafts.set(item, draft);
    }
    return {
      ...stageConfirmation(project, { locale, translations: [...drafts.keys()] }, stored, writes),
      writes,
      basis: fingerprintOf([project.personal.project, texts]),
      run: () => stage(call, [...drafts.values()], refused),
    };
  },
};

/** Stages or writes the translations that passed the checks. */
async function stage(
  { open, signal, page }: ToolCall<"stage_translations">,
  staged: readonly TranslationDraft[],
  refused: readonly ResultRow[],
): Promise<string> {
  if (open.hasEnded) throw new Error("Another project was signed in to meanwhile. Nothing was staged.");
  if (savesInFiles(open)) {
    const { saved, notSaved } = await saveStagedInFiles(open, staged, signal);
    const left = [...refused, ...notSaved];
    return page(left, { written: saved, refused: left.length, ...advice(left, WRITTEN) });
  }
  open.project.drafts.put(staged);
  const note = open.window === null ? KEPT : REVIEWED;
  return page(refused, { staged: staged.length, refused: refused.length, ...advice(refused, note) });
}

const REVIEWED = "The user looks at them and saves them. Nothing is written yet.";
const KEPT = "They are kept until push_changes sends them. Nothing is written yet.";
const WRITTEN = "They are in the translation files.";

function advice(refused: readonly ResultRow[], note: string): ResultRow {
  return { note: refused.length === 0 ? note : `Correct what is refused and stage it once more. ${note}` };
}

/** Whether staged texts are written to files: there is no window in which a person saves them, and no service. */
function savesInFiles({ window, project }: ToolProject): boolean {
  return window === null && !project.source.hasService;
}

/** Returns the draft of a translation, or why it is refused. */
function toDraft(
  { project, lookup }: ToolProject,
  locale: string,
  item: StagedItem,
): TranslationDraft | string {
  const key = project.keys.get(keyHash(toKeyName(item)));
  if (key === undefined) return unknownKeyMessage(item);
  const { text: value, forms } = item;
  if ((value === undefined) === (forms === undefined))
    return 'Give either "text" or, for a plural key, "forms".';
  const text: Text = forms === undefined ? { value: value ?? "" } : { forms };
  if (item.source !== undefined && key.text !== null && !isSource(item.source, key.text))
    return describeRejection({ kind: "source-changed" });
  const sourceLocale = project.sourceLocale ?? "en";
  const delimiters = chosenDelimiters(lookup);
  const { text: source, maxLength } = key;
  const problems = checkTranslation({ source, sourceLocale, locale, maxLength, delimiters }, text);
  if (problems.length > 0) return problems.map(describeRejection).join(" ");
  if (project.drafts.get(locale, key.hash)?.origin === "person")
    return "The user has typed a text there that is not saved yet. Leave it to the user.";
  const row = project.translations.get(locale, key.hash);
  const base = row?.text ?? null;
  if (base !== null && row?.isOutdated === false && areTextsEqual(base, text))
    return "That is the translation already.";
  // Texts of files have no versions: that the text is still the same is checked when it is written.
  const baseVersion = row?.version ?? null;
  const origin = "machine";
  return { locale, hash: key.hash, text, base, baseVersion, origin, model: null, source: key.text };
}

/** Returns whether a text is the source text, or one of its forms. */
function isSource(text: string, source: Text): boolean {
  return valuesOf(source).includes(text);
}

export const pushChanges: WriteTool<"push_changes"> = {
  name: "push_changes",
  progress: () => l10n.t("Pushing changes"),
  plan: async (call) => {
    const { project } = call.open;
    const planned = await planPushOf(call);
    const { items, counts, drafts } = planned;
    const texts = [
      items.map(({ hash, text, change, service }) => [hash, text, change, service?.text ?? null]),
      drafts.map(({ locale, hash, text }) => [locale, hash, text, project.translations.get(locale, hash)]),
    ];
    return {
      ...pushConfirmation(project, items, counts, draftLines(project, drafts)),
      writes: true,
      basis: fingerprintOf([project.personal.project, texts]),
      run: () => send(call, planned),
    };
  },
};

async function send(
  { open, signal }: ToolCall<"push_changes">,
  { items, drafts, left, unread, sourceLocale }: PlannedPush,
): Promise<string> {
  const notPushed = {
    ...(left.length === 0 ? {} : { left: left.slice(0, MAX_SHOWN_TEXTS).map(leftKey) }),
    ...(unread.length === 0 ? {} : { unread: unread.slice(0, MAX_SHOWN_TEXTS) }),
  };
  if (items.length === 0 && drafts.length === 0) {
    const note = unread.length === 0 ? "There is nothing to push." : "There is nothing else to push.";
    return JSON.stringify({ outcome: "unchanged", note, ...notPushed });
  }
  const pushed =
    items.length === 0
      ? { outcome: "done" }
      : await (open.window?.push(items) ?? sendPlanned(open, items, sourceLocale, signal));
  const translations = drafts.length === 0 ? undefined : await saveStaged(open, drafts, signal);
  return JSON.stringify({ ...pushed, translations, ...notPushed });
}

function leftKey({ name, change }: PushItem): ResultRow {
  const problem =
    change === "restored"
      ? "It was archived on the service. It is only restored if the user wants that: name it in keys."
      : "Somebody changed its text on the service. It is only overwritten if the user wants that: name it in keys.";
  return { ...keyFields(name), problem };
}

/** What a push sends, and what it leaves as it is at the service because the call does not name it. */
interface PlannedPush {
  readonly items: readonly PushItem[];
  readonly left: readonly PushItem[];
  /** Which source files could not be read completely, and which keys could not be encoded. */
  readonly unread: readonly string[];
  readonly counts: Pick<PushPlanCounts, "new" | "changed" | "restored">;
  /** Translations that were staged, where nobody saves them in a window. */
  readonly drafts: readonly TranslationDraft[];
  readonly sourceLocale: string;
}

/**
 * Plans a push.
 * @throws {Error}
 */
async function planPushOf({ open, input, signal }: ToolCall<"push_changes">): Promise<PlannedPush> {
  // Throws if nobody is signed in.
  const client = open.client();
  const { project } = open;
  if (project.source.refusal !== null)
    throw new Error("The token may only read. Ask the user to sign in with a token that may write.");
  const stats = await (await open.refresher).refreshKeys({ priority: "person", signal });
  const sourceLocale = sourceLocaleOf(stats);
  const local = await open.local.reload(signal);
  const entries = await collectInSlices(local.entries(local.sourceLocale).values());
  const only = input.keys?.map((key) => keyHash(toKeyName(key)));
  const dependencies = { client, project, unsavedPaths: () => unsavedPaths(local) };
  const all = await planPush(dependencies, entries, {
    signal,
    sourceLocale,
    ...(only === undefined ? {} : { only: new Set(only) }),
  });
  const changes = all.items.filter(({ change }) => change !== "unchanged");
  const left = only === undefined ? changes.filter(isLeftUnlessChosen) : [];
  const items = changes.filter((item) => !left.includes(item));
  const count = (...kinds: readonly PushChange[]): number =>
    items.filter(({ change }) => kinds.includes(change)).length;
  const ranges = only === undefined ? wholeRanges(unparsedRanges(local)) : [];
  const isStagedHere = ({ hash }: TranslationDraft): boolean => only?.includes(hash) !== false;
  return {
    items,
    drafts: open.window === null ? [...project.drafts.all()].filter(isStagedHere) : [],
    sourceLocale,
    left,
    unread: [
      ...unreadItems(local, ranges).flatMap(({ messages }) => messages),
      ...all.malformed.map(({ name, path }) => `${path}: half a character in ${name.key.toWellFormed()}`),
    ],
    counts: { new: count("new"), changed: count("changed", "unknown"), restored: count("restored") },
  };
}

/** Returns a line for each staged translation. */
function draftLines(project: Project, drafts: readonly TranslationDraft[]): readonly string[] {
  return drafts.flatMap(({ locale, hash, text }) => {
    const key = project.keys.get(hash);
    const before = project.translations.get(locale, hash)?.text ?? null;
    return key === undefined ? [] : [confirmationLine(project, key, before, text, locale)];
  });
}

/** Texts of a confirmation, and of a list of what was left. */
const MAX_SHOWN_TEXTS = 10;

/** Returns the confirmation for proposed translations. `currentText` returns the current translation, if any. */
export function stageConfirmation(
  spelling: KeySpelling,
  { locale, translations }: Pick<ToolInput<"stage_translations">, "locale" | "translations">,
  currentText: (name: KeyName) => Text | null,
  areWritten = false,
): Confirmation {
  const lines = translations.map((item) => {
    const { text = "", forms } = item;
    const name = toKeyName(item);
    return confirmationLine(
      spelling,
      name,
      currentText(name),
      forms === undefined ? { value: text } : { forms },
    );
  });
  const count = formatCount.translations(translations.length);
  return areWritten
    ? {
        title: l10n.t("Write {0} ({1})?", count, locale),
        note: l10n.t("They are written to the translation files."),
        lines,
      }
    : {
        title: l10n.t("Propose {0} ({1})?", count, locale),
        note: l10n.t("They are kept for your review. Nothing is written until you save them."),
        lines,
      };
}

/** Returns the confirmation for a push. `translations`: lines about those that are sent, too. */
export function pushConfirmation(
  project: KeySpelling & Pick<Project, "session" | "label">,
  items: readonly Pick<PushItem, "name" | "text" | "change" | "service" | "side">[],
  counts: Pick<PushPlanCounts, "new" | "changed" | "restored">,
  translations: readonly string[] = [],
): Confirmation {
  const marks: Partial<Record<PushChange, string>> = { new: l10n.t("new"), restored: l10n.t("restored") };
  const lines = items.map((item) => {
    const { name, text, change, service } = item;
    const mark = overwritesService(item) ? l10n.t("changed on the service") : marks[change];
    return confirmationLine(project, name, service?.text ?? null, text, mark ?? l10n.t("changed"));
  });
  const note = [
    l10n.t("{0} new", formatNumber(counts.new)),
    l10n.t("{0} changed", formatNumber(counts.changed)),
    l10n.t("{0} restored", formatNumber(counts.restored)),
    ...(translations.length === 0 ? [] : [formatCount.translations(translations.length)]),
  ];
  return {
    title: l10n.t("Push to {0}?", projectDisplayName(project)),
    note: note.join(", "),
    lines: [...lines, ...translations],
  };
}

/** Returns the key with its current and its new text. */
function confirmationLine(
  spelling: KeySpelling,
  name: KeyName,
  before: Text | null,
  text: Text,
  mark?: string,
): string {
  const key = projectKeyLabel(spelling, name);
  const label = mark === undefined ? key : `${key} (${mark})`;
  const changes = before !== null && !isEmptyText(before) && !areTextsEqual(before, text);
  const texts = changes ? `${textLine(before)} → ${textLine(text)}` : textLine(text);
  return `${label}: ${texts}`;
}
