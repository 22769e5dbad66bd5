/** The remaining keys are only shown while no change is known. */
import { expect, test } from "vitest";
import { ApiError } from "../../../../src/api/errors.ts";
import { KeyLimit } from "../../../../src/sync/push/key-limit.ts";

const full = new ApiError("key_limit_reached", "full", { limit: 10, used: 10, requested: 2 });

function learned() {
  let now = 0;
  const limit = new KeyLimit({ monotonic: () => now });
  limit.recordError(full, 4);
  return { limit, wait: (minutes: number) => (now += minutes * 60_000) };
}

test("reads the remaining capacity from a refusal only", () => {
  const { limit } = learned();
  expect(limit.capacity(4)).toMatchObject({ limit: 10, free: 0 });
  limit.recordError(new ApiError("busy", "busy"), 4);
  expect(limit.capacity(4)).toMatchObject({ limit: 10, free: 0 });
  limit.recordError(new ApiError("key_limit_reached", "full", { limit: 10, used: 7, requested: 5 }), 4);
  expect(limit.capacity(4)).toMatchObject({ limit: 10, free: 3 });
  limit.recordError(new ApiError("key_limit_reached", "full", { limit: 10, used: 12, requested: 5 }), 4);
  expect(limit.capacity(4)).toMatchObject({ limit: 10, free: 0 });
});

test.each([{}, { used: 7, requested: 5 }, { limit: 10, requested: 5 }])(
  "reads no capacity from a refusal with only %j",
  (numbers) => {
    const limit = new KeyLimit({ monotonic: () => 0 });
    limit.recordError(new ApiError("key_limit_reached", "full", numbers), 4);
    expect(limit.capacity(4)).toBeNull();
  },
);

test("expires with another content version, time or an own push", () => {
  const changed = learned().limit;
  expect(changed.capacity(5)).toBeNull();
  expect(changed.capacity(4)).toBeNull();
  const old = learned();
  old.wait(10);
  expect(old.limit.capacity(4)).not.toBeNull();
  old.wait(0.01);
  expect(old.limit.capacity(4)).toBeNull();
  const pushed = learned().limit;
  pushed.forget();
  expect(pushed.capacity(4)).toBeNull();
});
