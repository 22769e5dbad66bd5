/** Work that runs once after a burst of calls. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { debounce } from "../../../src/util/debounce.ts";

describe("debounced work", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

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
