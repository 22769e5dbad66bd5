/** The writing tools: propose translations and push. Both require confirmation. */
import { commands } from "vscode";
import type { ProjectKey } from "../../database/records.ts";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-draft-repository.ts";
import { describeRejection } from "../../machine-translation/rejection-feedback.ts";
import { givenName, type ToolInput } from "./tool-inputs.ts";
import type { Row } from "./tool-result-pages.ts";
import { keyHash } from "../../model/key-hash.ts";
import { isForms, plainText, areTextsEqual, type Text } from "../../model/text.ts";
import { checkTranslation } from "../../machine-translation/validate-translation.ts";
import { planPush, type PushPlan } from "../../sync/push/push-plan.ts";
import { sourceLocaleOf } from "../../sync/detect-source-language-change.ts";
import { canWrite, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { CommandResult } from "../../vscode/commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pushConfirmation, stageConfirmation } from "./tool-confirmations.ts";
import { ConfirmedPushes } from "./confirmed-pushes.ts";
import { ensureRead, keyOfCall, keyFields } from "./read-tools.ts";
import type { Call, Tool } from "./tool.ts";
import { collectInSlices } from "../../model/event-loop.ts";

type StagedItem = ToolInput<"stage_translations">["translations"][number];

export const stageTranslations: Tool<"stage_translations"> = {
  name: "stage_translations",
  progress: () => l10n.t("Checking translations"),
  confirmation: async ({ open, input, signal }) => {
    await ensureRead(open, signal, input.locale);
    return stageConfirmation(
      input,
      (name) => open.project.translations.get(input.locale, keyHash(name))?.text ?? null,
    );
  },
  run: async ({ open, input: { locale, translations }, signal, page }) => {
    await ensureRead(open, signal, locale);
    if (locale === open.project.sourceLocale)
      throw new Error(
        `${JSON.stringify(locale)} is the source language: change its texts in the source files.`,
      );
    const drafts = new TranslationDrafts(open.database);
    const staged: TranslationDraft[] = [];
    const refused: Row[] = [];
    for (const item of translations) {
      const draft = draftOf(open, locale, item, drafts);
      if (typeof draft !== "string") staged.push(draft);
      else refused.push({ ...keyFields(givenName(item)), problem: draft });
    }
    drafts.put(staged);
    open.project.draftsChanged();
    return page(refused, {
      staged: staged.length,
      refused: refused.length,
      note:
        refused.length === 0
          ? "The user looks at them and saves them. Nothing is written to the service yet."
          : "Correct what is refused and stage it once more. The user saves the others.",
    });
  },
};

/** Returns the draft of a translation, or why it is refused. */
function draftOf(
  open: OpenProject,
  locale: string,
  item: StagedItem,
  drafts: TranslationDrafts,
): TranslationDraft | string {
  const { project } = open;
  let key: ProjectKey;
  try {
    key = keyOfCall(open, item);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { text: value, forms } = item;
  if ((value === undefined) === (forms === undefined))
    return 'Give either "text" or, for a plural key, "forms".';
  const text: Text = forms === undefined ? { value: value ?? "" } : { forms };
  if (item.source !== undefined && key.text !== null && !isSource(item.source, key.text))
    return describeRejection({ kind: "source-changed" });
  const problems = checkTranslation(
    { source: key.text, sourceLocale: project.sourceLocale ?? "en", locale, maxLength: key.maxLength },
    text,
  );
  if (problems.length > 0) return problems.map(describeRejection).join(" ");
  if (drafts.get(locale, key.hash)?.origin === "person")
    return "The user has typed a text there that is not saved yet. Leave it to the user.";
  const row = project.translations.get(locale, key.hash);
  const base = row?.text ?? null;
  if (base !== null && row?.isOutdated === false && areTextsEqual(base, text))
    return "That is the translation already.";
  const baseVersion = row?.version ?? null;
  const origin = "machine";
  return { locale, hash: key.hash, text, base, baseVersion, origin, model: null, source: key.text };
}

function isSource(given: string, source: Text): boolean {
  return isForms(source) ? Object.values(source.forms).includes(given) : plainText(source) === given;
}

const confirmed = new WeakMap<OpenProject, ConfirmedPushes>();

export const pushChanges: Tool<"push_changes"> = {
  name: "push_changes",
  progress: () => l10n.t("Pushing changes"),
  confirmation: async (call) => {
    const { items, counts } = await planned(call);
    const pushes = confirmed.get(call.open) ?? new ConfirmedPushes();
    pushes.show(call.input, items);
    confirmed.set(call.open, pushes);
    return pushConfirmation(projectDisplayName(call.open), items, counts);
  },
  run: async (call) => {
    const { open } = call;
    const isConfirmed = confirmed.get(open)?.take(call.input);
    if (isConfirmed === undefined) throw new Error("The user was not asked. Call the tool again.");
    const { items } = await planned(call);
    const only = items.filter(isConfirmed).map(({ hash }) => hash);
    if (only.length === 0) return JSON.stringify({ outcome: "unchanged", note: "There is nothing to push." });
    const result = await commands.executeCommand<CommandResult<{ plan: object; result?: object }>>(
      "projectTranslations.push",
      { folder: open.root, confirm: false, only },
    );
    if (result.outcome === "failed") throw new Error(result.error.message);
    return JSON.stringify({ outcome: result.outcome, result: result.result });
  },
};

/**
 * Plans a push.
 *
 * @throws {Error}
 */
async function planned({
  open,
  input,
  signal,
}: Call<"push_changes">): Promise<Pick<PushPlan, "items" | "counts">> {
  if (!canWrite(open))
    throw new Error("The token may only read. Ask the user to sign in with a token that may write.");
  const stats = await (await open.refresher).refreshKeys({ priority: "person", signal });
  const local = await open.local.reload(signal);
  const entries = await collectInSlices(local.entries(local.sourceLocale).values());
  const wanted = input.keys?.map((given) => keyHash(givenName(given)));
  const plan = await planPush({ client: open.client(), project: open.project }, entries, {
    signal,
    sourceLocale: sourceLocaleOf(stats),
    ...(wanted === undefined ? {} : { only: new Set(wanted) }),
  });
  return { items: plan.items.filter(({ change }) => change !== "unchanged"), counts: plan.counts };
}
