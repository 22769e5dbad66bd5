/** Work that runs once after a burst of calls. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Batch, debounce, DebouncedByName } from "../../../src/util/debounce.ts";

describe("debounced work", () => {
  beforeEach(() => void vi.useFakeTimers());

  it("runs once, after the last call", () => {
    const work = vi.fn();
    const run = debounce(work, 100);
    run();
    vi.advanceTimersByTime(60);
    run();
    vi.advanceTimersByTime(60);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(40);
    expect(work).toHaveBeenCalledOnce();
    run();
    vi.advanceTimersByTime(100);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("does not run after it was disposed of", () => {
    const work = vi.fn();
    const run = debounce(work, 100);
    run();
    run.dispose();
    vi.advanceTimersByTime(200);
    expect(work).not.toHaveBeenCalled();
  });
});

describe("work debounced by name", () => {
  beforeEach(() => void vi.useFakeTimers());

  it("runs the latest work of each name, after its own delay", () => {
    const ran: string[] = [];
    const debounced = new DebouncedByName(100);
    debounced.schedule("a", () => ran.push("a1"));
    vi.advanceTimersByTime(60);
    debounced.schedule("a", () => ran.push("a2"));
    debounced.schedule("b", () => ran.push("b"));
    vi.advanceTimersByTime(60);
    debounced.schedule("b", () => ran.push("b2"));
    vi.advanceTimersByTime(40);
    expect(ran).toEqual(["a2"]);
    vi.advanceTimersByTime(200);
    expect(ran).toEqual(["a2", "b2"]);
    debounced.schedule("a", () => ran.push("a3"));
    debounced.dispose();
    vi.advanceTimersByTime(200);
    expect(ran).toEqual(["a2", "b2"]);
  });
});

describe("a batch", () => {
  beforeEach(() => void vi.useFakeTimers());

  it("hands all items on, a delay after the first", () => {
    const batches: (readonly number[])[] = [];
    const batch = new Batch<number>((items) => batches.push(items), 100);
    for (const item of [1, 2, 3]) {
      batch.add(item);
      vi.advanceTimersByTime(60);
    }
    expect(batches).toEqual([[1, 2]]);
    vi.advanceTimersByTime(100);
    expect(batches).toEqual([[1, 2], [3]]);
    batch.add(4);
    batch.dispose();
    vi.advanceTimersByTime(200);
    expect(batches).toHaveLength(2);
  });
});
