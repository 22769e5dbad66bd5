/** The writing tools: propose translations and push. Both show counts and the first texts for confirmation. */
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import { pushCommand } from "../../commands/declarations/sync-commands.ts";
import { describeRejection } from "../../machine-translation/rejection-feedback.ts";
import { checkTranslation } from "../../machine-translation/validate-translation.ts";
import { collectInSlices } from "../../util/event-loop.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { cachedByObject } from "../../util/maps.ts";
import { areTextsEqual, isEmptyText, type Text, valuesOf } from "../../model/translation-text.ts";
import { sourceLocaleOf } from "../../sync/handle-source-language-change.ts";
import {
  isLeftUnlessChosen,
  overwritesService,
  planPush,
  type PushChange,
  type PushItem,
  type PushPlanCounts,
} from "../../sync/push/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import { ownDelimiters } from "../../vscode/ui/input/translation-input-checks.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { unparsedRanges, unsavedPaths, wholeRanges } from "../../workspace/local-files/local-file.ts";
import { unreadItems } from "../../messages/file-problem-messages.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { escapeMarkdown } from "../../messages/escape-text.ts";
import { projectKeyLabel, textLabel } from "../../messages/labels.ts";
import { ensureLoaded, keyFields, unknownKeyMessage } from "./read-tools.ts";
import { toKeyName, type ToolInput } from "./tool-inputs.ts";
import type { ResultRow } from "./limit-result-tokens.ts";
import type { ToolCall, Confirmation, Tool } from "./tool.ts";

/** The projects that a person confirmed texts for, by the input of the call. */
const confirmedProjects = new Map<string, string>();

type StagedItem = ToolInput<"stage_translations">["translations"][number];

export const stageTranslations: Tool<"stage_translations"> = {
  name: "stage_translations",
  progress: () => l10n.t("Checking translations"),
  confirmation: async ({ open, input, signal }) => {
    await ensureLoaded(open, signal, input.locale);
    confirmedProjects.set(JSON.stringify(input), open.personal.project);
    return stageConfirmation(
      input,
      (name) => open.translations.get(input.locale, keyHash(name))?.text ?? null,
    );
  },
  run: async ({ app, open, input, signal, page }) => {
    const { locale, translations } = input;
    await ensureLoaded(open, signal, locale);
    const confirmed = confirmedProjects.get(JSON.stringify(input));
    confirmedProjects.delete(JSON.stringify(input));
    if (open.hasEnded || (confirmed !== undefined && confirmed !== open.personal.project))
      throw new Error("Another project was signed in to meanwhile. Nothing was staged.");
    if (locale === open.sourceLocale)
      throw new Error(
        `${JSON.stringify(locale)} is the source language: change its texts in the source files.`,
      );
    const staged: TranslationDraft[] = [];
    const refused: ResultRow[] = [];
    for (const item of translations) {
      const draft = toDraft(app, open, locale, item);
      if (typeof draft !== "string") staged.push(draft);
      else refused.push({ ...keyFields(toKeyName(item)), problem: draft });
    }
    open.drafts.put(staged);
    return page(refused, {
      staged: staged.length,
      refused: refused.length,
      note:
        refused.length === 0
          ? "The user looks at them and saves them. Nothing is written yet."
          : "Correct what is refused and stage it once more. The user saves the others.",
    });
  },
};

/** Returns the draft of a translation, or why it is refused. */
function toDraft(app: App, open: OpenProject, locale: string, item: StagedItem): TranslationDraft | string {
  const key = open.keys.get(keyHash(toKeyName(item)));
  if (key === undefined) return unknownKeyMessage(item);
  const { text: value, forms } = item;
  if ((value === undefined) === (forms === undefined))
    return 'Give either "text" or, for a plural key, "forms".';
  const text: Text = forms === undefined ? { value: value ?? "" } : { forms };
  if (item.source !== undefined && key.text !== null && !isSource(item.source, key.text))
    return describeRejection({ kind: "source-changed" });
  const sourceLocale = open.sourceLocale ?? "en";
  const delimiters = ownDelimiters(app, open);
  const { text: source, maxLength } = key;
  const problems = checkTranslation({ source, sourceLocale, locale, maxLength, delimiters }, text);
  if (problems.length > 0) return problems.map(describeRejection).join(" ");
  if (open.drafts.get(locale, key.hash)?.origin === "person")
    return "The user has typed a text there that is not saved yet. Leave it to the user.";
  const row = open.translations.get(locale, key.hash);
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

/** The texts that a person was shown before a push, by the keys of the call: a model may make several calls at once. */
export class ConfirmedPushes {
  readonly #shown = new Map<string, ReadonlyMap<string, Text>>();

  show(input: PushInput, items: readonly PushedText[]): void {
    this.#shown.set(JSON.stringify(input.keys), new Map(items.map(({ hash, text }) => [hash, text])));
  }

  /** Returns a test for texts that were shown for this call, once; `undefined` if none were shown for it. */
  take(input: PushInput): ((item: PushedText) => boolean) | undefined {
    const id = JSON.stringify(input.keys);
    const texts = this.#shown.get(id);
    this.#shown.delete(id);
    if (texts === undefined) return undefined;
    return ({ hash, text }) => {
      const shown = texts.get(hash);
      return shown !== undefined && areTextsEqual(text, shown);
    };
  }
}

type PushInput = Pick<ToolInput<"push_changes">, "keys">;
type PushedText = Pick<PushItem, "hash" | "text">;

const confirmedPushes = cachedByObject((_open: OpenProject) => new ConfirmedPushes());

export const pushChanges: Tool<"push_changes"> = {
  name: "push_changes",
  progress: () => l10n.t("Pushing changes"),
  confirmation: async (call) => {
    const { items, counts } = await plan(call);
    confirmedPushes(call.open).show(call.input, items);
    return pushConfirmation(projectDisplayName(call.open), items, counts);
  },
  run: async (call) => {
    const { open } = call;
    const isConfirmed = confirmedPushes(open).take(call.input);
    if (isConfirmed === undefined) throw new Error("The user was not asked. Call the tool again.");
    const { items, left, unread } = await plan(call);
    const only = items.filter(isConfirmed).map(({ hash }) => hash);
    const notPushed = {
      ...(left.length === 0 ? {} : { left: left.slice(0, MAX_SHOWN_TEXTS).map(leftKey) }),
      ...(unread.length === 0 ? {} : { unread: unread.slice(0, MAX_SHOWN_TEXTS) }),
    };
    if (only.length === 0) {
      const note = unread.length === 0 ? "There is nothing to push." : "There is nothing else to push.";
      return JSON.stringify({ outcome: "unchanged", note, ...notPushed });
    }
    const result = await call.app.run(pushCommand, { folder: open.root, confirm: false, only });
    if (result.outcome === "failed") throw new Error(result.error.message);
    return JSON.stringify({ outcome: result.outcome, result: result.result, ...notPushed });
  },
};

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
}

/**
 * Plans a push.
 * @throws {Error}
 */
async function plan({ open, input, signal }: ToolCall<"push_changes">): Promise<PlannedPush> {
  // Throws if nobody is signed in.
  const client = open.client();
  if (open.source.refusal !== null)
    throw new Error("The token may only read. Ask the user to sign in with a token that may write.");
  const stats = await (await open.refresher).refreshKeys({ priority: "person", signal });
  const local = await open.local.reload(signal);
  const entries = await collectInSlices(local.entries(local.sourceLocale).values());
  const only = input.keys?.map((key) => keyHash(toKeyName(key)));
  const dependencies = { client, project: open, unsavedPaths: () => unsavedPaths(local) };
  const all = await planPush(dependencies, entries, {
    signal,
    sourceLocale: sourceLocaleOf(stats),
    ...(only === undefined ? {} : { only: new Set(only) }),
  });
  const changes = all.items.filter(({ change }) => change !== "unchanged");
  const left = only === undefined ? changes.filter(isLeftUnlessChosen) : [];
  const items = changes.filter((item) => !left.includes(item));
  const count = (...kinds: readonly PushChange[]): number =>
    items.filter(({ change }) => kinds.includes(change)).length;
  const ranges = only === undefined ? wholeRanges(unparsedRanges(local)) : [];
  return {
    items,
    left,
    unread: [
      ...unreadItems(local, ranges).flatMap(({ messages }) => messages),
      ...all.malformed.map(({ name, path }) => `${path}: half a character in ${name.key.toWellFormed()}`),
    ],
    counts: { new: count("new"), changed: count("changed", "unknown"), restored: count("restored") },
  };
}

/** Texts in a confirmation. */
const MAX_SHOWN_TEXTS = 10;

/** Returns the confirmation for proposed translations. `currentText` returns the current translation, if any. */
export function stageConfirmation(
  { locale, translations }: Pick<ToolInput<"stage_translations">, "locale" | "translations">,
  currentText: (name: KeyName) => Text | null,
): Confirmation {
  const lines = translations.map((item) => {
    const { text = "", forms } = item;
    const name = toKeyName(item);
    return confirmationLine(name, currentText(name), forms === undefined ? { value: text } : { forms });
  });
  return {
    title: l10n.t("Propose {0} ({1})?", formatCount.translations(translations.length), locale),
    message: withLines(
      l10n.t("They are checked and kept for your review. Nothing is written until you save them."),
      lines,
    ),
  };
}

/** Returns the confirmation for a push. `name`: of the project. */
export function pushConfirmation(
  name: string,
  items: readonly Pick<PushItem, "name" | "text" | "change" | "service" | "side">[],
  counts: Pick<PushPlanCounts, "new" | "changed" | "restored">,
): Confirmation {
  const marks: Partial<Record<PushChange, string>> = { new: l10n.t("new"), restored: l10n.t("restored") };
  const lines = items.map((item) => {
    const { name, text, change, service } = item;
    const mark = overwritesService(item) ? l10n.t("changed on the service") : marks[change];
    return confirmationLine(name, service?.text ?? null, text, mark ?? l10n.t("changed"));
  });
  const message = [
    l10n.t("{0} new", formatNumber(counts.new)),
    l10n.t("{0} changed", formatNumber(counts.changed)),
    l10n.t("{0} restored", formatNumber(counts.restored)),
  ];
  return { title: l10n.t("Push to {0}?", name), message: withLines(message.join(", "), lines) };
}

/** Returns the key with its current and its new text. */
function confirmationLine(name: KeyName, before: Text | null, text: Text, mark?: string): string {
  const label = `${projectKeyLabel(undefined, name)}${mark === undefined ? "" : ` (${mark})`}`;
  const changes = before !== null && !isEmptyText(before) && !areTextsEqual(before, text);
  const texts = changes ? `${textLabel(before)} → ${textLabel(text)}` : textLabel(text);
  return `- ${escapeMarkdown(label)}: ${escapeMarkdown(texts)}`;
}

/** Returns the message with the first lines and the number of others, as Markdown. */
function withLines(message: string, lines: readonly string[]): string {
  const more = lines.length - MAX_SHOWN_TEXTS;
  const rest = more > 0 ? [`- ${escapeMarkdown(l10n.t("and {0} more", formatNumber(more)))}`] : [];
  return [escapeMarkdown(message), "", ...lines.slice(0, MAX_SHOWN_TEXTS), ...rest].join("\n");
}
