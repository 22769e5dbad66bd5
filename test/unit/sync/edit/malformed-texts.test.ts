/** Translations with half a surrogate pair, which strict JSON parsers refuse, against a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { setTranslation, setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import type { TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;

beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh();
});
afterEach(() => shop.close());

test("writes the other translations and names the one with half a surrogate pair", async () => {
  const [first, second] = await sourceKeys(window);
  if (first === undefined || second === undefined) throw new Error("no source keys");
  const edits = [
    { name: first.name, text: { value: "half \uD83D" }, version: null },
    { name: second.name, text: { value: "heel \u{1F600}" }, version: null },
  ];
  const result = await setTranslations(window, "nl", edits, "overwrite");
  expect(result).toMatchObject({
    written: 1,
    skipped: [{ name: first.name, reason: "malformed_text" }],
    failure: null,
  });
  await window.refresher.refresh();
  expect(window.project.translation("nl", keyHash(first.name))?.text ?? null).toBeNull();
  expect(window.project.translation("nl", keyHash(second.name))?.text).toEqual({ value: "heel \u{1F600}" });
});

test("sends no single translation with half a surrogate pair", async () => {
  const [first] = await sourceKeys(window);
  if (first === undefined) throw new Error("no source keys");
  const edit = { name: first.name, text: { value: "\uDE00 half" }, version: null };
  expect(await setTranslation(window, "nl", edit)).toMatchObject({
    kind: "skipped",
    reason: "malformed_text",
  });
});
