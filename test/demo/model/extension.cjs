/**
 * A language model that knows a few texts by heart, so that the demo needs no account. One of its Polish texts has lost a
 * placeholder, so that the demo shows what is refused. Tests have it behave in other
 * ways: `demoModel.behave` names the models that there are, each by what it does, and `demoModel.requests` tells what
 * was asked.
 */
const vscode = require("vscode");
const words = require("./words.json");

const MARK = /⟦\d+⟧/gu;

/** The translation that is known by heart; of another text the text itself behind the language. */
function translated(source, locale) {
  const marks = [...new Set(source.match(MARK))];
  const plain = source.replaceAll(MARK, (mark) => `⟦${marks.indexOf(mark) + 1}⟧`);
  const known = words[plain]?.[locale] ?? `[${locale}] ${plain}`;
  return known.replaceAll(/⟦(\d+)⟧/gu, (_, number) => marks[number - 1]);
}

const mapItem = ({ id, key, source, forms }, change) =>
  forms === undefined
    ? { id, key, text: change(source) }
    : {
        id,
        key,
        forms: Object.fromEntries(Object.entries(forms).map(([form, text]) => [form, change(text)])),
      };

function rightAnswer({ locale, items }) {
  return JSON.stringify({ items: items.map((item) => mapItem(item, (text) => translated(text, locale))) });
}

const waits = (token) =>
  new Promise((resolve, reject) => {
    token.onCancellationRequested(() => reject(new vscode.CancellationError()));
    released.push(resolve);
  });

let requests = [];
/** The tools that came with requests. */
let offered = [];
let released = [];
let behaviours = ["demo"];

/** What each model does with a request; it reports its answer in parts. */
const BEHAVIOURS = {
  demo: (request, report) => report(rightAnswer(request)),
  /** Leaves out every placeholder, also when it is asked again. */
  wrong: ({ locale, items }, report) =>
    report(
      JSON.stringify({
        items: items.map((item) => mapItem(item, (text) => translated(text, locale).replaceAll(MARK, ""))),
      }),
    ),
  /** Is wrong until it is told what is wrong. */
  corrected: ({ locale, items }, report) =>
    report(
      JSON.stringify({
        items: items.map((item) =>
          mapItem(item, (text) => {
            const right = translated(text, locale);
            return item.problem === undefined ? right.replaceAll(MARK, "") : right;
          }),
        ),
      }),
    ),
  /** Answers when `demoModel.release` is called, in small parts. */
  slow: async (request, report, token) => {
    await waits(token);
    for (const part of rightAnswer(request).match(/[^]{1,7}/gu)) report(part);
  },
  /** Answers the first request, and waits at the second. */
  "slow-second": async (request, report, token) => {
    if (requests.length > 1) await waits(token);
    report(rightAnswer(request));
  },
  garbage: (_, report) => report("I am sorry, but { I cannot } do that ```json"),
  /** Stops in the middle of the JSON. */
  half: (request, report) => report(rightAnswer(request).slice(0, -5)),
  /** The connection breaks in the middle. */
  broken: (request, report) => {
    report(rightAnswer(request).slice(0, -5));
    throw new Error("the connection was lost");
  },
  /** Calls a tool that nobody gave it, before it answers. */
  "calls-tools": (request, report, _, call) => {
    call("project_translations_push_changes");
    report(rightAnswer(request));
  },
  "blocked-second": (request, report) => {
    if (requests.length > 1) throw vscode.LanguageModelError.Blocked("quota");
    report(rightAnswer(request));
  },
  blocked: () => {
    throw vscode.LanguageModelError.Blocked("quota");
  },
  forbidden: () => {
    throw vscode.LanguageModelError.NoPermissions("no");
  },
  gone: () => {
    throw vscode.LanguageModelError.NotFound("gone");
  },
};

const textOf = (message) => message.content.map((part) => part.value ?? "").join("");

exports.activate = ({ subscriptions }) => {
  const changed = new vscode.EventEmitter();
  const provider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () =>
      behaviours.map((id) => ({
        id,
        name: id === "demo" ? "Demo model" : `Demo model (${id})`,
        family: "demo",
        version: "1",
        maxInputTokens: 32_000,
        maxOutputTokens: 32_000,
        capabilities: {},
      })),
    provideLanguageModelChatResponse: async ({ id }, messages, { tools = [] }, progress, token) => {
      const texts = messages.map(textOf);
      requests.push(texts);
      offered.push(...tools.map(({ name }) => name));
      const last = texts.at(-1);
      const call = (name) => progress.report(new vscode.LanguageModelToolCallPart("1", name, {}));
      const report = (text) => progress.report(new vscode.LanguageModelTextPart(text));
      await BEHAVIOURS[id](JSON.parse(last.slice(last.indexOf("{"))), report, token, call);
    },
    provideTokenCount: async (_, text) =>
      Math.ceil((typeof text === "string" ? text : textOf(text)).length / 4),
  };
  subscriptions.push(
    changed,
    vscode.lm.registerLanguageModelChatProvider("project-translations-demo", provider),
    vscode.commands.registerCommand("demoModel.behave", (...names) => {
      behaviours = names;
      requests = [];
      offered = [];
      released = [];
      changed.fire();
    }),
    vscode.commands.registerCommand("demoModel.requests", () => requests),
    vscode.commands.registerCommand("demoModel.offered", () => offered),
    vscode.commands.registerCommand("demoModel.release", () => {
      for (const resolve of released) resolve();
      released = [];
    }),
  );
};
