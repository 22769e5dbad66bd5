/** A push while somebody changes the source language: it says why it waits, begins again, and counts what was sent once. */
import { afterEach, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { openShop, sourceTexts } from "../support/open-shop.ts";

let shop: FixtureProject;
afterEach(() => shop.close());

test("is shown in Activity, and then sends everything", async () => {
  let refusals = 1;
  const opened = await openShop([], {
    isPushed: false,
    intercept: (request, forward) => {
      if (!request.startsWith("POST /keys/sync") || refusals-- <= 0) return forward();
      const body = { message: "Wait.", reason: "source_language_change" };
      return Promise.resolve(Response.json(body, { status: 409 }));
    },
  });
  ({ shop } = opened);
  const shown = vi.spyOn(opened.window.project, "setActivity");
  expect(await opened.commands.run(pushCommand, {})).toMatchObject({
    outcome: "done",
    result: { created: 6 },
  });
  const waits = shown.mock.calls.flatMap(([{ waiting }]) =>
    waiting === undefined ? [] : [waiting?.kind ?? null],
  );
  expect(waits).toEqual(["busy", null]);
  expect(Object.keys(await sourceTexts(opened.window))).toContain("title");
});
