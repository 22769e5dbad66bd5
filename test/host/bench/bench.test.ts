/**
 * Measures the extension in a real VS Code at 50,000 keys: starting, hovers, and what typing costs. It prints figures
 * and judges none of them; beside each stands the same of a document that the extension has nothing to do with.
 */
import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { commands, Position, Range, Uri, window, workspace, type Hover, type TextDocument } from "vscode";
import { startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

const figures: string[] = [];

const note = (name: string, ours: number, floor: number): void => {
  figures.push(`${name}: ${ours.toFixed(1)} ms, without us ${floor.toFixed(1)} ms`);
};

const run = async (name: string, options: object): Promise<Record<string, unknown>> =>
  await commands.executeCommand<Record<string, unknown>>(`projectTranslations.${name}`, {
    confirm: false,
    ...options,
  });

const show = async (path: string): Promise<TextDocument> => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, path));
  await window.showTextDocument(document);
  return document;
};

/** Median and 95th of so many runs, in milliseconds. */
async function times(
  count: number,
  work: (at: number) => Promise<unknown>,
): Promise<{ median: number; p95: number }> {
  const taken: number[] = [];
  for (let at = 0; at < count; at++) {
    const start = performance.now();
    await work(at);
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return { median: taken[count >> 1] ?? 0, p95: taken[Math.floor(count * 0.95)] ?? 0 };
}

const hoverAt = (document: TextDocument, position: Position): Thenable<Hover[]> =>
  commands.executeCommand<Hover[]>("vscode.executeHoverProvider", document.uri, position);

/** Types 100 characters at the end of a line, 50 ms apart, and tells the longest the host was held meanwhile. */
async function typing(document: TextDocument): Promise<{ median: number; longest: number }> {
  const editor = await window.showTextDocument(document);
  let last = performance.now();
  let longest = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 2);
    last = now;
  }, 2);
  const { median } = await times(100, async () => {
    const next = new Promise((resolve) => setTimeout(resolve, 50));
    const end = document.lineAt(0).range.end;
    await editor.edit((edit) => edit.insert(end, "x"), { undoStopBefore: false, undoStopAfter: false });
    await next;
  });
  clearInterval(beat);
  return { median: median - 50, longest };
}

describe("measured in a window", function () {
  this.timeout(300_000);

  after(() => {
    for (const figure of figures) console.log(`figure: ${figure}`);
  });

  it("takes 50,000 keys", async () => {
    const { baseUrl, token } = await startService({
      project: {
        sourceLocale: "en",
        languages: [{ locale: "nl" }],
        keyLimit: 1_000_000,
        limits: { perToken: 1_000_000, perAddress: 1_000_000 },
      },
    });
    assert.equal((await run("signIn", { baseUrl, token }))["outcome"], "done");
    const pushed = await run("push", {});
    assert.equal(pushed["outcome"], "done", JSON.stringify(pushed));
    await run("refresh", {});
  });

  it("starts", async () => {
    await commands.executeCommand("perfview.show");
    const text = await waitFor("the times of starting", () => {
      const shown = window.visibleTextEditors.find((editor) => editor.document.uri.scheme === "perf");
      const line = shown?.document.getText().match(/^.*project-translations\.project-translations.*$/mu);
      return line?.[0];
    });
    figures.push(`start (VS Code's own words; load, activate, finish in ms): ${text.trim()}`);
  });

  it("shows hovers", async () => {
    const ours = await show("resources/views/dir0/page1.blade.php");
    const other = await show("package.json");
    const lines = ours.getText().split("\n");
    const places = lines.flatMap((line, at) => {
      const column = line.indexOf("area");
      return column < 0 ? [] : [new Position(at, column + 2)];
    });
    const first = await hoverAt(ours, places[0] ?? new Position(0, 0));
    assert.equal(first.length, 1);
    const floor = await times(200, async () => await hoverAt(other, new Position(0, 3)));
    const hovers = await times(200, async (at) =>
      hoverAt(ours, places[at % places.length] ?? new Position(0, 0)),
    );
    note("hover, median", hovers.median, floor.median);
    note("hover, 95th", hovers.p95, floor.p95);
  });

  it("is not felt in typing", async () => {
    const text = (await show("resources/js/dir0/thing3.ts")).getText().repeat(150);
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = Uri.joinPath(folder.uri, "resources/js/long.ts");
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const long = await workspace.openTextDocument(uri);
    // The same text outside of any project: what VS Code and TypeScript do by themselves.
    const plain = await workspace.openTextDocument({ language: "typescript", content: text });
    const floor = await typing(plain);
    const ours = await typing(long);
    note("typing in 5,000 lines, an edit", ours.median, floor.median);
    note("typing in 5,000 lines, longest block", ours.longest, floor.longest);
    assert.equal(long.getText(new Range(0, 0, 0, 1000)).endsWith("x".repeat(100)), true);
  });
});
