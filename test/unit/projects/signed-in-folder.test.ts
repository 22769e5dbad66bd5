/** A folder of a program with a token: what is the service's there, and not that of the files. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolder } from "../../../src/projects/open-folder.ts";
import { openFixtureProject, SHOP } from "../support/fixture-project.ts";

test("the source language and the keys are the service's, with and without a cache", async () => {
  const shop = await openFixtureProject({ ...SHOP, sourceLocale: "nl", languages: [{ locale: "en" }] });
  try {
    const { client } = await shop.open();
    await client.sync({ keys: [{ namespace: "cart", key: "theirs", value: "Van hen" }] });
    const cache = join(shop.folder, "cache");
    mkdirSync(cache);
    const { baseUrl, token } = shop.service;
    const connect = { accessTo: () => ({ token, baseUrl }), progress: { report: () => undefined } };
    for (const options of [{ connect }, { connect, cache }]) {
      const opened = await openFolder(join(shop.folder, "app"), options);
      const [open] = opened.projects;
      await open?.local.reload();
      const keys = Array.from(open?.project.keys.values() ?? [], ({ key }) => key);
      const texts = await open?.project.local.sourceEntries();
      expect([open?.local.sourceLocale, keys]).toEqual(["nl", ["theirs"]]);
      expect(texts?.map(({ name, text }) => [name.key, text])).toContainEqual([
        "title",
        { value: "Je mandje" },
      ]);
      await opened.close();
    }
  } finally {
    await shop.close();
  }
});
