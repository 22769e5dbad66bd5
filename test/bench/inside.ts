/**
 * The inside of the bench: VS Code's extension host loads it as its test module. It does what a person does, whichever
 * extension is there, and writes what it took as one JSON object. It judges nothing.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as vscode from "vscode";
import { readOrders, type Measured, type Orders } from "./orders.ts";

/** What loader.cjs notes. */
interface Noted {
  readonly busyFrom: ReturnType<typeof performance.eventLoopUtilization>;
  readonly require: number;
  readonly activate: number;
  readonly activated: number | null;
  /** Of the processor, as far as the host's thread took it. */
  readonly processorFrom: number;
  readonly requireProcessor: number;
  readonly activateProcessor: number;
}

const figures: Measured = {};
const orders = readOrders();

/** Resolves when everything that was asked for is measured and written. */
export async function run(): Promise<void> {
  figures["test start (epoch ms)"] = Date.now();
  try {
    for (const task of orders.tasks) await tasks[task]();
  } catch (error) {
    figures["error"] = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  writeFileSync(orders.out, JSON.stringify(figures));
}

const tasks: Record<Orders["tasks"][number], () => Promise<void>> = {
  prepare,
  start,
  firstHover,
  hovers,
  completion,
  typing,
  unknownKey,
  usageReport,
  rename,
  memory,
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

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks again and again until it is so. Milliseconds that it took; `null`: not in `seconds`. */
async function until(seconds: number, is: () => Promise<boolean> | boolean): Promise<number | null> {
  const from = performance.now();
  while (performance.now() - from < seconds * 1000) {
    if (await is()) return performance.now() - from;
    await pause(10);
  }
  return null;
}

interface Usage {
  readonly user: number;
  readonly system: number;
}

/** Milliseconds of the processor that the host's own thread took; other processes' work does not lengthen them. */
const threadTime = (): number => {
  // Node 24 has it; the types are of the oldest Node that is supported.
  const { user, system } = (process as unknown as { threadCpuUsage(): Usage }).threadCpuUsage();
  return (user + system) / 1000;
};

/** What the host did meanwhile: its thread's busy time, all threads' time, and the longest that the thread was held. */
async function watched<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const profiler = orders.profile === undefined ? undefined : new Session();
  profiler?.connect();
  await profiler?.post("Profiler.enable");
  await profiler?.post("Profiler.setSamplingInterval", { interval: 500 });
  await profiler?.post("Profiler.start");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const busy = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  const own = threadTime();
  const from = performance.now();
  try {
    return await work();
  } finally {
    figures[`${name}: wall (ms)`] = performance.now() - from;
    figures[`${name}: busy (ms)`] = performance.eventLoopUtilization(busy).active;
    const { user, system } = process.cpuUsage(cpu);
    figures[`${name}: processor, all threads (ms)`] = (user + system) / 1000;
    figures[`${name}: processor, host's thread (ms)`] = threadTime() - own;
    delay.disable();
    figures[`${name}: longest block (ms)`] = Math.max(0, delay.max / 1e6 - 1);
    const profile = await profiler?.post("Profiler.stop");
    if (profile !== undefined)
      writeFileSync(
        `${orders.profile}-${name.replaceAll(" ", "-")}.cpuprofile`,
        JSON.stringify(profile.profile),
      );
    profiler?.disconnect();
  }
}

function spread(name: string, taken: readonly number[]): void {
  const sorted = taken.toSorted((a, b) => a - b);
  figures[`${name}: median (ms)`] = sorted[sorted.length >> 1] ?? null;
  figures[`${name}: 95th (ms)`] = sorted[Math.floor(sorted.length * 0.95)] ?? null;
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
  const { service } = orders;
  if (service === undefined) throw new Error("there is no service to sign in to");
  await ask("signIn", { baseUrl: service.baseUrl, token: service.token });
  if (orders.fill) {
    await ask("push", {});
    for (const locale of orders.locales.slice(1)) {
      const files = [vscode.Uri.joinPath(folder(), `locales/${locale}.json`)];
      await ask("import", { files, locale, format: "json_js", overwrite: true });
    }
  }
  await ask("refresh", {});
  // The cache is written behind the reading.
  await pause(3_000);
}

const uses = (document: vscode.TextDocument): vscode.Position[] =>
  [...document.getText().matchAll(/["'](area[\w.]+)["']/g)].map(({ index }) =>
    document.positionAt(index + 3),
  );

/** The text of a key holds its number, which no other thing in a hover does. */
function saysText(
  hovers: readonly vscode.Hover[],
  document: vscode.TextDocument,
  at: vscode.Position,
): boolean {
  const [, area, inside] = /area(\d+)\.\w+\.\w+_(\d+)/.exec(document.lineAt(at.line).text) ?? [];
  const number = Number(area) * orders.keysInArea + Number(inside);
  const words = hovers.flatMap(({ contents }) =>
    contents.map((part) => (typeof part === "string" ? part : part.value)),
  );
  return words.some((text) => text.replaceAll(/[\\]|&nbsp;/g, "").includes(`of number ${number} is ready`));
}

const hoverAt = (document: vscode.TextDocument, at: vscode.Position): Thenable<vscode.Hover[]> =>
  vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);

async function firstHover(): Promise<void> {
  const { document } = await show(orders.shortFile);
  const [place] = uses(document);
  if (place === undefined) throw new Error(`${orders.shortFile} has no uses`);
  await watched("to the first hover", async () => {
    if (orders.says) {
      const first = await until(120, async () => saysText(await hoverAt(document, place), document, place));
      if (first === null) throw new Error("no hover was right in two minutes");
    }
  });
  figures["first right hover (epoch ms)"] = Date.now();
}

async function start(): Promise<void> {
  await firstHover();
  const noted = (globalThis as { benchNoted?: Noted }).benchNoted;
  if (noted === undefined) return;
  figures["require (ms)"] = noted.require;
  figures["require: processor (ms)"] = noted.requireProcessor;
  figures["activate() (ms)"] = noted.activate;
  figures["activate(): processor (ms)"] = noted.activateProcessor;
  figures["activated (ms)"] = noted.activated;
  figures["from require to the first hover: busy (ms)"] = performance.eventLoopUtilization(
    noted.busyFrom,
  ).active;
  figures["from require to the first hover: processor, host's thread (ms)"] =
    threadTime() - noted.processorFrom;
  // What goes on behind the first hover is not to be found in what comes next.
  await watched("after the first hover, to rest", rest);
  await memory("after start");
}

/** Until the host did next to nothing for two seconds; at most two minutes. */
async function rest(): Promise<void> {
  for (let quiet = 0, at = 0; quiet < 4 && at < 240; at++) {
    const from = performance.eventLoopUtilization();
    await pause(500);
    quiet = performance.eventLoopUtilization(from).utilization < 0.04 ? quiet + 1 : 0;
  }
}

async function hovers(): Promise<void> {
  const { document } = await show(orders.shortFile);
  const places = uses(document);
  const taken: number[] = [];
  let right = 0;
  await watched("200 hovers", async () => {
    for (let at = 0; at < 200; at++) {
      const place = places[at % places.length] as vscode.Position;
      const from = performance.now();
      const found = await hoverAt(document, place);
      taken.push(performance.now() - from);
      if (saysText(found, document, place)) right++;
    }
  });
  spread("hover", taken);
  figures["hovers that are right"] = right;
}

async function completion(): Promise<void> {
  const editor = await show(orders.shortFile);
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
    spread(name, taken);
    figures[`${name}: keys offered`] = count;
    await editor.edit((edit) => edit.delete(document.lineAt(line).range));
  }
}

/** 100 characters, 50 ms apart, at the end of a line in the middle of the long file; cut after 40 seconds. */
async function typing(): Promise<void> {
  const editor = await show(orders.longFile);
  const line = 2_000;
  editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
  await pause(3_000);
  await rest();
  const taken: number[] = [];
  let applied = 0;
  await watched("typing", async () => {
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
    // What was put off until nobody types belongs to it.
    await pause(2_000);
  });
  figures["typing: edits applied of 100"] = applied;
  spread("typing, an edit", taken);
  figures["typing: busy for an edit (ms)"] = Number(figures["typing: busy (ms)"]) / applied;
}

async function unknownKey(): Promise<void> {
  const editor = await show(orders.shortFile);
  const { document } = editor;
  const taken: number[] = [];
  let seen = 0;
  for (let round = 0; round < 5; round++) {
    const line = document.lineCount - 1;
    const key = `area0.section0.no_key_of_ours_${round}`;
    const text = `const other${round} = t("${key}");\n`;
    await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), text));
    // Some say the key in their words, others do not; TypeScript has nothing to say of the key itself.
    const start = text.indexOf(key) - 1;
    const is = (): boolean =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ range }) => range.start.line === line && range.start.character >= start);
    const told = await until(20, is);
    if (told !== null) seen++;
    taken.push(told ?? 20_000);
    await pause(500);
  }
  spread("unknown key to its problem", taken);
  figures["unknown keys that became problems, of 5"] = seen;
}

/** At most three minutes. */
async function inTime<Result>(name: string, work: Thenable<Result>): Promise<Result | undefined> {
  const late = pause(180_000).then(() => {
    figures[`${name}: cut`] = 1;
    return undefined;
  });
  return Promise.race([Promise.resolve(work), late]);
}

async function usageReport(): Promise<void> {
  const { usageReport: command } = orders;
  if (command === undefined) return;
  await watched("usage report", async () => {
    const made = await inTime("usage report", vscode.commands.executeCommand(command.id, command.options));
    const { used } = (made ?? {}) as { used?: unknown };
    if (typeof used === "number") figures["usage report: keys used"] = used;
  });
}

async function rename(): Promise<void> {
  const { document } = await show(orders.shortFile);
  const [, , place] = uses(document);
  if (place === undefined) return;
  const word = document.getText(document.getWordRangeAtPosition(place, /area[\w.]+/));
  await watched("rename", async () => {
    const edit = await inTime(
      "rename",
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        "vscode.executeDocumentRenameProvider",
        document.uri,
        place,
        `${word}_anew`,
      ),
    );
    figures["rename: files in its edit"] = edit?.entries().length ?? 0;
  });
}

async function memory(when: unknown = "at the end"): Promise<void> {
  const name = typeof when === "string" ? when : "at the end";
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  await pause(1_000);
  figures[`memory ${name}, before a collection: rss (MB)`] = process.memoryUsage().rss / 2 ** 20;
  gc();
  await pause(500);
  gc();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  figures[`memory ${name}: rss (MB)`] = rss / 2 ** 20;
  figures[`memory ${name}: heap (MB)`] = heapUsed / 2 ** 20;
  figures[`memory ${name}: buffers (MB)`] = Math.max(external, arrayBuffers) / 2 ** 20;
}
