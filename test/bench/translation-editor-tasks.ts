/** The task of the translation editor's bench: opens it and an empty panel in turns, then works in its page. */
import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import { onPage } from "../host/harness/bridge-client.ts";
import {
  figures,
  memory,
  taskOptions,
  pause,
  waitUntilIdle,
  recordPercentiles,
  threadTime,
  measure,
} from "./vscode-task-measurements.ts";

const ROUNDS = 5;

const taken = async (): Promise<readonly string[]> =>
  (await (await fetch(`${taskOptions.service?.baseUrl}/requests`)).json()) as string[];

const openEditor = async (): Promise<void> => {
  const options = { confirm: false, locales: taskOptions.locales.slice(1) };
  const result = await vscode.commands.executeCommand<{ outcome: string }>(
    "projectTranslations.openEditor",
    options,
  );
  if (result.outcome !== "done") throw new Error(JSON.stringify(result));
};

/** Has the texts of all languages read, as somebody did who had the editor open before. */
export async function readAll(): Promise<void> {
  await openEditor();
  for (let quiet = 0; quiet < 5;) {
    await pause(1_000);
    quiet = (await taken()).length === 0 ? quiet + 1 : 0;
  }
  await waitUntilIdle();
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}

/** Everything that is measured of the translation editor. */
export async function grid(): Promise<void> {
  await waitUntilIdle();
  await memory("before");
  const pageBefore = await pageMemory();
  const empty: number[] = [];
  const ours: number[] = [];
  let requests = 0;
  await openEmpty(() => typing("keystroke in an empty panel", false));
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await openEmpty());
    await taken();
    const from = performance.now();
    await measure(round === 0 ? "first opening" : "opening", openEditor);
    ours.push(performance.now() - from);
    await pause(1_000);
    // The clock asks for the project's state by itself.
    requests = Math.max(requests, (await taken()).length);
    if (round < ROUNDS - 1) await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  }
  recordPercentiles("empty panel", empty);
  recordPercentiles("rows", ours);
  const more = ours.map((each, round) => each - (empty[round] ?? 0));
  figures["rows at the first opening, more than an empty panel (ms)"] = more[0] ?? null;
  recordPercentiles("rows, more than an empty panel", more.slice(1));
  figures["requests of an opening"] = requests;
  await waitUntilIdle();
  await memory("with the editor");
  await work("scrolled until painted", "wheel", 300);
  await work("a page further until painted", "page", 60);
  await work("far away until painted", "far", 30);
  await work("filter", "filter", 100);
  await work("search", "search", 100);
  await typing("keystroke in a cell", true);
  await waitUntilIdle();
  await memory("at the end");
  const pageAfter = await pageMemory();
  const host = (name: string): number => Number(figures[`memory ${name}: rss (MB)`]);
  figures["memory of the page, more (MB)"] = pageAfter - pageBefore;
  figures["memory of the extension host, more (MB)"] = host("with the editor") - host("before");
  figures["memory of host and page, more (MB)"] =
    host("with the editor") - host("before") + pageAfter - pageBefore;
  const seen = await onPage((page) =>
    page
      .frameLocator("iframe.webview")
      .frameLocator("#active-frame")
      .locator("body")
      .evaluate((body) => {
        const { bench } = body.ownerDocument.defaultView as unknown as {
          bench: { longest: number; elements: number };
        };
        return { longest: bench.longest, elements: bench.elements };
      }),
  );
  figures["longest message (KB)"] = seen.longest / 1024;
  figures["elements, at most"] = seen.elements;
}

/** Returns the milliseconds until a panel with only a text box is painted. `work` runs in it then. */
async function openEmpty(work?: () => Promise<void>): Promise<number> {
  const from = performance.now();
  const panel = vscode.window.createWebviewPanel("bench.empty", "Empty", vscode.ViewColumn.One, {
    enableScripts: true,
  });
  const painted = new Promise<void>((resolve) => panel.webview.onDidReceiveMessage(() => resolve()));
  panel.webview.html = `<!doctype html><html><body><textarea></textarea><script>
    const vscode = acquireVsCodeApi();
    requestAnimationFrame(() => vscode.postMessage("painted"));
  </script></body></html>`;
  await painted;
  const took = performance.now() - from;
  await work?.();
  panel.dispose();
  await pause(500);
  return took;
}

/** The heap of the window's page and of all that is in it, after a collection. MB. */
async function pageMemory(): Promise<number> {
  return onPage(async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize / 2 ** 20;
  });
}

type Kind = "wheel" | "page" | "far" | "filter" | "search";

/** Repeats an action in the page and measures each until the visible rows are painted. */
async function work(name: string, kind: Kind, count: number): Promise<void> {
  const own = threadTime();
  const taken = await onPage(
    (page, asked: { readonly kind: Kind; readonly count: number }) =>
      page
        .frameLocator("iframe.webview")
        .frameLocator("#active-frame")
        .locator("body")
        .evaluate(async (body, { kind, count }) => {
          type Page = {
            bench?: { tables: number; longest: number; elements: number };
            addEventListener(name: string, listener: (event: { data: { type?: string } }) => void): void;
            requestAnimationFrame(work: () => void): void;
            performance: { now(): number };
            KeyboardEvent: new (type: string, init: object) => Event;
            MessageChannel: new () => {
              port1: { onmessage: (() => void) | null };
              port2: { postMessage(data: unknown): void };
            };
          };
          const page = body.ownerDocument.defaultView as unknown as Page;
          if (page.bench === undefined) {
            const bench = (page.bench = { tables: 0, longest: 0, elements: 0 });
            page.addEventListener("message", ({ data }) => {
              bench.longest = Math.max(bench.longest, new TextEncoder().encode(JSON.stringify(data)).length);
              if (data.type === "table") bench.tables++;
            });
          }
          const bench = page.bench;
          const grid = body.querySelector("[role=grid]");
          const searchBox = body.querySelector("#search");
          if (grid === null || searchBox === null) throw new Error("the grid is not there");
          const frame = (): Promise<void> =>
            new Promise((resolve) => page.requestAnimationFrame(() => resolve()));
          const painted = (): Promise<void> =>
            new Promise((resolve) => {
              const { port1, port2 } = new page.MessageChannel();
              port1.onmessage = () => resolve();
              port2.postMessage(null);
            });
          const isDrawn = (): boolean => {
            // Rows follow each other without gaps, so that the first and the last one in view are enough.
            const { top, bottom } = grid.getBoundingClientRect();
            const drawn = [...grid.querySelectorAll("[role=rowheader]")].map((each) =>
              each.getBoundingClientRect(),
            );
            const isAt = (y: number): boolean => drawn.some((row) => row.top <= y && row.bottom > y);
            const end = Math.min(grid.scrollHeight - grid.scrollTop, bottom - top);
            return drawn.length === 0 || (isAt(top + 40) && isAt(top + end - 20));
          };
          const taken: number[] = [];
          const enter = (): Event => new page.KeyboardEvent("keydown", { key: "Enter", bubbles: true });
          const opener = body.querySelector(".opener");
          if (kind === "filter") {
            opener?.click();
            await frame();
          }
          const toggles = [...body.querySelectorAll("label.choice")].filter((label) =>
            ["Untranslated", "Unused"].includes(label.textContent ?? ""),
          );
          grid.scrollTop = 0;
          await frame();
          for (let at = 0; at < count; at++) {
            await frame();
            const from = page.performance.now();
            const { tables } = bench;
            if (kind === "wheel") grid.scrollTop += 120;
            else if (kind === "page") grid.scrollTop += grid.clientHeight;
            else if (kind === "far") grid.scrollTop = ((at * 7_919) % 20_000) * 30;
            else if (kind === "filter") toggles[at % 4 < 2 ? 0 : 1]?.click();
            else {
              searchBox.value =
                ["number 77", "basket", "is ready", "area3.section1", "nl: the order 1"][at % 5] ?? "";
              searchBox.dispatchEvent(enter());
            }
            const isAsked = kind === "filter" || kind === "search";
            for (let frames = 0; frames < 600; frames++) {
              await frame();
              if ((!isAsked || bench.tables > tables) && isDrawn()) break;
            }
            await painted();
            taken.push(page.performance.now() - from);
            bench.elements = Math.max(bench.elements, body.querySelectorAll("*").length);
          }
          if (kind === "search") {
            searchBox.value = "";
            searchBox.dispatchEvent(enter());
          }
          return taken;
        }, asked),
    { kind, count },
  );
  figures[`${name}: processor of the host's thread, each (ms)`] = (threadTime() - own) / count;
  recordPercentiles(name, taken);
}

/**
 * Types in a text box. For each key: the time until its frame is drawn, and the part of it in which the page's thread
 * handled the key and drew the frame. The rest is the wait for the next frame.
 */
async function typing(name: string, isCell: boolean): Promise<void> {
  const taken = await onPage(async (page, isCell: boolean) => {
    const frame = page.frameLocator("iframe.webview").frameLocator("#active-frame");
    const body = frame.locator("body");
    await body.evaluate((body) => {
      type Page = {
        keys: { work: number[]; painted: number[] };
        addEventListener(
          name: string,
          listener: (event: { timeStamp: number }) => void,
          isCapturing: boolean,
        ): void;
        performance: { now(): number };
        requestAnimationFrame(work: () => void): void;
        MessageChannel: new () => {
          port1: { onmessage: (() => void) | null };
          port2: { postMessage(data: unknown): void };
        };
      };
      const page = body.ownerDocument.defaultView as unknown as Page;
      page.keys = { work: [], painted: [] };
      const now = (): number => page.performance.now();
      let handled = 0;
      page.addEventListener(
        "keydown",
        ({ timeStamp }) => {
          const from = (handled = now());
          page.requestAnimationFrame(() => {
            const drawing = now();
            const handling = handled - from;
            const { port1, port2 } = new page.MessageChannel();
            // Runs after the frame.
            port1.onmessage = () => {
              page.keys.work.push(handling + now() - drawing);
              page.keys.painted.push(now() - timeStamp);
            };
            port2.postMessage(null);
          });
        },
        true,
      );
      // After the listeners of the text box.
      page.addEventListener("input", () => (handled = now()), false);
    });
    if (isCell) {
      await frame.locator("[role=gridcell]").nth(3).click();
      await page.keyboard.press("Enter");
    } else await frame.locator("textarea").click();
    await frame.locator("textarea:focus").waitFor();
    await body.evaluate((body) => {
      const { keys } = body.ownerDocument.defaultView as unknown as {
        keys: { work: number[]; painted: number[] };
      };
      keys.work.length = 0;
      keys.painted.length = 0;
    });
    await page.keyboard.type(
      "This text is typed at the pace of somebody who types as fast as can be, one more. ",
      {
        delay: 40,
      },
    );
    const taken = await body.evaluate(
      (body) =>
        (body.ownerDocument.defaultView as unknown as { keys: { work: number[]; painted: number[] } }).keys,
    );
    await page.keyboard.press("Escape");
    return taken;
  }, isCell);
  recordPercentiles(`${name} until painted`, taken.painted);
  recordPercentiles(`${name}: work of the page`, taken.work);
}
