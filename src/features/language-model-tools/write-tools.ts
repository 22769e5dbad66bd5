/** The writing tools: propose translations and push. Both require confirmation. */
import { commands } from "vscode";
import type { ProjectKey } from "../../database/records.ts";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-draft-repository.ts";
import { describeRejection } from "../../machine-translation/describe-rejection.ts";
import { givenName, type ToolInput } from "./tool-inputs.ts";
import { createPage, type Row } from "./result-pages.ts";
import { keyHash } from "../../model/key-identity.ts";
import { isForms, plainText, areTextsEqual, type Text } from "../../model/text.ts";
import { checkTranslation } from "../../model/translation-validation.ts";
import { planPush, type PushItem, type PushPlan } from "../../sync/push/push-plan.ts";
import { sourceLocaleOf } from "../../sync/detect-source-language-change.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { CommandResult } from "../../vscode/commands/command-result.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import { pushConfirmation, stageConfirmation } from "./confirmations.ts";
import { ConfirmedPushes } from "./confirmed-pushes.ts";
import { ensureRead, keyOfCall, keyFields } from "./read-tools.ts";
import type { Call, Tool } from "./tool.ts";
import { yieldNow } from "../../model/event-loop.ts";

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
  run: async ({ open, input, signal, maxTokens }) => {
    const { locale, translations } = input;
    await ensureRead(open, signal, locale);
    if (locale === open.project.sourceLocale)
      throw new Error(
        `${JSON.stringify(locale)} is the source language: change its texts in the source files.`,
      );
    const drafts = new TranslationDrafts(open.database);
    const staged: TranslationDraft[] = [];
    const refused: Row[] = [];
    for (const item of translations) {
      const { problem, draft } = draftOf(open, locale, item, drafts);
      if (draft !== undefined) staged.push(draft);
      else refused.push({ ...keyFields(givenName(item)), problem });
    }
    drafts.put(staged);
    open.project.draftsChanged();
    const head = {
      staged: staged.length,
      refused: refused.length,
      note:
        refused.length === 0
          ? "The user looks at them and saves them. Nothing is written to the service yet."
          : "Correct what is refused and stage it once more. The user saves the others.",
    };
    return createPage(refused, undefined, { head, maxTokens });
  },
};

function textOf({ text, forms }: StagedItem): Text | null {
  if (forms !== undefined) return { forms };
  return text === undefined ? null : { value: text };
}

function draftOf(
  open: OpenProject,
  locale: string,
  item: StagedItem,
  drafts: TranslationDrafts,
): { readonly draft?: TranslationDraft; readonly problem?: string } {
  const { project } = open;
  let key: ProjectKey;
  try {
    key = keyOfCall(open, item);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const text = textOf(item);
  if (text === null || (item.text !== undefined && item.forms !== undefined))
    return { problem: 'Give either "text" or, for a plural key, "forms".' };
  if (item.source !== undefined && key.text !== null && !isSource(item.source, key.text))
    return { problem: describeRejection({ kind: "source-changed" }) };
  const problems = checkTranslation(
    { source: key.text, sourceLocale: project.sourceLocale ?? "en", locale, maxLength: key.maxLength },
    text,
  );
  if (problems.length > 0) return { problem: problems.map(describeRejection).join(" ") };
  if (drafts.get(locale, key.hash)?.origin === "person")
    return { problem: "The user has typed a text there that is not saved yet. Leave it to the user." };
  const row = project.translations.get(locale, key.hash);
  const base = row?.text ?? null;
  if (base !== null && row?.isOutdated === false && areTextsEqual(base, text))
    return { problem: "That is the translation already." };
  const baseVersion = row?.version ?? null;
  const draft = { locale, hash: key.hash, text, base, baseVersion, model: null, source: key.text };
  return { draft: { ...draft, origin: "machine" } };
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
    return JSON.stringify({
      outcome: result.outcome,
      result: "result" in result ? result.result : undefined,
    });
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
}: Pick<Call<"push_changes">, "open" | "input" | "signal">): Promise<{
  readonly items: readonly PushItem[];
  readonly counts: PushPlan["counts"];
}> {
  const { session } = open.project;
  if (session.kind === "signed-in" && !session.canWrite)
    throw new Error("The token may only read. Ask the user to sign in with a token that may write.");
  const stats = await (await open.refresher).refreshKeys({ priority: "person", signal });
  const local = await open.local.reload(signal);
  const entries: LocalEntry[] = [];
  for (const entry of local.entries(local.sourceLocale).values()) {
    if (entries.push(entry) % 2_000 === 0) await yieldNow();
  }
  const wanted = input.keys?.map((given) => keyHash(givenName(given)));
  const plan = await planPush({ client: open.client(), project: open.project }, entries, {
    signal,
    sourceLocale: sourceLocaleOf(stats),
    ...(wanted === undefined ? {} : { only: new Set(wanted) }),
  });
  return { items: plan.items.filter(({ change }) => change !== "unchanged"), counts: plan.counts };
}
