/** A pull against a real local service: only what changed is written, and only whole. */
import { zipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyHash } from "../../../../src/core/identity.ts";
import { localeMap } from "../../../../src/core/locale-names.ts";
import { planPull, writePull, type PullNeeds } from "../../../../src/core/pull.ts";
import { planPush, sendPush } from "../../../../src/core/push.ts";
import { setTranslations } from "../../../../src/core/edit.ts";
import { openShop, SHOP_FILE, sourceKeys, type Shop } from "../../support/shop.ts";
import type { TestWindow } from "../../support/window.ts";

let shop: Shop;
let window: TestWindow;
beforeEach(async () => {
  shop = await openShop();
  window = await shop.open();
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  await sendPush(window, plan.items, []);
  const cart = (key: string) => ({ namespace: "cart", key, context: null });
  await setTranslations(
    window,
    "nl",
    [
      { name: cart("title"), text: { value: "Je winkelmandje" } },
      { name: cart("total"), text: { value: "Totaal: :amount" } },
      { name: cart("items"), text: { forms: { one: ":count artikel", other: ":count artikelen" } } },
    ],
    "overwrite",
  );
  await window.refresher.refresh();
});
afterEach(() => shop.close());

const needs = (layout: "keep" | "service" = "keep"): PullNeeds => ({
  ...window,
  place: {
    file: { ...SHOP_FILE, pull: { layout } },
    entries: SHOP_FILE.files ?? [],
    locales: new Set(["en", "nl", "fr"]),
    localeMap: localeMap({}, ["en", "nl", "fr"], ["en", "nl"]),
    asked: ["nl"],
  },
});
const REQUEST = { profile: "app", locales: ["nl"], missing: undefined };

test("changed values are put in, everything else keeps its bytes; then nothing is new", async () => {
  const outcome = await planPull(needs(), REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  expect(outcome.plan.problems).toEqual([]);
  expect(outcome.plan.files.map(({ path, change, texts }) => ({ path, change, texts }))).toEqual([
    { path: "lang/nl/cart.php", change: "updated", texts: 2 },
  ]);
  expect(await writePull(needs(), outcome.plan)).toEqual({ kind: "written" });
  expect(await shop.read("lang/nl/cart.php")).toBe(`<?php

return [
    'title'  => 'Je winkelmandje', // aligned by hand
    'total'  => "Totaal: :amount",
    'extra'  => 'Alleen hier',
    'items'  => ':count artikel|:count artikelen',
];
`);
  const time = await shop.modified("lang/nl/cart.php");
  window.taken();
  expect(await planPull(needs(), REQUEST)).toEqual({ kind: "unchanged" });
  expect(window.taken()).toHaveLength(1);
  expect(await shop.modified("lang/nl/cart.php")).toBe(time);
});

test("a file that is equal in content is not touched, though the service writes it otherwise", async () => {
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  await window.store.remove("pulled");
  const second = await planPull(needs(), REQUEST);
  if (second.kind !== "planned") throw new Error(second.kind);
  expect(second.plan.files.map((file) => file.change)).toEqual(["unchanged"]);
});

test("a file that changed after it was planned is not run over, and no other is written", async () => {
  const outcome = await planPull(needs(), { ...REQUEST, locales: ["nl", "en"] });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await shop.write("lang/nl/cart.php", "<?php return ['title' => 'Iemand anders'];");
  expect(await writePull(needs(), outcome.plan)).toEqual({ kind: "changed", paths: ["lang/nl/cart.php"] });
  expect(await shop.read("lang/nl/cart.php")).toContain("Iemand anders");
  expect(await planPull(needs(), { ...REQUEST, locales: ["nl", "en"] })).toMatchObject({ kind: "planned" });
});

test("a deleted file comes back, though the service says that nothing is new", async () => {
  const first = await planPull(needs(), REQUEST);
  if (first.kind !== "planned") throw new Error(first.kind);
  await writePull(needs(), first.plan);
  const { rm } = await import("node:fs/promises");
  await rm(`${shop.folder}/app/lang/nl/cart.php`);
  const second = await planPull(needs(), REQUEST);
  expect(second).toMatchObject({ kind: "planned", plan: { files: [{ change: "created" }] } });
});

test("the service's own bytes where the project file wants them", async () => {
  const outcome = await planPull(needs("service"), REQUEST);
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  await writePull(needs(), outcome.plan);
  expect(await shop.read("lang/nl/cart.php")).not.toContain("aligned by hand");
});

test.each([
  ["climbs", { "lang/../../nl/cart.php": "" }],
  ["is absolute", { "/etc/passwd": "" }],
  ["has a drive", { "C:/x.php": "" }],
  ["differs in case only", { "lang/nl/a.php": "", "lang/nl/A.php": "" }],
])("an archive whose path %s is refused whole", async (_, entries: Record<string, string>) => {
  const bytes = zipSync(
    Object.fromEntries(Object.entries(entries).map(([path]) => [path, new Uint8Array([1])])),
  );
  const hostile: PullNeeds = {
    ...needs(),
    client: {
      ...window.client,
      export: async () => ({
        kind: "file",
        bytes,
        etag: '"x"',
        fileName: "x.zip",
        mediaType: "application/zip",
      }),
    },
  };
  expect(await planPull(hostile, REQUEST)).toMatchObject({ kind: "unsafe" });
});

test("hashes of pulled keys are those of the pushed ones", async () => {
  const hash = keyHash(window.sha1, { namespace: "cart", key: "voucher.label" });
  expect(window.project.keys.has(hash)).toBe(true);
});
