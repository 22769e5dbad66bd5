/** Commands on local files, renames in the files, and what is selected for a language model, one after the other. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pullCommand, pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setLocalCommand } from "../../../src/commands/declarations/text-commands.ts";
import { isFormerName, pendingRenames } from "../../../src/database/personal/pending-rename-repository.ts";
import {
  importSections,
  importTitle,
  localTranslationsId,
} from "../../../src/features/import/import-rows.ts";
import {
  suggestionSections,
  withSuggestions,
} from "../../../src/features/apply-suggestions/apply-suggestions-command.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import {
  watchRenames,
  type RequestedRenames,
} from "../../../src/features/rename/rename-at-service-command.ts";
import { registerSetLocal } from "../../../src/features/set-local-text/set-local-text-command.ts";
import { selectKeys } from "../../../src/features/translate/prepare-texts.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { changedEntries, localOnlyEntries } from "../../../src/sync/count-pending-changes.ts";
import { PreviewSelection } from "../../../src/vscode/ui/preview/preview-selection.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, DUTCH, ENGLISH, openShop, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { answerNextInput } from "../support/vscode-stub.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([registerPull, registerSetLocal]));
});
afterEach(() => shop.close());

describe("a local text", () => {
  const set = (key: string, value: string, locale?: string) =>
    commands.run(
      setLocalCommand,
      locale === undefined ? { ...cart(key), value } : { ...cart(key), value, locale },
    );

  test("is set in the source language, or in the one that is named, and only there", async () => {
    expect(await set("title", "Our cart")).toMatchObject({ outcome: "done", file: ENGLISH, created: false });
    expect(await shop.read(ENGLISH)).toContain("'title' => 'Our cart'");
    expect(await shop.read(DUTCH)).toContain("Je mandje");
    expect(await set("title", "Ons mandje", "nl")).toMatchObject({ outcome: "done", file: DUTCH });
    expect(await shop.read(DUTCH)).toContain("'Ons mandje', // aligned by hand");
    expect(await shop.read(ENGLISH)).toContain("'title' => 'Our cart'");
  });

  test("is not written over one that changed in the file while it was typed, and kept for the next try", async () => {
    answerNextInput(async (input) => {
      await shop.write(ENGLISH, (await shop.read(ENGLISH)).replace("Your cart", "Their cart"));
      input.value = "My cart";
      input.accept();
    });
    expect(await commands.ask(setLocalCommand, cart("title"))).toMatchObject({ outcome: "failed" });
    expect(await shop.read(ENGLISH)).toContain("'Their cart'");
    answerNextInput((input) => {
      expect(input.value).toBe("My cart");
      input.accept();
    });
    expect(await commands.ask(setLocalCommand, cart("title"))).toMatchObject({ outcome: "done" });
    expect(await shop.read(ENGLISH)).toContain("'My cart'");
  });

  test("is not written over one that was added to the file while it was typed", async () => {
    answerNextInput(async (input) => {
      await shop.edit(ENGLISH, "    'title'", "    'brand_new' => 'Theirs',\n    'title'");
      input.value = "Mine";
      input.accept();
    });
    expect(await commands.ask(setLocalCommand, cart("brand_new"))).toMatchObject({ outcome: "failed" });
    expect(await shop.read(ENGLISH)).toContain("'brand_new' => 'Theirs'");
  });

  test("that was typed and not written is kept for its language only", async () => {
    answerNextInput(async (input) => {
      await shop.write(ENGLISH, (await shop.read(ENGLISH)).replace("Your cart", "Their cart"));
      input.value = "My cart";
      input.accept();
    });
    expect(await commands.ask(setLocalCommand, cart("title"))).toMatchObject({ outcome: "failed" });
    answerNextInput((input) => {
      expect(input.value).toBe("Je mandje");
      input.hide();
    });
    expect(await commands.ask(setLocalCommand, { ...cart("title"), locale: "nl" })).toMatchObject({
      outcome: "cancelled",
    });
  });

  test("is not written again if it is the same, and is added if the file has none", async () => {
    const before = await shop.modified(ENGLISH);
    expect(await set("title", "Your cart")).toMatchObject({ outcome: "unchanged", file: ENGLISH });
    expect(await shop.modified(ENGLISH)).toBe(before);
    expect(await set("brand_new", "New")).toMatchObject({ outcome: "done", file: ENGLISH, created: true });
    expect(await set("brand_new", "New")).toMatchObject({ outcome: "unchanged" });
  });

  test("uses what is on disk, not what was read before", async () => {
    await window.local.load();
    await shop.edit(ENGLISH, "'Your cart'", "'Their cart'");
    expect(await set("title", "Your cart")).toMatchObject({ outcome: "done" });
    expect(await shop.read(ENGLISH)).toContain("'Your cart'");
  });

  test("that its file cannot have is refused, and the file stays as it is", async () => {
    const before = await shop.read(ENGLISH);
    expect(await set("title.short", "Cart")).toMatchObject({ outcome: "failed" });
    expect(await shop.read(ENGLISH)).toBe(before);
    expect(await set("title", "Our cart")).toMatchObject({ outcome: "done" });
  });

  test("is typed below the source text, unless it is that", async () => {
    const prompts: string[] = [];
    for (const locale of ["nl", "en"]) {
      answerNextInput((input) => {
        prompts.push(input.prompt);
        input.hide();
      });
      await commands.ask(setLocalCommand, { ...cart("title"), locale });
    }
    expect(prompts).toEqual(["Source: Your cart", ""]);
  });

  test("of several plural forms is typed form by form, also of a key that only the file has", async () => {
    await shop.edit(ENGLISH, "    'title'", "    'days' => ':count item|:count items',\n    'title'");
    for (const key of ["items", "days"]) {
      for (const [form, before, typed] of [
        ["one", ":count item", ":count thing"],
        ["other", ":count items", ":count things"],
      ] as const)
        answerNextInput((input) => {
          expect([input.title, input.value]).toEqual([`en · cart.${key} · ${form}`, before]);
          input.value = typed;
          input.accept();
        });
      expect(await commands.ask(setLocalCommand, cart(key))).toMatchObject({ outcome: "done" });
      expect(await shop.read(ENGLISH)).toContain(`'${key}' => ':count thing|:count things'`);
    }
  });

  test("needs a key and a text without a prompt", async () => {
    expect(await commands.run(setLocalCommand, {})).toMatchObject({ outcome: "failed" });
    expect(await commands.run(setLocalCommand, cart("title"))).toMatchObject({ outcome: "failed" });
  });
});

describe("a rename in the files", () => {
  let requested: RequestedRenames;
  beforeEach(() => {
    requested = watchRenames(commands.app);
  });
  const pending = async () =>
    pendingRenames(window.project, await window.local.reload()).map(
      ({ from, to }) => `${from.key} ${to.key}`,
    );
  const record = async (): Promise<void> => {
    await window.local.reload();
    await requested.record(commands.open);
  };

  test("is recorded once the files have the new name, and not before", async () => {
    requested.expect(commands.open, cart("title"), cart("heading"));
    await record();
    expect(await pending()).toEqual([]);
    await shop.edit(ENGLISH, "'title'", "'heading'");
    await record();
    expect(await pending()).toEqual(["title heading"]);
    // Undone and redone, as another branch does, it is not lost.
    await shop.edit(ENGLISH, "'heading'", "'title'");
    expect(await pending()).toEqual([]);
    await shop.edit(ENGLISH, "'title'", "'heading'");
    expect(await pending()).toEqual(["title heading"]);
  });

  test("is not recorded while the old name is still in the file", async () => {
    requested.expect(commands.open, cart("title"), cart("heading"));
    await shop.edit(ENGLISH, "'title' => 'Your cart'", "'title' => 'Your cart', 'heading' => 'Your cart'");
    await record();
    expect(await pending()).toEqual([]);
    await shop.edit(ENGLISH, "'title' => 'Your cart', ", "");
    await record();
    expect(await pending()).toEqual(["title heading"]);
  });

  test("that was given up in the preview is replaced by a later one of the same key", async () => {
    requested.expect(commands.open, cart("title"), cart("first"));
    requested.expect(commands.open, cart("title"), cart("second"));
    await shop.edit(ENGLISH, "'title'", "'second'");
    await record();
    expect(await pending()).toEqual(["title second"]);
    // The earlier request must not be recorded by an entry that is made later.
    await shop.edit(ENGLISH, "'second' => 'Your cart'", "'second' => 'Your cart', 'first' => 'Another'");
    await record();
    expect(await pending()).toEqual(["title second"]);
  });

  test("twice is one rename, of which Activity knows", async () => {
    requested.expect(commands.open, cart("title"), cart("heading"));
    await shop.edit(ENGLISH, "'title'", "'heading'");
    await record();
    requested.expect(commands.open, cart("heading"), cart("caption"));
    await shop.edit(ENGLISH, "'heading'", "'caption'");
    await record();
    expect(await pending()).toEqual(["title caption"]);
    expect(window.project.activity.renames.map(({ to }) => to.key)).toEqual(["caption"]);
  });

  test("of a key that only another language has is recorded, too", async () => {
    const isRecorded = () => isFormerName(window.project, cart("more"), cart("extra"));
    requested.expect(commands.open, cart("extra"), cart("more"));
    await record();
    expect(isRecorded()).toBe(false);
    await shop.edit(DUTCH, "'extra'", "'more'");
    await record();
    expect(isRecorded()).toBe(true);
  });

  test("of two keys waits for each of them", async () => {
    requested.expect(commands.open, cart("title"), cart("heading"));
    requested.expect(commands.open, cart("total"), cart("sum"));
    await shop.edit(ENGLISH, "'total'", "'sum'");
    await record();
    expect(await pending()).toEqual(["total sum"]);
    await shop.edit(ENGLISH, "'title'", "'heading'");
    await record();
    expect((await pending()).toSorted()).toEqual(["title heading", "total sum"]);
  });
});

describe("for a language model", () => {
  const selected = async (...options: readonly [names?: readonly string[], missingOnly?: boolean]) => {
    const [names, missingOnly = false] = options;
    const { keys, refused } = await selectKeys(commands.open, "nl", names?.map(cart), missingOnly);
    return {
      keys: keys.map(({ key }) => key).toSorted(),
      refused: refused.map(({ key, reason }) => `${key}: ${reason}`),
    };
  };
  const draft = (key: string, origin: "person" | "machine") =>
    window.project.drafts.put([
      {
        locale: "nl",
        hash: keyHash(cart(key)),
        text: { value: "draft" },
        base: null,
        baseVersion: null,
        origin,
        model: null,
        source: null,
      },
    ]);

  beforeEach(async () => {
    await window.refresher.ensureLocale("nl", { priority: "person" });
    await translate(window, { title: "Je mandje" });
  });

  test("all missing keys are selected, except those with a draft", async () => {
    expect((await selected()).keys).toEqual(["Log out", "Save & close", "items", "total", "voucher.label"]);
    draft("total", "person");
    draft("items", "machine");
    expect((await selected()).keys).toEqual(["Log out", "Save & close", "voucher.label"]);
  });

  test("an outdated translation is missing, and an up-to-date one is not", async () => {
    await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
    await commands.run(pushCommand, {});
    await window.refresher.refresh({ priority: "person" });
    await window.refresher.ensureLocale("nl", { priority: "person" });
    expect((await selected()).keys).toContain("title");
    expect((await selected(["title"], true)).keys).toEqual(["title"]);
  });

  test("keys that are named are selected also if they are translated, but never over what was typed", async () => {
    draft("total", "person");
    draft("items", "machine");
    const { keys, refused } = await selected(["title", "total", "items", "nothing"]);
    expect(keys).toEqual(["items", "title"]);
    expect(refused).toEqual([
      "total: What you typed there is not saved yet.",
      "nothing: The service does not know the key.",
    ]);
  });

  test("of keys that are named only missing ones without a draft are selected if that is asked for", async () => {
    draft("items", "machine");
    expect(await selected(["title", "total", "items", "nothing"], true)).toEqual({
      keys: ["total"],
      refused: [],
    });
  });
});

describe("the preview of an import", () => {
  test("has the new translations of each language and each changed one, all checked", async () => {
    await translate(window, { title: "Je mandje" });
    await commands.run(pullCommand, { profile: "app" });
    await shop.edit(DUTCH, "Je mandje", "Mijn mandje");
    await shop.edit(DUTCH, "];", "    'voucher' => [\n        'label' => 'Vouchercode',\n    ],\n];");
    const local = await window.local.reload();
    const added = await localOnlyEntries(window.project, local, "nl");
    const changed = await changedEntries(window.project, local, "nl");
    const found = [
      { kind: "new" as const, locale: "nl", entries: added },
      ...changed.map((each) => ({ kind: "changed" as const, ...each })),
    ];
    expect([added.length, changed.length]).toEqual([2, 1]);
    const sections = importSections(commands.open, found);
    const selection = new PreviewSelection(localTranslationsId, sections);
    expect(selection.checked).toEqual(found);
    const inFrench = changed.map((each) => ({
      kind: "changed" as const,
      ...each,
      entry: { ...each.entry, locale: "fr" },
    }));
    const ids = [...found, ...inFrench].map(localTranslationsId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(sections.map(({ heading }) => heading)).toEqual([
      "Not on the service: 2",
      "Changed only in your files: 1",
    ]);
    expect(sections[0]?.rows).toMatchObject([
      { label: "Nederlands (nl)", description: "2 translations", detail: DUTCH },
    ]);
    expect(sections[1]?.rows[0]).toMatchObject({
      label: "cart.title",
      description: `nl · ${DUTCH}`,
      detail: "Je mandje → Mijn mandje",
    });
    expect(importTitle(found)).toMatch(/not on the service, 1 translation changed in your files$/u);
    expect(importTitle(found)).toContain(String(added.length));
    expect(importTitle(found.slice(0, 1))).not.toContain("changed in your files");
    // And then a language is left out.
    const rows = sections.flatMap((section) => section.rows);
    selection.toggle(rows, new Set(rows.slice(1)));
    expect(selection.checked).toEqual(found.slice(1));
    expect(importTitle(selection.checked)).toBe("1 translation changed in your files");
    expect(importTitle([])).toBe("Import local translations: nothing selected");
  });
});

test("the preview of suggestions shows each text before and after, by language, all checked", () => {
  const row = {
    hash: "1",
    text: { value: ":amont" },
    isTranslated: true,
    isOutdated: false,
    issues: [],
    version: 1,
    updatedAt: null,
  };
  const issue = {
    ...cart("total"),
    hash: "1",
    rule: "unexpected",
    level: "error",
    placeholder: ":amont",
    form: "",
    row,
  };
  const corrected = (locale: string) => ({
    issue: { ...issue, locale, suggestion: ":amount" },
    text: { value: ":amount" },
  });
  const sections = suggestionSections(SPELLING, [corrected("nl"), corrected("fr")]);
  expect(sections.map(({ heading }) => heading)).toEqual(["nl", "fr"]);
  expect(sections[0]?.rows).toMatchObject([
    { label: "cart.total", detail: ":amont → :amount", isChecked: true },
  ]);
});

test("suggestions of several plural forms are all applied, of one form the last, and other forms stay", () => {
  const before = { forms: { one: ":cont ding", few: "stay", other: ":cont dingen" } };
  const issue = (form: string, suggestion: string) =>
    ({ ...cart("items"), form, suggestion }) as unknown as Parameters<typeof withSuggestions>[1][number];
  const issues = [issue("one", ":count ding"), issue("other", "first"), issue("other", ":count dingen")];
  expect(withSuggestions(before, issues)).toEqual({
    forms: { one: ":count ding", few: "stay", other: ":count dingen" },
  });
});
