/** Update Key as a user answers it: what was typed is kept for its field and its key until it is written. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { registerUpdateKey, updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextInput, messages, pickInNextList } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let refuse: Awaited<ReturnType<typeof openShop>>["refuse"];
beforeEach(async () => {
  ({ shop, window, commands, refuse } = await openShop([registerUpdateKey]));
});
afterEach(() => shop.close());

/** What the box of the last update started from. */
let before: string;

/** Changes a field; `null`: the box is dismissed. */
function update(field: string, typed: string | null, key = "title") {
  pickInNextList(field);
  answerNextInput((box) => {
    before = box.value;
    if (typed === null) box.hide();
    else {
      box.value = typed;
      box.accept();
    }
  });
  return commands.ask(updateKeyCommand, cart(key));
}

const atService = async () => {
  const { data } = await window.client.keys({ namespace: "cart" });
  const { description, maxLength, tags } = data.find(({ key }) => key === "title") ?? {};
  return { description, maxLength, tags };
};

test("what could not be written is offered for the same field of the same key only", async () => {
  refuse("PATCH");
  expect(await update("Description", "Above the list")).toMatchObject({ outcome: "failed" });
  expect(await update("Tags", null)).toEqual({ outcome: "cancelled" });
  expect(before).toBe("");
  expect(await update("Description", null, "total")).toEqual({ outcome: "cancelled" });
  expect(before).toBe("");
  expect(await update("Description", null)).toEqual({ outcome: "cancelled" });
  expect(messages.at(-1)?.text).toBe("What you typed for cart.title is kept: the next edit starts from it.");
  refuse(null);
  expect(await update("Description", "Above the items")).toMatchObject({ outcome: "done" });
  expect(before).toBe("Above the list");
  expect(await atService()).toMatchObject({ description: "Above the items", tags: [] });
  // Once it was written, the next edit starts from what the service has.
  await update("Description", null);
  expect(before).toBe("Above the items");
});

test("changes one field, and leaves the others", async () => {
  for (const [field, value] of [
    ["Description", "The heading."],
    ["Tags", ""],
    ["Maximum Length", ""],
  ] as const) {
    await update(field, null);
    expect([field, before]).toEqual([field, value]);
  }
  await update("Description", "Heading");
  await update("Tags", " web, app ,, web");
  await update("Maximum Length", "20");
  pickInNextList((items, { title }) => {
    expect([title, items.map(({ label, detail }) => `${label}: ${detail}`)]).toEqual([
      "cart.title",
      [
        "$(note) Description: Heading",
        "$(symbol-ruler) Maximum Length: 20 characters",
        "$(tag) Tags: app, web",
      ],
    ]);
    return undefined;
  });
  expect(await commands.ask(updateKeyCommand, cart("title"))).toEqual({ outcome: "cancelled" });
  expect(await atService()).toEqual({ description: "Heading", maxLength: 20, tags: ["app", "web"] });
  expect(await update("Maximum Length", "20")).toMatchObject({ outcome: "unchanged" });
  expect(before).toBe("20");
  await update("Tags", "app");
  await update("Maximum Length", "");
  expect(await atService()).toEqual({ description: "Heading", maxLength: null, tags: ["app"] });
  expect(await update("Description", "  ")).toMatchObject({ key: { description: null } });
});

test("what is given without a prompt is written, and nothing else", async () => {
  const run = (key: string, options: object) => commands.run(updateKeyCommand, { ...cart(key), ...options });
  const given = { description: "Above", maxLength: 20, tags: ["app", "web"] };
  expect(await run("title", given)).toMatchObject({ outcome: "done", key: given });
  expect(await run("title", { tags: ["web", "app"] })).toMatchObject({ outcome: "unchanged" });
  expect(await run("title", { description: "Above" })).toMatchObject({ outcome: "unchanged" });
  expect(await run("title", { tags: ["web", "shop"] })).toMatchObject({ outcome: "done" });
  expect(await run("title", { tags: ["web"] })).toMatchObject({ outcome: "done" });
  expect(await run("title", { tags: ["web", "app"] })).toMatchObject({ outcome: "done" });
  expect(await run("title", { maxLength: null })).toMatchObject({ outcome: "done" });
  const after = { description: "Above", maxLength: null, tags: ["app", "web"] };
  expect(await atService()).toEqual(after);
  for (const malformed of [{ description: "half \ud83d" }, { tags: ["web", "half \ud83d"] }, {}])
    expect(await run("title", malformed)).toMatchObject({ error: { code: "invalid" } });
  expect(await run("nothing", { description: "x" })).toMatchObject({ error: { code: "not_found" } });
  expect(await commands.ask(updateKeyCommand, cart("nothing"))).toMatchObject({
    error: { code: "not_found" },
  });
  expect(await atService()).toEqual(after);
});

test("accepts only a maximum length that the service allows", async () => {
  for (const typed of ["0", "-1", "1.5", "32769", "many"]) {
    pickInNextList("Maximum Length");
    let message: unknown;
    answerNextInput((box) => {
      box.value = typed;
      box.accept();
      message = box.validationMessage;
      box.hide();
    });
    expect(await commands.ask(updateKeyCommand, cart("title"))).toEqual({ outcome: "cancelled" });
    expect([typed, message]).toEqual([typed, "Type a whole number from 1 to 32,768."]);
  }
  expect(await update("Maximum Length", "32768")).toMatchObject({ outcome: "done" });
});
