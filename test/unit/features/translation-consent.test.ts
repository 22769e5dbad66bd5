/** Whether texts are sent to a language model, and to which one: only to the one that the user agreed to. */
import { beforeEach, expect, test } from "vitest";
import type { LanguageModelChat } from "vscode";
import type { CommandRun } from "../../../src/commands/command-types.ts";
import {
  chooseModelWithConsent,
  maxRequestLength,
} from "../../../src/features/translate/translation-consent.ts";
import type { App } from "../../../src/vscode/app.ts";
import { textToTranslate } from "../machine-translation/support.ts";
import { pickInNextList } from "../support/vscode-stub.ts";

const modelOf = (id: string) =>
  ({
    id,
    name: `Model ${id}`,
    vendor: "",
    family: "",
    maxInputTokens: 100_000,
    countTokens: () => Promise.resolve(10),
  }) as unknown as LanguageModelChat;
const [one, two, three] = ["one", "two", "three"].map(modelOf) as [
  LanguageModelChat,
  LanguageModelChat,
  LanguageModelChat,
];
const texts = [
  {
    context: { sourceLocale: "en", locale: "nl", instructions: null },
    texts: [textToTranslate("Your cart")],
    bases: new Map(),
  },
];

let stored: Map<string, unknown>;
beforeEach(() => {
  stored = new Map();
});

/** Chooses a model; each answer is what is picked in the next list, another one dismisses it. */
async function choose(
  models: readonly LanguageModelChat[],
  answers: readonly string[],
  {
    named,
    quiet = false,
    sent = texts,
  }: {
    readonly named?: LanguageModelChat;
    readonly quiet?: boolean;
    readonly sent?: typeof texts;
  } = {},
): Promise<string | undefined> {
  const globalState = {
    get: (name: string) => stored.get(name),
    update: async (name: string, value: unknown) => void stored.set(name, value),
  };
  const run: CommandRun = {
    signal: new AbortController().signal,
    quiet,
    report: () => undefined,
    pause: () => undefined,
  };
  for (const answer of answers) pickInNextList(answer);
  const app = { context: { globalState } } as unknown as App;
  return (await chooseModelWithConsent(app, models, named, sent, run))?.id;
}

const DISMISS = "no such answer";

test("nothing is sent without consent, and the model is not remembered", async () => {
  expect(await choose([one], [DISMISS])).toBeUndefined();
  expect(await choose([one, two], ["Model two", DISMISS])).toBeUndefined();
  expect(await choose([one, two], [DISMISS])).toBeUndefined();
  expect(stored.size).toBe(0);
});

test("what would be sent is said for each language", async () => {
  const french = { ...texts[0], context: { sourceLocale: "en", locale: "fr", instructions: null } };
  const two = {
    ...french,
    texts: [textToTranslate("Your cart"), textToTranslate("Total")],
    bases: new Map(),
  };
  let shown: readonly unknown[] = [];
  pickInNextList((items, { title, placeHolder }) => {
    shown = [title, placeHolder, items[0]?.description];
    return undefined;
  });
  expect(await choose([one], [], { sent: [...texts, two] })).toBeUndefined();
  expect(shown).toEqual([
    "Translate 3 texts with Model one?",
    "2 requests, about 40 tokens to send",
    "nl: 1 text · fr: 2 texts",
  ]);
});

test("the model that the user agreed to is offered the next time, and is asked about again", async () => {
  expect(await choose([one, two], ["Model two", "Translate"])).toBe("two");
  expect(await choose([one, two], ["Translate"])).toBe("two");
  expect(await choose([one, two], [DISMISS])).toBeUndefined();
  // It is no longer there.
  expect(await choose([one, three], ["Model three", "Translate"])).toBe("three");
});

test("another model is asked about before anything is sent to it", async () => {
  const answers = ["Choose Another Model…", "Model two", "Choose Another Model…", "Model three", "Translate"];
  expect(await choose([one, two, three], answers, { named: one })).toBe("three");
  expect(await choose([one, two], ["Choose Another Model…", "Model one", DISMISS], { named: two })).toBe(
    undefined,
  );
  // Still the last one that was agreed to.
  expect(await choose([one, two, three], ["Translate"])).toBe("three");
});

test("without prompts it is the named, the last or the only model, and no other", async () => {
  expect(await choose([one, two], [], { quiet: true, named: two })).toBe("two");
  expect(await choose([one], [], { quiet: true })).toBe("one");
  await expect(choose([one, two], [], { quiet: true })).rejects.toThrow("in “model”: one, two.");
  await choose([one, two], ["Model two", "Translate"]);
  expect(await choose([one, two], [], { quiet: true })).toBe("two");
  expect(await choose([one, two], [], { quiet: true, named: one })).toBe("one");
});

test("a request is as long as the model takes, however little it says of itself", () => {
  const lengthFor = (maxInputTokens: number) => maxRequestLength({ ...one, maxInputTokens });
  expect([0, 100, 100_000].map(lengthFor)).toEqual([Number.POSITIVE_INFINITY, 2_000, 150_000]);
});
