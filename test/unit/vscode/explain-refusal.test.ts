/** What a refused request means: an archived project, or a token that may only read. */
import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { explainRefusal } from "../../../src/vscode/commands/explain-refusal.ts";
import { CommandError, KeptInputError } from "../../../src/commands/command-types.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";
import { createCommandRunner, rootOf } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";

let shop: FixtureProject | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

const WRITE = { keys: [{ hash: "0".repeat(40), sourceHash: "0".repeat(40) }] };

async function refused(
  changes: object,
  isReadOnly: boolean,
  wrap = (error: unknown): unknown => error,
): Promise<unknown> {
  shop = await openFixtureProject(changes as Record<string, unknown>);
  const token = isReadOnly ? shop.service.readToken : shop.service.token;
  const window = await shop.open("one", { token });
  const { open } = createCommandRunner(window, rootOf(shop), []);
  const error: unknown = await window.client.diff(WRITE.keys).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: "forbidden" });
  return explainRefusal(open, wrap(error));
}

test("says that the project is archived, and offers to sign out", async () => {
  const error = await refused({ archived: true }, false);
  expect(error).toBeInstanceOf(CommandError);
  expect(error).toMatchObject({
    code: "forbidden",
    message: "The project is archived: nothing can be read or changed until it is restored.",
    details: { status: 403, reason: "archived" },
  });
});

test("says that the token may only read, although it was believed to write", async () => {
  expect(await refused({}, true)).toMatchObject({
    code: "forbidden",
    message: "The token for Test is read-only. Sign in with a token that has write access.",
    details: { status: 403 },
  });
});

test("says so of a write whose text is kept, too", async () => {
  const retry = { label: "Try Again", act: () => undefined };
  const error = await refused({ archived: true }, false, (cause) => new KeptInputError(cause, retry));
  expect(error).toMatchObject({ retry, cause: { details: { reason: "archived" } } });
  expect(toFailure(error)).toMatchObject({
    code: "forbidden",
    message:
      "The project is archived: nothing can be read or changed until it is restored. What you typed is kept.",
  });
});

test("says what the service said if the token is revoked before it is asked why", async () => {
  const source = { isConnected: true, refusal: null };
  const refresh = async () => void (source.isConnected = false);
  const session = { kind: "signed-in", name: "Shop" };
  const open = { source, session, refresher: Promise.resolve({ refresh }) } as never;
  const error = new ApiError("forbidden", "not allowed");
  expect(await explainRefusal(open, error)).toBe(error);
  expect(source.isConnected).toBe(false);
});

test("shows at once that a token is not accepted any more, of which nothing more is to be said", async () => {
  const error = new ApiError("unauthorized", "revoked");
  let refreshes = 0;
  const refresh = async () => void (refreshes += 1);
  for (const isConnected of [true, false]) {
    const source = { isConnected, refusal: null };
    expect(await explainRefusal({ source, refresher: Promise.resolve({ refresh }) } as never, error)).toBe(
      error,
    );
    expect(refreshes).toBe(1);
  }
});

test("leaves other errors as they are", async () => {
  const other = new ApiError("busy", "busy");
  expect(await explainRefusal(undefined, other)).toBe(other);
});
