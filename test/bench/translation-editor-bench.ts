/**
 * `npm run bench -- translation-editor [--keys 20000] [--no-build]`: measures the translation editor in a real VS Code, beside an
 * empty panel in the same window, with ten languages, signed in to the local service. Prints each figure with its goal.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { openBridge } from "../host/harness/bridge-server.ts";
import { openBrowser } from "../host/harness/browser.ts";
import { buildAll } from "../setup/build.ts";
import { exit, onExit } from "../setup/cleanup.ts";
import { cache, root } from "../setup/ensure.mjs";
import { OURS } from "./peer-adapter.ts";
import { bundleTasks, writeExtension, VscodeUser } from "./vscode-window.ts";
import { startService } from "./filled-service.ts";
import type { Figures } from "./vscode-task-options.ts";
import { LOCALES, LONG_FILE, SHORT_FILE, writeCode, writeTexts } from "./vue-workspace.ts";
import { KEYS_PER_NAMESPACE } from "./laravel-workspace.ts";

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: "string", default: "20000" },
    profile: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});

/** Figures that have one, and at most so much is wanted. */
const GOALS: Readonly<Record<string, number>> = {
  "rows at the first opening, more than an empty panel (ms)": 300,
  "rows, more than an empty panel: median (ms)": 300,
  "requests of an opening": 1,
  "scrolled until painted: 95th (ms)": 50,
  "filter: 95th (ms)": 100,
  "search: 95th (ms)": 100,
  "keystroke in a cell: work of the page: 95th (ms)": 16,
  "longest message (KB)": 200,
  "elements, at most": 3_000,
  "memory of the extension host, more (MB)": 60,
  "memory of host and page, more (MB)": 60,
  "page's script and styles, gzipped (KB)": 60,
};

const size = { keys: Number(options.keys), sourceFiles: Math.round(Number(options.keys) / 20) };
const folder = mkdtempSync(join(tmpdir(), "pt-bench-"));
onExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
if (!options["no-build"]) buildAll();
const results = join(cache, "bench");
mkdirSync(results, { recursive: true });
const workspace = join(folder, "bench");
await writeTexts(workspace, size);
leaveOut(join(workspace, "locales/pl.json"));
for (const [path, content] of Object.entries(OURS.files))
  writeFileSync(join(workspace, path), JSON.stringify(content, null, 2));
const undo: (() => Promise<void>)[] = [];
const service = await startService(results, { name: `${size.keys}`, locales: LOCALES, type: "other" }, undo);
const counted = await countRequests(service.baseUrl);
await writeExtension(join(folder, "extension"));
const browser = await openBrowser();
const bridge = await openBridge(join(root, "dist/service.mjs"));
const user = await VscodeUser.start({
  browser,
  folder: join(folder, "user"),
  extension: join(folder, "extension"),
  workspace,
  tasks: await bundleTasks(folder),
  settings: {},
  bridge,
});
undo.unshift(() => user.close());
onExit(async () => {
  for (const work of undo) await work();
  await browser.close();
  bridge.close();
});
const taskOptions = {
  limit: 900,
  shortFile: SHORT_FILE,
  longFile: LONG_FILE,
  locales: LOCALES,
  keysInArea: KEYS_PER_NAMESPACE,
  hasHovers: true,
  profile: options.profile ? join(results, "grid") : undefined,
  fill: service.isNew,
  service: { baseUrl: counted, token: service.token },
} as const;
const prepared = await user.open({ ...taskOptions, tasks: ["prepare", "readAll"] });
stopAt(prepared.figures, "prepare");
stopAt(prepared.figures, "readAll");
service.filled();
await writeCode(workspace, size);
const load = loadavg()[0] ?? 0;
const { figures } = await user.open({ ...taskOptions, tasks: ["firstHover", "grid"] });
figures["page's script and styles, gzipped (KB)"] = ["js", "css"]
  .map((end) => gzipSync(readFileSync(join(root, `dist/translation-editor.${end}`))).length / 1024)
  .reduce((sum, each) => sum + each, 0);
print(figures);
const file = join(results, `grid-${Date.now()}.json`);
writeFileSync(file, JSON.stringify({ size, load, figures }, null, 1));
console.log(
  `\nThe load of the machine when it began: ${load.toFixed(1)}, after it: ${loadavg()[0]?.toFixed(1)}.`,
);
console.log(`All figures: ${file}`);
stopAt(figures, "firstHover");
stopAt(figures, "grid");
await exit(0);

/** One in ten texts of a language is missing. */
function leaveOut(path: string): void {
  const tree = JSON.parse(readFileSync(path, "utf8")) as Record<
    string,
    Record<string, Record<string, string>>
  >;
  let count = 0;
  for (const area of Object.values(tree))
    for (const section of Object.values(area))
      for (const name of Object.keys(section)) if (count++ % 10 === 0) delete section[name];
  writeFileSync(path, `${JSON.stringify(tree, null, 2)}\n`);
}

/** A server before the service that says at `/requests` what was asked of it. Out: the address to sign in to. */
async function countRequests(baseUrl: string): Promise<string> {
  const target = new URL(baseUrl);
  const asked: string[] = [];
  const server = createServer((from, to) => {
    if (from.url?.endsWith("/requests")) {
      to.end(JSON.stringify(asked.splice(0)));
      return;
    }
    asked.push(`${from.method} ${from.url}`);
    const { method, headers, url } = from;
    const own = { ...headers, host: target.host };
    const passed = request(
      { host: target.hostname, port: target.port, path: url, method, headers: own },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    passed.once("error", () => to.destroy());
    from.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`;
}

function stopAt(said: Figures, task: string): void {
  const wrong = said[`${task}: went wrong`];
  if (wrong !== undefined) throw new Error(String(wrong));
}

function print(said: Figures): void {
  const width = Math.max(...Object.keys(said).map((name) => name.length));
  for (const [name, value] of Object.entries(said)) {
    const goal = GOALS[name];
    const shown = typeof value === "number" ? (Math.round(value * 10) / 10).toString() : String(value);
    const judged = goal === undefined ? "" : `  goal ${goal}: ${Number(value) <= goal ? "met" : "missed"}`;
    console.log(`${name.padEnd(width)}  ${shown.padStart(9)}${judged}`);
  }
}
