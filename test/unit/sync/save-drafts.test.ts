/** Drafts are written by the rules of every write, and are no drafts any more once they are. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { TranslationDrafts, type TranslationDraft } from "../../../src/database/translation-drafts.ts";
import { keyHash } from "../../../src/model/key-identity.ts";
import { setTranslation } from "../../../src/sync/edit.ts";
import { planPush, sendPush } from "../../../src/sync/push.ts";
import { saveDrafts } from "../../../src/sync/save-drafts.ts";
import { openShop, sourceKeys, type Shop } from "../support/shop.ts";
import type { TestWindow } from "../support/window.ts";

let shop: Shop;
let window: TestWindow;
let drafts: TranslationDrafts;
const TITLE = { namespace: "cart", key: "title", context: null };
const TOTAL = { namespace: "cart", key: "total", context: null };

beforeEach(async () => {
  shop = await openShop();
  window = await shop.open();
  await window.refresher.refresh();
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  await window.refresher.refresh();
  drafts = new TranslationDrafts(window.project.database);
});
afterEach(() => shop.close());

const draft = (
  name: typeof TITLE,
  value: string,
  changes: Partial<TranslationDraft> = {},
): TranslationDraft => ({
  locale: "nl",
  hash: keyHash(window.sha1, name),
  text: { value },
  base: null,
  baseVersion: null,
  origin: "machine",
  model: "demo",
  ...changes,
});

async function save(all: readonly TranslationDraft[]) {
  drafts.put(all);
  return saveDrafts({ ...window, drafts }, all);
}

async function textOf(locale: string, name: typeof TITLE): Promise<string | null> {
  await window.refresher.ensureLocale(locale);
  await window.refresher.refresh({ priority: "person" });
  const text = window.project.translation(locale, keyHash(window.sha1, name))?.text ?? null;
  return text !== null && "value" in text ? text.value : null;
}

test("an empty translation is filled, in every language", async () => {
  const all = [draft(TITLE, "Je mandje"), draft(TITLE, "Votre panier", { locale: "fr" })];
  expect(await save(all)).toEqual({ written: 2, skipped: [], failure: null });
  expect(drafts.count()).toBe(0);
  expect(await textOf("nl", TITLE)).toBe("Je mandje");
  expect(await textOf("fr", TITLE)).toBe("Votre panier");
});

test("what somebody filled in between stays, and so does the draft", async () => {
  await setTranslation(window, "nl", { name: TITLE, text: { value: "Van een collega" } });
  const { written, skipped, failure } = await save([
    draft(TITLE, "Je mandje"),
    draft(TOTAL, "Totaal: :amount"),
  ]);
  expect({ written, failure }).toEqual({ written: 1, failure: null });
  expect(skipped).toEqual([{ ...TITLE, locale: "nl", reason: expect.any(String) as string }]);
  expect(drafts.page(9).map(({ text }) => text)).toEqual([{ value: "Je mandje" }]);
  expect(await textOf("nl", TITLE)).toBe("Van een collega");
});

test("a translation is replaced only as it was when the draft was made", async () => {
  const first = await setTranslation(window, "nl", { name: TITLE, text: { value: "Eerst" } });
  if (first.kind !== "done") throw new Error(first.kind);
  const changes = { base: { value: "Eerst" }, baseVersion: first.row.version };
  const made = draft(TITLE, "Je mandje", changes);
  expect(await save([made])).toMatchObject({ written: 1, skipped: [] });
  expect(await textOf("nl", TITLE)).toBe("Je mandje");
  expect(await save([draft(TITLE, "Te laat", changes)])).toMatchObject({
    written: 0,
    skipped: [{ key: "title" }],
  });
  expect(await textOf("nl", TITLE)).toBe("Je mandje");
});

test("a draft of a key that is gone is told and not sent", async () => {
  const gone = draft({ ...TITLE, key: "gone" }, "Weg");
  expect(await save([gone, draft(TITLE, "Je mandje")])).toEqual({
    written: 1,
    skipped: [{ namespace: "", key: gone.hash, context: null, locale: "nl", reason: "unknown_key" }],
    failure: null,
  });
});

test("drafts stay where nothing could be sent", async () => {
  const all = [draft(TITLE, "Je mandje"), draft(TITLE, "Votre panier", { locale: "fr" })];
  drafts.put(all);
  const ended = AbortSignal.abort(new Error("ended"));
  const result = await saveDrafts({ ...window, drafts }, all, { signal: ended });
  expect(result).toMatchObject({ written: 0, failure: { left: 2 } });
  expect(drafts.count()).toBe(2);
});
