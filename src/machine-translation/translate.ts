/**
 * Has texts translated by a language model: in batches, each answer checked, what is refused asked for once more with the
 * reason. Nothing is written here, and which model it is, and how it is asked, is the caller's.
 */
import type { Text } from "../model/text.ts";
import type { TranslationProblem } from "../model/translation-validation.ts";
import { describeProblem, type RefusalReason } from "./describe-problem.ts";
import {
  readAnswer,
  translationRequest,
  type RequestContext,
  type RequestedText,
  type TextToTranslate,
} from "./request.ts";

/** What came of one text. */
export type TranslationResult =
  | { readonly kind: "translated"; readonly text: TextToTranslate; readonly translation: Text }
  | {
      readonly kind: "refused";
      readonly text: TextToTranslate;
      /** What the model gave; `null`: nothing that can be told to be of the text. */
      readonly translation: Text | null;
      /** At least one. */
      readonly reasons: readonly RefusalReason[];
    };

export interface TranslateDependencies {
  /** Sends the messages to the model. Out: its whole answer. What it throws ends the translation. */
  readonly send: (messages: readonly string[]) => Promise<string>;
  /** All that is wrong with a translation. */
  readonly check: (text: TextToTranslate, translation: Text) => readonly TranslationProblem[];
  /** What the model can take in one request. Characters of texts with all that helps to translate them. */
  readonly maxLength?: number;
}

/** At most so many texts are in one request. */
export const MAX_BATCH_TEXTS = 40;
/** Source texts of a request have at most so many characters together, unless one alone has more. */
const MAX_BATCH_LENGTH = 8_000;

/** The texts as they are sent together. `maxLength`: as in `TranslateDependencies`. */
export function batchesOf(
  texts: readonly TextToTranslate[],
  maxLength = Number.POSITIVE_INFINITY,
): readonly (readonly TextToTranslate[])[] {
  const batches: TextToTranslate[][] = [];
  let length = { source: 0, whole: 0 };
  for (const text of texts) {
    const last = batches.at(-1);
    const own = { source: JSON.stringify(text.source).length, whole: JSON.stringify(text).length };
    const sum = { source: length.source + own.source, whole: length.whole + own.whole };
    const isFull = last?.length === MAX_BATCH_TEXTS || sum.source > MAX_BATCH_LENGTH || sum.whole > maxLength;
    if (last === undefined || isFull) batches.push([text]);
    else last.push(text);
    length = last === undefined || isFull ? own : sum;
  }
  return batches;
}

/** An answer that cannot be read is asked for again in two halves, so often. */
const MAX_HALVINGS = 2;

/**
 * Translates the texts. Each result comes as soon as it is known, so that what is done stays when a later request fails
 * or is cancelled; each text has exactly one. Throws what `send` throws.
 */
export async function* translateTexts(
  context: RequestContext,
  texts: readonly TextToTranslate[],
  dependencies: TranslateDependencies,
): AsyncGenerator<readonly TranslationResult[]> {
  for (const batch of batchesOf(texts, dependencies.maxLength)) {
    const requested = batch.map((text) => ({ text, problem: null }));
    yield* translateBatch(context, requested, dependencies, 0);
  }
}

async function* translateBatch(
  context: RequestContext,
  batch: readonly RequestedText[],
  dependencies: TranslateDependencies,
  halvings: number,
): AsyncGenerator<readonly TranslationResult[]> {
  const request = translationRequest(context, batch);
  const answers = readAnswer(request, await dependencies.send(request.messages));
  if (answers === null) {
    if (halvings === MAX_HALVINGS) {
      yield batch.map(({ text }) => ({
        kind: "refused",
        text,
        translation: null,
        reasons: [{ kind: "unreadable" }],
      }));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (half.length > 0) yield* translateBatch(context, half, dependencies, halvings + 1);
    }
    return;
  }
  const results: TranslationResult[] = [];
  const again: RequestedText[] = [];
  for (const [index, { text, answer }] of answers.entries()) {
    const reasons: readonly RefusalReason[] =
      answer.kind === "text" ? dependencies.check(text, answer.text) : [answer];
    if (answer.kind === "text" && reasons.length === 0) {
      results.push({ kind: "translated", text, translation: answer.text });
    } else if (batch[index]?.problem === null && !isFinal(reasons)) {
      again.push({ text, problem: reasons.map(describeProblem).join(" ") });
    } else {
      const translation = answer.kind === "text" ? answer.text : null;
      results.push({ kind: "refused", text, translation, reasons });
    }
  }
  if (results.length > 0) yield results;
  if (again.length > 0) yield* translateBatch(context, again, dependencies, halvings);
}

/** Whether another answer could not change it. */
function isFinal(reasons: readonly RefusalReason[]): boolean {
  return reasons.some(({ kind }) => kind === "source-changed" || kind === "no-source");
}
