/** What the files and the service agree on after local translations were sent, and what a pull makes of it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { textFingerprint } from "../../../../src/model/agreed-text.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { runImport } from "../../../../src/sync/import/send-import.ts";
import { storeAgreedTranslations } from "../../../../src/sync/import/store-agreed-translations.ts";
import { leftTextsOf, planPull, type PullPlan } from "../../../../src/sync/pull/pull-plan.ts";
import { writePull } from "../../../../src/sync/pull/write-pull.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import {
  FIXTURE_PROJECT_FILE,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import { realClock } from "../../support/node-platform.ts";
import type { TestWindow } from "../../support/test-window.ts";
import { contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";

/** A language that the window does not keep up to date. */
const FRENCH = "lang/fr/cart.php";

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await window.refresher.refresh();
  const { items } = await planPush(window, await sourceKeys(window));
  await sendPush(window, items, []);
  expect(window.project.isComplete("fr")).toBe(false);
});
afterEach(() => shop.close());

const cart = (key: string) => ({ namespace: "cart", key, context: null });

async function translate(texts: Readonly<Record<string, Text>>): Promise<void> {
  const edits = Object.entries(texts).map(([key, text]) => ({ name: cart(key), text }));
  await setTranslations(window, "fr", edits, "overwrite");
}

async function pull(): Promise<PullPlan> {
  await window.local.reload();
  const locationOptions = {
    file: { ...FIXTURE_PROJECT_FILE, pull: { into: "." } },
    entries: FIXTURE_PROJECT_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl", "fr"]),
  };
  const request = { profile: "app", locales: ["fr"], missing: undefined };
  const outcome = await planPull({ ...window, locationOptions }, request, { ignoreEtag: true });
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  await writePull({ ...window, locationOptions }, outcome.plan);
  return outcome.plan;
}

async function edit(before: string, after: string): Promise<void> {
  const text = await shop.read(FRENCH);
  expect(text).toContain(before);
  await shop.write(FRENCH, text.replace(before, after));
}

const left = (plan: PullPlan): string[] =>
  leftTextsOf(plan).map(({ locale, name, reason }) => `${locale} ${name.key} ${reason}`);

test("stores what the service has now, not what an import skipped", async () => {
  await shop.write(
    FRENCH,
    "<?php return ['title' => 'Ton panier', 'total' => 'Somme : :amount', 'unheard' => 'Inconnu'];\n",
  );
  await translate({ total: { value: "Total : :amount" } });
  const local = await window.local.reload();
  const entries = [...local.entries("fr").values()];
  expect(entries).toHaveLength(3);
  const file = { path: FRENCH, bytes: new TextEncoder().encode(await shop.read(FRENCH)) };
  const fields = { overwrite: false, createUnknownKeys: false };
  const imported = await runImport({ ...window, clock: realClock() }, [file], fields);
  expect(imported).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
  await storeAgreedTranslations(window, "fr", entries);
  const { agreedTexts } = window.project;
  expect(agreedTexts.get("fr", keyHash(cart("title")))).toBe(textFingerprint({ value: "Ton panier" }));
  expect(agreedTexts.get("fr", keyHash(cart("total")))).toBeUndefined();
  expect(agreedTexts.get("fr", keyHash(cart("unheard")))).toBeUndefined();

  await edit("Ton panier", "Mon panier");
  await translate({ title: { value: "Le panier" } });
  expect(left(await pull())).toEqual(["fr title conflict"]);
  expect(await shop.read(FRENCH)).toContain("Mon panier");

  // And then the file's is sent, of a language that is read already.
  const { client } = await shop.open("two");
  const hash = keyHash(cart("title"));
  await client.writeTranslations("fr", [{ ...cart("title"), hash, value: "Mon panier" }], "overwrite");
  await storeAgreedTranslations(window, "fr", [...(await window.local.reload()).entries("fr").values()]);
  expect(agreedTexts.get("fr", hash)).toBe(textFingerprint({ value: "Mon panier" }));
});

test("a pull compares three sides in a language that is not kept up to date", async () => {
  await translate({ title: { value: "Ton panier" }, total: { value: "Total : :amount" } });
  expect((await pull()).files).toMatchObject([{ path: FRENCH, change: "created" }]);

  await edit("Ton panier", "Mon panier");
  await translate({ total: { value: "Somme : :amount" } });
  expect(left(await pull())).toEqual(["fr title file"]);
  expect(await shop.read(FRENCH)).toContain("Somme : :amount");

  await translate({ title: { value: "Le panier" } });
  expect(left(await pull())).toEqual(["fr title conflict"]);
  expect(await shop.read(FRENCH)).toContain("Mon panier");

  await edit("Mon panier", "Le panier");
  expect(left(await pull())).toEqual([]);
  await translate({ title: { value: "Un panier" } });
  expect(left(await pull())).toEqual([]);
  expect(await shop.read(FRENCH)).toContain("Un panier");
  expect(window.project.isComplete("fr")).toBe(false);
});

test("stores nothing after another project was signed in to meanwhile", async () => {
  await shop.write(FRENCH, "<?php return ['title' => 'Ton panier'];\n");
  await translate({ title: { value: "Ton panier" } });
  let signInElsewhere = (): void => undefined;
  const other = await shop.open("two", {
    intercept: async (request, forward) => {
      const answer = await forward();
      if (request === "GET /stats") signInElsewhere();
      return answer;
    },
  });
  await other.refresher.refresh();
  await other.refresher.ensureLocale("fr");
  const local = await other.local.reload();
  signInElsewhere = () => {
    other.project.syncMetadata.content = contentOfProject("another");
  };
  await storeAgreedTranslations(other, "fr", [...local.entries("fr").values()]);
  const agreed = ({ project }: TestWindow) => project.agreedTexts.get("fr", keyHash(cart("title")));
  expect(agreed(other)).toBeUndefined();
  await storeAgreedTranslations(window, "fr", [...local.entries("fr").values()]);
  expect(agreed(window)).toBe(textFingerprint({ value: "Ton panier" }));
});
