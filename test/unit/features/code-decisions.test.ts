/** Which keys a rename, a quick fix or a rule applies to, and what is said of a key's languages. */
import { afterEach, describe, expect, test } from "vitest";
import { registerArchive } from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import { languageCounts, languageTexts } from "../../../src/features/code-lens/language-counts.ts";
import { groupOf, nameOfEntry } from "../../../src/features/diagnostics/quick-fix-decisions.ts";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { hasOneLineEnd, nearestName } from "../../../src/features/rename/rename-provider.ts";
import type { KeyName } from "../../../src/model/key-hash.ts";
import { ensureTranslations } from "../../../src/sync/refresh/ensure-translations.ts";
import { DUTCH, ENGLISH, hashOf, openShop, translate } from "../support/open-shop.ts";

const inNamespace = (namespace: string): KeyName => ({ namespace, key: "title", context: null });
const names = ["*", "shop", "cart"].map(inNamespace);
const known = (...namespaces: readonly string[]) => ({
  hasNamespace: (namespace: string) => namespaces.includes(namespace),
});

test("a renamed key stays in its namespace, or is in one that exists", () => {
  expect(nearestName(names, "cart", known("shop"))?.namespace).toBe("cart");
  expect(nearestName(names, "order", known("shop"))?.namespace).toBe("shop");
  expect(nearestName(names, "order", known())?.namespace).toBe("*");
  expect(nearestName([], "order", known())).toBeUndefined();
});

test("recognises mixed line endings, which VS Code would change", () => {
  expect(["a\r\nb\r\n", "a"].map(hasOneLineEnd)).toEqual([true, true]);
  expect(["a\r\nb\n", "a\nb\r\n", "a\rb\r\n"].map(hasOneLineEnd)).toEqual([false, false, false]);
});

test("a new entry is in a namespace that exists", () => {
  expect(nameOfEntry(names, known("cart"), false)?.namespace).toBe("cart");
  expect(nameOfEntry(names, known("*", "cart"), false)?.namespace).toBe("*");
  expect(nameOfEntry(names, known("*", "cart"), true)?.namespace).toBe("cart");
  expect(nameOfEntry(names, known(), true)?.namespace).toBe("*");
});

test("a rule for a group of keys holds for no other key", () => {
  const keys = ["cart.items.one", "cart:title", "title", ".hidden", ".hidden.one", "Save. Then close"];
  expect(keys.map(groupOf)).toEqual(["cart.items.*", "cart:*", undefined, undefined, ".hidden.*", undefined]);
});

test("a lens of several keys adds up their languages, and names those once that were not read", () => {
  const one = { translated: 1, outdated: 1, localOnly: 0, missing: 0, unread: 2, absence: null };
  const other = { translated: 2, outdated: 0, localOnly: 1, missing: 3, unread: 1, absence: null };
  expect(languageTexts([one, other])).toEqual([
    "3/8 translated",
    "1 outdated",
    "1 not on the service",
    "2 languages not read",
  ]);
  expect(languageTexts([{ ...other, localOnly: 0, unread: 0 }])).toEqual(["2/5 translated"]);
  // Why there is none is said where it is so of all of them.
  const none = { ...one, translated: 0, outdated: 0, missing: 2, unread: 0, absence: "archived" };
  expect(languageTexts([none, none])).toEqual(["0/4 translated", "archived"]);
  expect(languageTexts([none, { ...none, absence: "not pushed" }])).toEqual(["0/4 translated"]);
});

describe("a code lens", () => {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((shop) => shop.close())));

  test("counts no translation on the service of a key that was not pushed, or is archived", async () => {
    const { shop, window, commands } = await openShop([registerArchive], { isPushed: false });
    opened.push(shop);
    await window.local.loadTexts();
    const texts = () => languageTexts([languageCounts(commands.open, hashOf("title"))]);
    expect(texts()).toEqual(["0/2 translated", "not pushed"]);
    await commands.run(pushCommand, {});
    await translate(window, { title: "Je mandje" });
    for (const locale of ["nl", "fr"]) await ensureTranslations(window, locale);
    expect(texts()).toEqual(["1/2 translated"]);
    await commands.run(archiveCommand, { hashes: [hashOf("title")] });
    expect(texts()).toEqual(["0/2 translated", "archived"]);
  });

  test("counts an outdated translation apart from those that are up to date", async () => {
    const { shop, window, commands } = await openShop([]);
    opened.push(shop);
    await translate(window, { title: "Je mandje" });
    await window.local.loadTexts();
    const texts = () => languageTexts([languageCounts(commands.open, hashOf("title"))]);
    // Of a language that was not read yet the files say whether there is a translation.
    expect(texts()).toEqual(["1/1 translated", "1 language not read"]);
    for (const locale of ["nl", "fr"]) await ensureTranslations(window, locale);
    expect(texts()).toEqual(["1/2 translated"]);
    await shop.edit(ENGLISH, "Your cart", "Your basket");
    await commands.run(pushCommand, {});
    await window.refresher.refresh({ priority: "person" });
    for (const locale of ["nl", "fr"]) await ensureTranslations(window, locale);
    expect(texts()).toEqual(["0/2 translated", "1 outdated"]);
    // Where it is not known any more what the service has, a file counts, unless its text is empty.
    window.project.syncMetadata.clear(null);
    expect(texts()).toEqual(["1/1 translated", "1 language not read"]);
    await shop.edit(DUTCH, "'Je mandje'", "''");
    await window.local.reload();
    await window.local.loadTexts();
    window.project.syncMetadata.clear(null);
    expect(texts()).toEqual(["0/1 translated", "1 language not read"]);
  });
});
