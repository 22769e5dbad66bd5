/** Adds a key to the source file where its neighbours are, as Extract Key does. */
import { syncInBatches } from "../api/batches.ts";
import { definedFields } from "../util/defined-fields.ts";
import { CommandError } from "../commands/command-types.ts";
import { rejectionReason, toFailure } from "../messages/error-messages.ts";
import { projectDisplayName, projectKeyLabel, textLine } from "../messages/labels.ts";
import { localRefusalError } from "../messages/local-edit-error-messages.ts";
import { keyHash, type KeyName } from "../model/key-hash.ts";
import type { FileWrite } from "../model/platform.ts";
import { neededCategories } from "../model/plural-categories.ts";
import { codePointCount, isEmptyText, type Text, valuesOf } from "../model/translation-text.ts";
import { syncKey } from "../sync/sync-request-items.ts";
import { fingerprintOf } from "../util/fingerprint.ts";
import { l10n } from "../util/l10n.ts";
import { ensureLoaded, keyFields } from "./read-tools.ts";
import { toKeyName, type ToolInput } from "./tool-inputs.ts";
import type { ToolCall, WriteTool } from "./tool.ts";

type AddKeyInput = ToolInput<"add_key">;

/** A key that can be added. */
interface KeyToAdd {
  readonly name: KeyName;
  readonly text: Text;
  readonly writes: readonly FileWrite[];
  /** Whether the service gets the key, too: a maximum length and tags are stored only there. */
  readonly isSent: boolean;
}

export const addKey: WriteTool<"add_key"> = {
  name: "add_key",
  progress: () => l10n.t("Adding a key"),
  plan: async (call) => {
    const { project } = call.open;
    const planned = await plan(call);
    const { name, text, writes, isSent } = planned;
    const { description, maxLength, tags } = call.input;
    const files = writes.map(({ path }) => path);
    const notes = [
      l10n.t("It is written to {0}.", files.join(", ")),
      ...(isSent
        ? [l10n.t("It is also sent to {0}, with its maximum length and tags.", projectDisplayName(project))]
        : []),
      ...(isWithoutPlace(planned, call.input)
        ? [l10n.t("Its maximum length and tags are not stored: that needs a service.")]
        : []),
    ];
    return {
      title: l10n.t("Add the key {0}?", projectKeyLabel(project, name)),
      note: notes.join(" "),
      lines: [
        textLine(text),
        ...(description === undefined ? [] : [l10n.t("Description: {0}", textLine({ value: description }))]),
        ...(maxLength === undefined ? [] : [l10n.t("Maximum length: {0}", maxLength)]),
        ...(tags === undefined || tags.length === 0
          ? []
          : [l10n.t("Tags: {0}", textLine({ value: tags.join(", ") }))]),
      ],
      writes: true,
      basis: basisOf(planned),
      run: () => add(call, planned),
    };
  },
};

async function add(
  { open, input, signal }: ToolCall<"add_key">,
  { name, text, writes, isSent }: KeyToAdd,
): Promise<string> {
  const outcome = await open.files.write(writes);
  if (outcome.kind === "changed")
    throw new Error(
      `Nothing was written: ${outcome.paths.join(", ")} changed meanwhile. Call the tool again.`,
    );
  const files = writes.map(({ path }) => path);
  const added = { added: keyFields(name), files };
  if (!isSent) {
    const isLost = isWithoutPlace({ isSent }, input);
    return JSON.stringify({
      ...added,
      note: isLost
        ? "Maximum length and tags were not stored: that needs a service, and nobody is signed in to one."
        : undefined,
    });
  }
  const { description = null, maxLength, tags } = input;
  try {
    const keys = [syncKey(name, text, { description, ...definedFields({ maxLength, tags }) })];
    const { rejected } = await syncInBatches(open.client(), { keys }, { signal, priority: "person" });
    const [refusal] = rejected;
    if (refusal !== undefined) throw new CommandError("invalid", rejectionReason(refusal.reason));
  } catch (error) {
    throw new Error(
      `The key is in ${files.join(", ")}, but was not sent to the service: ${toFailure(error).message} push_changes sends it without its maximum length and tags.`,
      { cause: error },
    );
  }
  await open.refresh(signal);
  return JSON.stringify({ ...added, sent: true });
}

/**
 * Plans the writes of a new key.
 * @throws {Error}
 */
async function plan({ open, input, signal }: ToolCall<"add_key">): Promise<KeyToAdd> {
  await ensureLoaded(open, signal);
  const local = await open.local.reload(signal);
  const { project } = open;
  const locale = local.sourceLocale;
  const name = toKeyName(input);
  const text = textOf(input, locale);
  const hash = keyHash(name);
  const existing = local.entries(locale).get(hash)?.text ?? project.keys.get(hash)?.text;
  if (existing != null)
    throw new Error(
      `There is a key ${JSON.stringify(keyFields(name))} already, with the text ${JSON.stringify(existing)}. Nothing was changed: use it, or choose another name.`,
    );
  const { maxLength, tags = [] } = input;
  const hasMore = maxLength !== undefined || tags.length > 0;
  if (hasMore && project.source.hasService && project.source.refusal !== null)
    throw new Error(
      "The token may only read, so that maximum length and tags cannot be stored. Leave them out.",
    );
  const change = { name, locale, text, description: input.description ?? null };
  const { writes, refused } = await local.planEdit([change], signal);
  const [refusal] = refused;
  if (refusal !== undefined) {
    const namespaces = [...local.namespaces].toSorted().slice(0, 100).join(", ");
    const hint = refusal.reason === "no_file" ? ` Namespaces of the files: ${namespaces || "none"}.` : "";
    throw new Error(`${localRefusalError(project, name, refusal).message}${hint}`);
  }
  return { name, text, writes, isSent: hasMore && project.source.hasService };
}

/** @throws {Error} */
function textOf({ text: value, forms, maxLength }: AddKeyInput, locale: string): Text {
  if ((value === undefined) === (forms === undefined))
    throw new Error('Give either "text" or, for a plural key, "forms".');
  const text: Text = forms === undefined ? { value: value ?? "" } : { forms };
  const values = valuesOf(text);
  const needed = neededCategories(locale);
  if (
    forms !== undefined &&
    (Object.keys(forms).length !== needed.length || needed.some((each) => forms[each] === undefined))
  )
    throw new Error(`"forms" needs exactly these categories: ${needed.join(", ")}.`);
  if (isEmptyText(text)) throw new Error("The source text is empty.");
  if (!values.every((each) => each.isWellFormed()))
    throw new Error("The source text has half a character (a surrogate without its pair).");
  if (maxLength !== undefined && values.some((each) => codePointCount(each) > maxLength))
    throw new Error(`The source text is longer than the ${maxLength} characters of "maxLength".`);
  return text;
}

/** Whether the maximum length or tags of a key are not stored. */
function isWithoutPlace(
  { isSent }: Pick<KeyToAdd, "isSent">,
  { maxLength, tags = [] }: AddKeyInput,
): boolean {
  return !isSent && (maxLength !== undefined || tags.length > 0);
}

function basisOf({ name, text, writes, isSent }: KeyToAdd): string {
  const texts = writes.map(({ path, before, after }) => [path, before && hex(before), hex(after)]);
  return fingerprintOf([name, text, texts, isSent]);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
