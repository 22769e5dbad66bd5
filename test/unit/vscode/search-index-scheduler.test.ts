/** When the search index of a project is updated. */
import { expect, test } from "vitest";
import { yieldNow } from "../../../src/util/event-loop.ts";
import { SearchIndexScheduler } from "../../../src/vscode/projects/search-index-scheduler.ts";

/** An index that is behind by a number of writes; each update ends when `end` is called. */
function openIndex() {
  const state = { behind: 0, updates: 0, shown: 0, errors: [] as unknown[] };
  let [end, fail] = [(): void => {}, (_error: Error): void => {}];
  const scheduler = new SearchIndexScheduler({
    isUpToDate: () => state.behind === 0,
    update: (signal) => {
      state.updates++;
      return new Promise<void>((resolve, reject) => {
        end = () => {
          state.behind--;
          resolve();
        };
        fail = reject;
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
    onUpdated: () => state.shown++,
    onError: (error) => state.errors.push(error),
  });
  const write = (): void => {
    state.behind++;
    scheduler.updateSoon();
  };
  const settle = async (settleUpdate: () => void): Promise<void> => {
    settleUpdate();
    await yieldNow();
  };
  return {
    state,
    scheduler,
    write,
    end: () => settle(() => end()),
    fail: (error: Error) => settle(() => fail(error)),
  };
}

test("updates the index after a write, one update at a time, until nothing is left", async () => {
  const { state, write, end } = openIndex();
  write();
  write();
  expect(state).toMatchObject({ updates: 1, shown: 0 });
  await end();
  expect(state).toMatchObject({ updates: 2, shown: 1 });
  await end();
  expect(state).toMatchObject({ behind: 0, updates: 2, shown: 2 });
});

test("waits while files are read, and updates the index once they were read", async () => {
  const { state, scheduler, write, end } = openIndex();
  scheduler.setReading(true);
  write();
  write();
  expect(state.updates).toBe(0);
  scheduler.setReading(false);
  expect(state.updates).toBe(1);
  await end();
  expect(state).toMatchObject({ updates: 2, shown: 1 });
});

test("begins no further update when reading began during one", async () => {
  const { state, scheduler, write, end } = openIndex();
  write();
  write();
  scheduler.setReading(true);
  await end();
  expect(state).toMatchObject({ behind: 1, updates: 1, shown: 1 });
});

test("reports a failure, and tries again after the next write", async () => {
  const { state, write, fail } = openIndex();
  write();
  await fail(new Error("disk"));
  expect(state).toMatchObject({ updates: 1, shown: 0, errors: [{ message: "disk" }] });
  write();
  expect(state.updates).toBe(2);
});

test("does nothing once the project is closed", async () => {
  const { state, scheduler, write } = openIndex();
  write();
  scheduler.dispose();
  await yieldNow();
  write();
  expect(state).toMatchObject({ updates: 1, shown: 0, errors: [] });
});
