/** The log: no token is in it, and no text begins a line of its own. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { type LogChannel, openLog } from "../../../src/vscode/log.ts";
import { logged, window } from "../support/vscode-stub.ts";

let log: LogChannel;
beforeEach(() => {
  logged.length = 0;
  log = openLog();
});
afterEach(() => log.dispose());

test("a token is not written once it is known, wherever it stands, nor is one behind “Bearer”", () => {
  log.info("before: secret-token-1");
  log.redact("secret-token-1");
  log.redact("second-token-2");
  log.info("secret-token-1, secret-token-1 and second-token-2");
  log.warn("authorization: Bearer unknown-token; bearer other, and then");
  log.error("It failed", new Error("refused secret-token-1", { cause: new Error("second-token-2") }));
  expect(logged.slice(0, 3)).toEqual([
    "info: before: secret-token-1",
    "info: [token], [token] and [token]",
    "warn: authorization: Bearer [token]; bearer [token], and then",
  ]);
  expect(logged[3]).toContain("refused [token]");
  expect(logged[3]).not.toMatch(/secret-token-1|second-token-2/u);
  log.warn("warned of second-token-2");
  log.error("failed with secret-token-1");
  // Nor in what the diagnosis has of it, which is pasted elsewhere.
  expect(log.recent).toHaveLength(4);
  expect(log.recent.join("\n")).not.toMatch(/secret-token-1|second-token-2|unknown-token|other,/u);
});

test("a short text is not taken for a token, since it occurs by chance", () => {
  log.redact("1234567");
  log.redact("12345678");
  log.info("1234567 and 12345678");
  expect(logged).toEqual(["info: 1234567 and [token]"]);
});

test("lines of a text are indented, and it has no invisible characters", () => {
  log.info("first\r\nsecond\u2028third\u202E");
  expect(logged).toEqual(["info: first\n    second\n    third[U+202E]"]);
});

test("an error is written with what the service said, and all causes", () => {
  const cause = new ApiError("invalid", "refused", {
    status: 422,
    reason: "length",
    serviceMessage: "too long",
  });
  log.error("The push failed", new AggregateError([new Error("one"), new Error("two")], "both", { cause }));
  log.error("No error", "a text");
  log.error("Nothing more");
  expect(logged[0]).toMatch(/^error: The push failed\n {4}AggregateError: both/u);
  for (const part of ["Error: one", "Error: two", "because: ", '"status":422,"reason":"length"', "too long"])
    expect(logged[0]).toContain(part);
  expect(logged.slice(1)).toEqual(["error: No error\n    a text", "error: Nothing more"]);
});

test("the latest twenty warnings and errors are kept for the diagnosis, the newest first, a line each", () => {
  log.info("not kept");
  log.warn("first");
  log.error("second", new Error("broken\nstack"));
  expect(log.recent.map((line) => line.replace(/^\S+Z /u, ""))).toEqual(["second: Error: broken", "first"]);
  for (let number = 0; number < 20; number++) log.warn(`${number}`);
  expect(log.recent.map((line) => line.replace(/^\S+Z /u, ""))).toEqual(
    Array.from({ length: 20 }, (_, number) => String(19 - number)),
  );
});

test("what only helps to find a fault has no tokens either, and the log does not take the focus", () => {
  const channel = { debug: vi.fn(), show: vi.fn(), dispose: vi.fn() };
  vi.spyOn(window, "createOutputChannel").mockReturnValueOnce(channel as never);
  const own = openLog();
  own.redact("secret-token-1");
  own.debug("sent secret-token-1");
  own.show();
  own.dispose();
  expect([channel.debug, channel.show, channel.dispose].map(({ mock }) => mock.calls)).toEqual([
    [["sent [token]"]],
    [[true]],
    [[]],
  ]);
});
