/**
 * The inside of the bench: VS Code's extension host loads it as its test module. It does what a user does, whichever
 * extension is there, and writes what it took as one JSON object. It judges nothing.
 */
import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import {
  figures,
  memory,
  taskOptions,
  pause,
  report,
  waitUntilIdle,
  recordPercentiles,
  threadTime,
  waitUntil,
  measure,
} from "./vscode-task-measurements.ts";
import { grid, readAll } from "./translation-editor-tasks.ts";
import type { TaskOptions, Task } from "./vscode-task-options.ts";

/** What loader.cjs notes. */
interface Noted {
  /** Milliseconds since the epoch. */
  readonly loadedAt: number;
  readonly busyFrom: ReturnType<typeof performance.eventLoopUtilization>;
  readonly require: number;
  readonly activate: number;
  readonly activated: number | null;
  /** Why it could not be loaded or activated. */
  readonly failed: string | null;
  /** Of the processor, as far as the host's thread took it. */
  readonly processorFrom: number;
  readonly requireProcessor: number;
  readonly activateProcessor: number;
}

/**
 * Resolves when everything that was asked for is measured and written, or when a task failed or took longer than it may:
 * what such a one has begun goes on behind, so nothing more is measured in this window.
 */
export async function run(): Promise<void> {
  figures["test start (epoch ms)"] = Date.now();
  const begun: Task[] = [];
  for (const task of taskOptions.tasks) {
    begun.push(task);
    report(begun);
    try {
      await inTime(task);
    } catch (error) {
      figures[`${task}: went wrong`] =
        error instanceof Error ? (error.stack ?? error.message) : String(error);
      break;
    }
  }
  report(begun);
}

/** Rejects when the task takes longer than a task may. */
async function inTime(task: Task): Promise<void> {
  const ended = new AbortController();
  const late = pause(taskOptions.limit * 1000, ended.signal).then(() => {
    throw new Error(`was cut after ${taskOptions.limit} s`);
  });
  try {
    await Promise.race([tasks[task](), late]);
  } finally {
    ended.abort();
  }
}

const tasks: Record<TaskOptions["tasks"][number], () => Promise<void>> = {
  prepare,
  start,
  firstHover,
  hovers,
  completion,
  typing,
  unknownKey,
  usageReport,
  rename,
  memory: () => memory("at the end", 25_000),
  readAll,
  grid,
};

const folder = (): vscode.Uri => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined) throw new Error("no folder is open");
  return first.uri;
};

async function show(path: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), path));
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Signs this extension in and reads what there is to read, as somebody who worked here yesterday did. */
async function prepare(): Promise<void> {
  const ask = async (name: string, options: object): Promise<void> => {
    const result = await vscode.commands.executeCommand<{ outcome: string }>(`projectTranslations.${name}`, {
      confirm: false,
      ...options,
    });
    if (result.outcome !== "done" && result.outcome !== "unchanged")
      throw new Error(`${name}: ${JSON.stringify(result)}`);
  };
  const { service } = taskOptions;
  if (service === undefined) throw new Error("there is no service to sign in to");
  await measure("sign-in", () => ask("signIn", { baseUrl: service.baseUrl, token: service.token }));
  // With a filled service it finds that nothing has changed.
  await measure("push", () => ask("push", {}));
  if (taskOptions.fill) {
    const vueFiles = taskOptions.locales
      .slice(1)
      .map((locale) => ({ locale, format: "json_js", files: [`locales/${locale}.json`] }));
    for (const { locale, format, files: paths } of taskOptions.imports ?? vueFiles) {
      const files = paths.map((path) => vscode.Uri.joinPath(folder(), path));
      await ask("import", { files, locale, format, overwrite: true });
    }
  }
  await measure("refresh", () => ask("refresh", {}));
  // The cache is written behind the reading.
  await measure("after the refresh, to rest", () => waitUntilIdle(taskOptions.rest));
}

function uses(document: vscode.TextDocument): vscode.Position[] {
  const text = document.getText();
  if (taskOptions.hover !== undefined) {
    const at = text.indexOf(taskOptions.hover.usage);
    // Its end is in the key: the usage may begin with the name of a function.
    return at < 0 ? [] : [document.positionAt(at + taskOptions.hover.usage.length - 1)];
  }
  return [...text.matchAll(/["'](area[\w.]+)["']/g)].map(({ index }) => document.positionAt(index + 3));
}

const wordsOf = (hovers: readonly vscode.Hover[]): readonly string[] =>
  hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === "string" ? part : part.value)));

/** The text of a key holds its number, which no other thing in a hover does; an extension may cut it behind that. */
function saysText(
  hovers: readonly vscode.Hover[],
  document: vscode.TextDocument,
  at: vscode.Position,
): boolean {
  const { hover } = taskOptions;
  if (hover !== undefined) return wordsOf(hovers).some((text) => text.includes(hover.text));
  const [, area, inside] = /area(\d+)\.\w+\.\w+_(\d+)/.exec(document.lineAt(at.line).text) ?? [];
  const number = Number(area) * taskOptions.keysInArea + Number(inside);
  const says = new RegExp(`of number ${number}(?!\\d)`);
  return wordsOf(hovers).some((text) => says.test(text.replaceAll("\\", "").replaceAll("&nbsp;", " ")));
}

const hoverAt = (document: vscode.TextDocument, at: vscode.Position): Thenable<vscode.Hover[]> =>
  vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);

const noted = (): Noted | undefined => (globalThis as { benchNoted?: Noted }).benchNoted;

async function firstHover(): Promise<void> {
  const { document } = await show(taskOptions.shortFile);
  const [place] = uses(document);
  if (place === undefined) throw new Error(`${taskOptions.shortFile} has no uses`);
  await measure("to the first hover", async () => {
    if (taskOptions.hasHovers) {
      let last: readonly vscode.Hover[] = [];
      let asked = 0;
      const first = await waitUntil(120, async () => {
        const failed = noted()?.failed;
        if (failed) throw new Error(`the extension did not start: ${failed}`);
        asked++;
        const from = performance.now();
        last = await hoverAt(document, place);
        figures["last answer to the first hover (ms)"] = performance.now() - from;
        return saysText(last, document, place);
      });
      figures["first hover: times asked"] = asked;
      if (first === null)
        throw new Error(`no hover was right in two minutes; the last: ${JSON.stringify(wordsOf(last))}`);
    } else {
      // The command waits for all extensions, such as TypeScript's, whose server has to start.
      await hoverAt(document, place);
    }
  });
  figures["first right hover (epoch ms)"] = Date.now();
}

async function start(): Promise<void> {
  await firstHover();
  const loaded = noted();
  if (loaded === undefined) return;
  figures["extension loaded (epoch ms)"] = loaded.loadedAt;
  figures["require (ms)"] = loaded.require;
  figures["require: processor (ms)"] = loaded.requireProcessor;
  figures["activate() (ms)"] = loaded.activate;
  figures["activate(): processor (ms)"] = loaded.activateProcessor;
  figures["activated (ms)"] = loaded.activated;
  figures["from require to the first hover: busy (ms)"] = performance.eventLoopUtilization(
    loaded.busyFrom,
  ).active;
  figures["from require to the first hover: processor, host's thread (ms)"] =
    threadTime() - loaded.processorFrom;
  // What goes on behind the first hover is not to be found in what comes next.
  await measure("after the first hover, to rest", () => waitUntilIdle(taskOptions.rest));
  await memory("after start");
}

async function hovers(): Promise<void> {
  const { document } = await show(taskOptions.shortFile);
  const places = uses(document);
  const taken: number[] = [];
  let right = 0;
  await measure("200 hovers", async () => {
    const begun = performance.now();
    for (let at = 0; at < 200 && performance.now() - begun < 60_000; at++) {
      const place = places[at % places.length] as vscode.Position;
      const from = performance.now();
      const found = await hoverAt(document, place);
      taken.push(performance.now() - from);
      if (saysText(found, document, place)) right++;
    }
  });
  recordPercentiles("hover", taken);
  figures["hovers that are right"] = right;
}

async function completion(): Promise<void> {
  const editor = await show(taskOptions.shortFile);
  const { document } = editor;
  for (const [name, written, rounds] of [
    ["completion after a.b.", "area1.section2.", 30],
    ["completion in an empty key", "", 5],
  ] as const) {
    const line = document.lineCount - 1;
    const text = `const more = t("${written}");`;
    await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text));
    const at = new vscode.Position(line, text.length - 3);
    const taken: number[] = [];
    let count = 0;
    const ask = async (): Promise<void> => {
      const from = performance.now();
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        at,
      );
      taken.push(performance.now() - from);
      const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
      count = labels.filter((label) => /area|order_|basket_|search_/.test(label)).length;
    };
    // The first wakes TypeScript, with which nobody here has to do.
    await ask();
    figures[`${name}, first (ms)`] = taken.pop() ?? null;
    const from = performance.now();
    while (taken.length < rounds && performance.now() - from < 60_000) await ask();
    recordPercentiles(name, taken);
    figures[`${name}: keys offered`] = count;
    await editor.edit((edit) => edit.delete(document.lineAt(line).range));
  }
}

/** 100 characters, 50 ms apart, at the end of a line in the middle of the long file; cut after 40 seconds. */
async function typing(): Promise<void> {
  const editor = await show(taskOptions.longFile);
  const line = 2_000;
  editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
  await pause(3_000);
  await waitUntilIdle();
  const taken: number[] = [];
  let applied = 0;
  await measure("typing", async () => {
    const from = performance.now();
    while (applied < 100 && performance.now() - from < 40_000) {
      const due = from + applied * 50;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      const begun = performance.now();
      const end = editor.document.lineAt(line).range.end;
      await editor.edit((edit) => edit.insert(end, applied === 0 ? " //" : "x"), {
        undoStopBefore: false,
        undoStopAfter: false,
      });
      applied++;
      taken.push(performance.now() - begun);
    }
    figures["typing: until the last is applied (ms)"] = performance.now() - from;
    // Includes debounced work.
    await pause(2_000);
  });
  figures["typing: edits applied of 100"] = applied;
  recordPercentiles("typing, an edit", taken);
  figures["typing: busy for an edit (ms)"] = Number(figures["typing: busy (ms)"]) / applied;
}

async function unknownKey(): Promise<void> {
  const editor = await show(taskOptions.shortFile);
  const { document } = editor;
  const taken: number[] = [];
  let seen = 0;
  for (let round = 0; round < 5; round++) {
    const line = document.lineCount - 1;
    const key = `area0.section0.no_key_of_ours_${round}`;
    const text = `const other${round} = t("${key}");\n`;
    // Some look while the edit is applied, and hold it up: their time is in it.
    const from = performance.now();
    await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text));
    // Some say the key in their words, others do not; TypeScript has nothing to say of the key itself.
    const start = text.indexOf(key) - 1;
    const is = (): boolean =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ range }) => range.start.line === line && range.start.character >= start);
    const told = await waitUntil(20, is);
    if (told !== null) seen++;
    taken.push(performance.now() - from);
    await pause(500);
  }
  recordPercentiles("unknown key to its problem", taken);
  figures["unknown keys that became problems, of 5"] = seen;
}

/** Notes what the work did; at most as long as a task may take. `undefined`: it was cut. */
async function watchedInTime<Result>(
  name: string,
  work: () => Thenable<Result>,
): Promise<Result | undefined> {
  return measure(name, () => {
    const late = pause((taskOptions.limit - 20) * 1000).then(() => {
      figures[`${name}: cut`] = 1;
      return undefined;
    });
    return Promise.race([Promise.resolve(work()), late]);
  });
}

async function usageReport(): Promise<void> {
  const { usageReport: command } = taskOptions;
  if (command === undefined) return;
  const made = await watchedInTime("usage report", () =>
    vscode.commands.executeCommand(command.id, command.options),
  );
  const { used } = (made ?? {}) as { used?: unknown };
  if (typeof used === "number") figures["usage report: keys used"] = used;
  if (figures["usage report: cut"] === undefined) await memory("after the usage report");
}

/** One key when nothing has gone through the code yet, then another. Nothing of the edits is applied. */
async function rename(): Promise<void> {
  const { document } = await show(taskOptions.shortFile);
  const places = uses(document);
  for (const [name, at] of [
    ["rename", 2],
    ["rename of another key", 3],
  ] as const) {
    const place = places[at] as vscode.Position;
    const word = document.getText(document.getWordRangeAtPosition(place, /area[\w.]+/));
    const edit = await watchedInTime(name, () =>
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        document.uri,
        place,
        `${word}_anew`,
      ),
    );
    if (figures[`${name}: cut`] !== undefined) return;
    figures[`${name}: files in its edit`] = edit?.entries().length ?? 0;
  }
}
