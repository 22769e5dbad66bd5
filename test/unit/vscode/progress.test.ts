/** The progress of a command: when its notification is shown, what it says, and how it is cancelled. */
import { beforeEach, expect, test, vi } from "vitest";
import type { CommandRun } from "../../../src/commands/command-types.ts";
import { runWithProgress } from "../../../src/vscode/ui/input/progress.ts";
import { CancellationTokenSource, window } from "../support/vscode-stub.ts";

interface Shown {
  readonly title: string;
  readonly cancellable: boolean;
  readonly said: { readonly message: string; readonly increment: number }[];
  readonly cancel: () => void;
  isOpen: boolean;
}

/** The notifications that were shown. */
let shown: Shown[];
beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  vi.spyOn(window, "withProgress").mockImplementation((async (
    { title, cancellable }: { readonly title: string; readonly cancellable: boolean },
    work: (progress: object, token: object) => Promise<unknown>,
  ) => {
    const source = new CancellationTokenSource();
    const notice: Shown = { title, cancellable, said: [], cancel: () => source.cancel(), isOpen: true };
    shown.push(notice);
    await work({ report: (each: Shown["said"][number]) => notice.said.push(each) }, source.token);
    notice.isOpen = false;
  }) as never);
});

/** Runs a command until `end` is called. */
function start(quiet = false) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let run: CommandRun | undefined;
  const result = runWithProgress("Push", quiet, (given) => {
    run = given;
    return promise;
  });
  if (run === undefined) throw new Error("the work has begun");
  return { run, result, end: resolve, fail: reject };
}
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

test("is shown a second after the first report, says the latest one, and closes with the command", async () => {
  const { run, result, end } = start();
  await pass(5_000);
  run.report("Reading $(x) files…", 10);
  await pass(999);
  expect(shown).toEqual([]);
  run.report("Comparing…", 20);
  await pass(1);
  expect(shown).toMatchObject([{ title: "Push", isOpen: true }]);
  run.report("Sending…", 50);
  run.report("Sending more…");
  run.report("Back…", 40);
  run.report("Done", 100);
  expect(shown[0]?.said).toEqual([
    { message: "Comparing…", increment: 20 },
    { message: "Sending…", increment: 30 },
    { message: "Sending more…", increment: 0 },
    { message: "Back…", increment: 0 },
    { message: "Done", increment: 50 },
  ]);
  // Once, however often it is reported.
  await pass(5_000);
  expect(shown).toHaveLength(1);
  end("pushed");
  expect(await result).toBe("pushed");
  await pass(0);
  expect(shown).toMatchObject([{ isOpen: false }]);
});

test("is not shown for a command that ends within a second, nor for a quiet one", async () => {
  const fast = start();
  fast.run.report("Reading…");
  fast.end("");
  await fast.result;
  const quiet = start(true);
  quiet.run.report("Reading…");
  expect(quiet.run.quiet).toBe(true);
  await pass(5_000);
  quiet.end("");
  await quiet.result;
  expect(shown).toEqual([]);
});

test("is hidden while a person is asked, and then shown again a second after the next report", async () => {
  const { run, result, end } = start();
  run.report("Reading…");
  await pass(1_000);
  run.pause();
  await pass(60_000);
  expect(shown).toMatchObject([{ isOpen: false }]);
  run.report("Sending…", 10);
  await pass(999);
  expect(shown).toHaveLength(1);
  await pass(1);
  expect(shown[1]).toMatchObject({ isOpen: true, said: [{ message: "Sending…", increment: 10 }] });
  // How far it was says nothing of what comes after that.
  run.pause();
  run.report("Waiting…");
  await pass(1_000);
  expect(shown[2]).toMatchObject({ isOpen: true, said: [{ message: "Waiting…", increment: 0 }] });
  end("");
  await result;
});

test("that was not shown yet is not shown while a person is asked", async () => {
  const { run, result, end } = start();
  run.report("Reading…");
  await pass(500);
  run.pause();
  await pass(5_000);
  expect(shown).toEqual([]);
  end("");
  await result;
});

test("its button cancels the command, and a failure closes it, too", async () => {
  const { run, result, fail } = start();
  run.report("Reading…");
  await pass(1_000);
  expect(run.signal.aborted).toBe(false);
  shown[0]?.cancel();
  expect(run.signal.aborted).toBe(true);
  fail(run.signal.reason);
  await expect(result).rejects.toBe(run.signal.reason);
  await pass(0);
  expect(shown).toMatchObject([{ isOpen: false }]);
});

test("what goes on a second after it was cancelled is shown without the button, until it ends", async () => {
  const { run, result, end } = start();
  run.report("Sending…", 50);
  await pass(1_000);
  shown[0]?.cancel();
  run.report("Sending more…", 60);
  await pass(999);
  expect(shown).toMatchObject([{ cancellable: true, isOpen: false }]);
  await pass(1);
  run.report("Reading…", 70);
  const message = "Cancelled; waiting for what is under way";
  expect(shown.slice(1)).toMatchObject([
    { title: "Push", cancellable: false, isOpen: true, said: [{ message, increment: 0 }] },
  ]);
  end("");
  await result;
  await pass(5_000);
  expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

test("what ends within a second after it was cancelled is not shown again", async () => {
  const { run, result, end } = start();
  run.report("Sending…");
  await pass(1_000);
  shown[0]?.cancel();
  await pass(500);
  end("");
  await result;
  await pass(5_000);
  expect(shown).toMatchObject([{ isOpen: false }]);
});

test("texts cannot become icons", async () => {
  const { run, result, end } = start();
  run.report("$(sync) Reading");
  await pass(1_000);
  expect(shown[0]?.said[0]?.message).not.toContain("$(sync)");
  end("");
  await result;
});
