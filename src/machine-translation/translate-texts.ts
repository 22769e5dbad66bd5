/**
 * Translates texts with a language model: in batches, validating each translation and requesting rejected ones once
 * more with the reason. The caller chooses and calls the model, and stores the results.
 */
import type { Text } from "../model/translation-text.ts";
import type { TranslationProblem } from "./validate-translation.ts";
import { describeRejection, type RejectionReason } from "./rejection-feedback.ts";
import {
  parseResponse,
  createTranslationRequest,
  type RequestContext,
  type RequestedText,
  type TextToTranslate,
} from "./translation-prompt.ts";

/** Result for one text. */
export type TranslationResult =
  | { readonly kind: "translated"; readonly text: TextToTranslate; readonly translation: Text }
  | {
      readonly kind: "rejected";
      readonly text: TextToTranslate;
      /** `null`: the response has none for the text. */
      readonly translation: Text | null;
      /** Contains at least one reason. */
      readonly reasons: readonly RejectionReason[];
    };

export interface TranslateDependencies {
  /** Sends the messages to the model and returns its whole response. An exception ends the translation. */
  readonly send: (messages: readonly string[]) => Promise<string>;
  /** Returns all problems of a translation. */
  readonly check: (text: TextToTranslate, translation: Text) => readonly TranslationProblem[];
  /** Capacity of the model for one request, in characters of texts including their context. */
  readonly maxLength?: number;
}

/** Texts per request. */
const MAX_BATCH_TEXTS = 40;
/** Characters of source texts per request, unless a single text exceeds it. */
const MAX_SOURCE_LENGTH = 8_000;

/** Splits texts into requests. `maxLength`: as in `TranslateDependencies`. */
export function splitIntoBatches(
  texts: readonly TextToTranslate[],
  maxLength = Number.POSITIVE_INFINITY,
): readonly (readonly TextToTranslate[])[] {
  const batches: TextToTranslate[][] = [];
  let length = { source: 0, whole: 0 };
  for (const text of texts) {
    const last = batches.at(-1);
    const added = { source: JSON.stringify(text.source).length, whole: JSON.stringify(text).length };
    const sum = { source: length.source + added.source, whole: length.whole + added.whole };
    const isFull =
      last?.length === MAX_BATCH_TEXTS || sum.source > MAX_SOURCE_LENGTH || sum.whole > maxLength;
    if (last === undefined || isFull) batches.push([text]);
    else last.push(text);
    length = last === undefined || isFull ? added : sum;
  }
  return batches;
}

/** How often a request with an unreadable response is split in two and repeated. */
const MAX_HALVINGS = 2;

/**
 * Translates texts and yields each result as soon as it is known, so that it survives a later failure; each text has
 * exactly one.
 * @throws whatever `send` throws
 */
export async function* translateTexts(
  context: RequestContext,
  texts: readonly TextToTranslate[],
  dependencies: TranslateDependencies,
): AsyncGenerator<readonly TranslationResult[]> {
  for (const batch of splitIntoBatches(texts, dependencies.maxLength)) {
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
  const request = createTranslationRequest(context, batch);
  const answers = parseResponse(request, await dependencies.send(request.messages));
  if (answers === null) {
    if (halvings === MAX_HALVINGS) {
      yield batch.map(({ text }) => ({
        kind: "rejected",
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
  const retries: RequestedText[] = [];
  for (const [index, { text, answer }] of answers.entries()) {
    const reasons: readonly RejectionReason[] =
      answer.kind === "text" ? dependencies.check(text, answer.text) : [answer];
    if (answer.kind === "text" && reasons.length === 0) {
      results.push({ kind: "translated", text, translation: answer.text });
    } else if (batch[index]?.problem === null && !isFinal(reasons)) {
      retries.push({ text, problem: reasons.map(describeRejection).join(" ") });
    } else {
      const translation = answer.kind === "text" ? answer.text : null;
      results.push({ kind: "rejected", text, translation, reasons });
    }
  }
  if (results.length > 0) yield results;
  if (retries.length > 0) yield* translateBatch(context, retries, dependencies, halvings);
}

/** Returns whether another attempt cannot change the result. */
function isFinal(reasons: readonly RejectionReason[]): boolean {
  return reasons.some(({ kind }) => kind === "source-changed" || kind === "no-source");
}
