/** The details, the toolbar, its menus and dialogs as they are drawn, and what a person does in them. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  at,
  button,
  cell,
  change,
  click,
  drawPage,
  element,
  fire,
  focused,
  page,
  press,
  showAgain,
  texts,
  type,
} from "./drawn-page.ts";
import { hashOf, settle } from "./editor-peer.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { PageElement } from "./page-document.ts";

beforeEach(() => drawPage("en", "nl", "fr"));

describe("the details", () => {
  const shown = (selector: string): readonly string[] => texts(`.details ${selector}`);
  const labels = () => shown("button");
  const stage = () => page.argsOf("stage").at(-1)?.[0];
  /** Opens a cell with these details. */
  async function open(details: object, states: readonly string[] = [], row: object = {}): Promise<void> {
    await showAgain((more) => {
      Object.assign(more.details, details);
      Object.assign(more.cell, { states });
      Object.assign(more.row, row);
    });
    await waitUntil(() => {
      const known = page.state.details.value as Readonly<Record<string, unknown>> | null;
      return (
        known !== null &&
        Object.entries(details).every(
          ([name, value]) => JSON.stringify(known[name]) === JSON.stringify(value),
        )
      );
    });
    await settle();
  }
  const edit = (text: string) => [
    { locale: "nl", hash: hashOf(0), before: { value: "text" }, text: { value: text } },
  ];

  it("say what is to know of the key, and go to where it is used", async () => {
    const row = {
      namespace: "cart",
      context: "menu",
      tags: ["app", "web"],
      description: "On top",
      usageCount: 1,
    };
    await open({ source: { forms: { one: "item", other: "" } }, usedIn: "src/a.ts:3" }, [], row);
    expect([shown("strong"), shown(".tag"), shown(".about > div")]).toMatchObject([
      ["cart.key 0"],
      ["app", "web"],
      expect.arrayContaining(["On top", "Source text"]) as string[],
    ]);
    expect(shown("#source-text .text")).toEqual(["oneitem", "other"]);
    expect(shown(".about .quiet").join(" ")).toContain("used once");
    await click(element(".details button", "src/a.ts:3"));
    expect(page.argsOf("showUsage")).toEqual([[hashOf(0)]]);
    await open(
      { usedIn: null, source: null, sourceAtService: { value: "Old" }, previousSource: { value: "Older" } },
      [],
      {
        usageCount: null,
      },
    );
    expect(shown(".label")).toEqual(["Source text", "Source text on the service", "Source text before"]);
    expect(shown("#source-text")).toEqual(["untranslated"]);
    expect(labels()).toEqual(["Clear"]);
    for (const [key, expected] of [
      ["Enter", []],
      ["Escape", ["2", "3"]],
    ] as const) {
      button("Clear").focus();
      await press(button("Clear"), key);
      expect(focused()).toEqual(expected);
    }
  });

  it("of another cell are not shown, and have no actions, until they have arrived", async () => {
    await open({ source: { value: "Your cart" } });
    expect(shown("#source-text")).toEqual(["Your cart"]);
    const calls = page.argsOf("details").length;
    const release = page.hold("details");
    await press(cell(0, 2), "ArrowRight");
    // What is known of the key is that of the other cell, too.
    expect([shown("#source-text"), labels()]).toEqual([["Your cart"], []]);
    await press(cell(0, 3), "ArrowDown");
    expect([shown("#source-text"), labels()]).toEqual([[], []]);
    await waitUntil(() => page.argsOf("details").length > calls);
    await release();
    await waitUntil(() => shown("#source-text").length === 1);
    expect(labels()).toContain("Copy source text");
  });

  it("copy the source text, clear, and take suggestions and similar texts", async () => {
    const issues = [
      { message: "wrong", suggestion: "better", form: null },
      { message: "other", suggestion: "", form: null },
    ];
    const similar = [{ source: { value: "Cart" }, text: { value: "Mandje" } }];
    await open({ source: { value: "Your cart" }, issues, similar });
    expect(labels()).toEqual(["Use “better”", "Use “Mandje”", "Copy source text", "Clear"]);
    expect(shown(".issue")).toEqual(["wrongUse “better”", "other"]);
    expect(shown(".label")).toEqual(["Source text", "Similar texts"]);
    for (const [label, text] of [
      ["Use “better”", "better"],
      ["Use “Mandje”", "Mandje"],
      ["Copy source text", "Your cart"],
    ] as const) {
      page.write("nl", 0, "text");
      await page.change("translations");
      await click(element(".details button", label));
      expect(stage()).toEqual(edit(text));
    }
    await click(element(".details button", "Clear"));
    expect(page.argsOf("clear")).toEqual([[[hashOf(0)], ["nl"]]]);
    // In the source language there is nothing to copy.
    await press(cell(0, 2), "ArrowLeft");
    await waitUntil(() => page.state.details.value?.cell.locale === "en");
    await settle();
    expect(labels()).not.toContain("Copy source text");
    await open({ issues: [], similar: [], source: { value: "a" } }, ["missing"]);
    expect(labels()).not.toContain("Clear");
  });

  it("put a suggestion for a plural form into that form", async () => {
    const parts = [
      { category: "one", text: "item" },
      { category: "other", text: "item" },
    ];
    Object.assign(page.more.cell, { parts });
    await open({ issues: [{ message: "wrong", suggestion: "items", form: "other" }] });
    await click(element(".details button", "Use “items”"));
    expect(stage()).toMatchObject([{ text: { forms: { one: "item", other: "items" } } }]);
  });

  it("of a cell in conflict offer one of both, of an unsaved one to discard it, of several to fill down", async () => {
    const conflict = { base: { value: "before" }, theirs: { value: "theirs" } };
    await open({ conflict, rejectionReason: "too long", isSourceChanged: true }, [
      "unsaved",
      "conflict",
      "machine",
    ]);
    expect(shown(".conflict .text")).toEqual(["before", "theirs", "text"]);
    expect(labels()).toEqual(["Take Theirs", "Keep Mine", "Clear"]);
    expect(shown(".actions > .quiet")).toEqual(["by a model"]);
    expect(shown(".actions > .issue")).toEqual([
      "The source text was changed after a language model translated it.",
      "Refused: too long",
    ]);
    await click(element(".details button", "Take Theirs"));
    await click(element(".details button", "Keep Mine"));
    const cells = [[[{ locale: "nl", hash: hashOf(0) }]]];
    expect([page.argsOf("discard"), page.argsOf("keepMine")]).toEqual([cells, cells]);
    await open({ conflict: null, rejectionReason: null, isSourceChanged: false }, ["unsaved"]);
    expect(labels()).toEqual(["Clear", "Discard change"]);
    await click(element(".details button", "Discard change"));
    expect(page.argsOf("discard")).toHaveLength(2);
    await press(cell(0, 2), "ArrowRight", { shiftKey: true });
    await waitUntil(() => page.state.details.value?.cell.locale === "fr");
    await settle();
    expect(labels()).not.toContain("Fill down");
    await press(cell(0, 3), "ArrowDown", { shiftKey: true });
    await waitUntil(() => page.state.details.value?.cell.hash === hashOf(1));
    await settle();
    await click(element(".details button", "Fill down"));
    expect(page.argsOf("fill")).toEqual([[hashOf(0), [hashOf(1)], ["nl", "fr"]]]);
  });

  it("of a cell that cannot be edited say why, and change nothing", async () => {
    const issues = [{ message: "wrong", suggestion: "better", form: null }];
    const similar = [{ source: { value: "Cart" }, text: { value: "Mandje" } }];
    await open({ source: { value: "a" }, readonlyReason: "archived", issues, similar }, ["readonly"]);
    expect([labels(), shown("#readonly-reason")]).toEqual([[], ["archived"]]);
    expect(shown(".similar")).toEqual(["CartMandje"]);
    await open({ issues: [], similar: [] }, ["readonly", "unsaved"]);
    expect(labels()).toEqual(["Discard change"]);
    await click(element(".details button", "Discard change"));
    expect([page.argsOf("discard"), page.argsOf("keepMine")]).toEqual([
      [[[{ locale: "nl", hash: hashOf(0) }]]],
      [],
    ]);
    await open({ conflict: { base: null, theirs: { value: "b" } } }, ["readonly", "conflict"]);
    expect([labels(), shown(".conflict .label")]).toEqual([[], ["Before", "Theirs", "Mine"]]);
  });
});

describe("the toolbar", () => {
  const search = () => element("#search");
  const filters = () => element("button.opener", "Filters");
  const choices = () =>
    all(".choice").map((each) => [each.textContent, each.querySelector("input")?.checked]);
  const query = () => page.argsOf("find").at(-1)?.[0];
  const valueOf = (option: PageElement) => option.getAttribute("value") ?? option.value;

  it("searches what is typed, at once with Enter, and goes to the table with the arrow", async () => {
    // Another word may follow.
    await type(search(), "car ");
    expect([page.state.query.value.search, search().value]).toEqual(["car ", "car "]);
    const finds = page.argsOf("find").length;
    for (const typed of ["car", "ca"]) {
      search().value = typed;
      search().fire("input");
    }
    await waitUntil(() => page.argsOf("find").length > finds);
    await settle();
    // One search for both.
    expect([query(), page.argsOf("find").length]).toMatchObject([{ search: "ca" }, finds + 1]);
    search().value = "cart";
    await press(search(), "Enter");
    expect(query()).toMatchObject({ search: "cart" });
    page.document.activeElement = search();
    expect((await press(search(), "ArrowDown")).defaultPrevented).toBe(true);
    expect(focused()).toEqual(["2", "3"]);
    page.state.setQuery({ search: "asked for" });
    await settle();
    expect(search().value).toBe("asked for");
  });

  it("has the filters that may find something in a menu, which says what is on", async () => {
    await showAgain(({ setup, counts }) => {
      Object.assign(setup, { namespaces: ["cart", "menu"], tags: ["app"] });
      Object.assign(counts, { refused: 2, conflicts: 1, unsaved: 3 });
    });
    expect([filters().getAttribute("aria-expanded"), all(".panel")]).toEqual(["false", []]);
    await click(filters());
    expect(page.document.activeElement.localName).toBe("input");
    expect(choices()).toEqual(
      [
        "Untranslated",
        "Outdated",
        "QA issues",
        "Not pushed",
        "Unused",
        "Unsaved",
        "Conflicts",
        "Refused",
      ].map((each) => [each, false]),
    );
    await fire(element(".choice input"), "change");
    expect([query(), filters().textContent, filters().getAttribute("class")]).toMatchObject([
      { filters: ["untranslated"] },
      "Filters: Untranslated",
      "opener on",
    ]);
    const last = at(all(".choice input"), 7);
    await fire(last, "change");
    expect(query()).toMatchObject({ filters: ["untranslated", "refused"] });
    expect(choices().filter(([, isOn]) => isOn)).toEqual([
      ["Untranslated", true],
      ["Refused", true],
    ]);
    await fire(last, "change");
    expect(query()).toMatchObject({ filters: ["untranslated"] });
    expect(["Namespace", "Tag"].map((label) => all(`[aria-label=${label}] option`).map(valueOf))).toEqual([
      ["", "cart", "menu"],
      ["", "app"],
    ]);
    await change(element("[aria-label=Namespace]"), "menu");
    await change(element("[aria-label=Tag]"), "app");
    expect([query(), filters().textContent]).toMatchObject([
      { namespace: "menu", tag: "app" },
      "Filters (3)",
    ]);
    // Opened again, it shows what was chosen.
    await click(filters());
    await click(filters());
    expect(["Namespace", "Tag"].map((label) => element(`[aria-label=${label}]`).value)).toEqual([
      "menu",
      "app",
    ]);
    await change(element("[aria-label=Tag]"), "");
    expect(query()).toMatchObject({ namespace: "menu", tag: null });
    // Each that is on can be taken off with all others.
    for (const [namespace, tag, label] of [
      ["", "app", "Filters: app"],
      ["cart", "", "Filters: cart"],
    ] as const) {
      await click(button("Show all keys"));
      await click(filters());
      expect(texts(".panel > button")).toEqual(["Reapply filter"]);
      await change(element("[aria-label=Namespace]"), namespace);
      await change(element("[aria-label=Tag]"), tag);
      expect(filters().textContent).toBe(label);
    }
    const finds = page.argsOf("find").length;
    await click(button("Reapply filter"));
    expect(page.argsOf("find")).toHaveLength(finds + 1);
    await click(button("Show all keys"));
    expect(query()).toMatchObject({ filters: [], namespace: null, tag: null });
    expect([all(".panel"), page.document.activeElement]).toEqual([[], filters()]);
    await showAgain(({ setup }) =>
      Object.assign(setup, { namespaces: ["cart"], tags: [], isServiceKnown: false }),
    );
    await click(filters());
    expect([all("select"), choices().map(([name]) => name)]).toEqual([
      [],
      ["Untranslated", "QA issues", "Unused", "Unsaved", "Conflicts", "Refused"],
    ]);
    expect(texts(".panel > button")).toEqual(["Reapply filter"]);
  });

  it("says how many rows there are, and what of them is not saved, in conflict or refused", async () => {
    await showAgain(({ counts, setup }) => {
      Object.assign(counts, { refused: 2, conflicts: 1, unsaved: 3 });
      Object.assign(setup, { restriction: "read-only" });
    });
    expect(texts("[role=status]")).toEqual(["90 rows · 3 unsaved · 1 in conflict · 2 refused · read-only"]);
    page.setFound(...Array.from({ length: 1_234 }, (_, key) => key));
    await page.filter();
    expect(texts("[role=status]")[0]).toMatch(/^1,234 rows ·/u);
    page.setFound(1);
    await showAgain(({ counts, setup }) => {
      Object.assign(counts, { refused: 0, conflicts: 0, unsaved: 0 });
      Object.assign(setup, { restriction: "" });
    });
    await page.filter("unused");
    expect(texts("[role=status]")).toEqual(["1 row"]);
  });

  it("has all other actions in a menu, which closes", async () => {
    expect(texts(".toolbar .if-wide")).toEqual(["Languages (3 of 2)"]);
    await click(element(".toolbar .if-wide"));
    expect(page.argsOf("chooseLanguages")).toEqual([[["en", "nl", "fr"]]]);
    await click(button("More"));
    await click(element(".panel button", "Translate Missing…"));
    expect([page.argsOf("translate"), all(".panel")]).toEqual([[[[hashOf(0)], ["nl"]]], []]);
    // What the width of the window hides is passed over.
    page.document.isHidden = (each) => each.getAttribute("class") === "if-narrow";
    await click(button("More"));
    expect(page.document.activeElement.textContent).toBe("Find and replace");
    page.document.isHidden = () => false;
    expect(all("option").map(valueOf)).toEqual(["name", "source", "changed"]);
    await change(element("[aria-label=Sort order]"), "source");
    expect(query()).toMatchObject({ sort: "source" });
    expect(texts(".legend dt")).toContain("untranslated");
    await click(element(".panel .if-narrow"));
    expect(page.argsOf("chooseLanguages")).toHaveLength(2);
    await click(button("More"));
    expect(texts("option")).toEqual(["By name", "By source text", "By last change"]);
    await change(element("[aria-label=Sort order]"), "changed");
    await showAgain(({ setup }) => Object.assign(setup, { isServiceKnown: false }));
    // The order that is on can be seen.
    expect(all("option")).toHaveLength(3);
    await change(element("[aria-label=Sort order]"), "name");
    expect(all("option")).toHaveLength(2);
    await click(element(".panel button", "Find and replace"));
    expect([all(".panel"), all(".replace").length]).toEqual([[], 1]);
  });

  it("has menus that are used by keys", async () => {
    const menu = element(".menu");
    expect((await press(filters(), "ArrowDown")).defaultPrevented).toBe(true);
    const inputs = all(".panel input");
    const buttons = all(".panel button");
    expect(page.document.activeElement).toBe(inputs[0]);
    await press(at(inputs, 0), "ArrowDown");
    expect(page.document.activeElement).toBe(inputs[1]);
    await press(at(inputs, 1), "ArrowUp");
    await press(at(inputs, 0), "ArrowUp");
    expect(page.document.activeElement).toBe(buttons.at(-1));
    await press(at(buttons, buttons.length - 1), "ArrowDown");
    expect(page.document.activeElement).toBe(inputs[0]);
    // From the panel itself, up is to the last one.
    page.document.activeElement = element(".panel");
    await press(element(".panel"), "ArrowUp");
    expect(page.document.activeElement).toBe(buttons.at(-1));
    const escaped = await press(at(inputs, 0), "Escape");
    expect([escaped.isStopped, all(".panel"), page.document.activeElement]).toEqual([true, [], filters()]);
    await click(button("More"));
    const sort = element("[aria-label=Sort order]");
    sort.focus();
    const own = await press(sort, "ArrowDown");
    expect([own.defaultPrevented, page.document.activeElement]).toEqual([false, sort]);
    await press(sort, "Escape");
    expect((await press(filters(), "Escape")).isStopped).toBe(false);
    await click(filters());
    await fire(menu, "focusout", { relatedTarget: all(".panel input")[2] });
    expect(all(".panel")).toHaveLength(1);
    // To another control, or to none at all.
    for (const relatedTarget of [search(), null]) {
      await fire(menu, "focusout", { relatedTarget });
      expect(all(".panel")).toEqual([]);
      await click(filters());
    }
  });
});

describe("find and replace", () => {
  it("shows each text before and after, of which key and language, and which ones are left out", async () => {
    const match = (key: number, locale: string, before: string, after: string) => {
      return { cell: { locale, hash: hashOf(key) }, key: `key ${key}`, before, after };
    };
    page.more.matches = { matches: [match(1, "nl", "a", "b"), match(2, "fr", "c", "d")] };
    await open();
    await type(field("Find"), "a");
    await fire(element("form"), "submit");
    expect(texts(".matches label").map((text) => text.trim())).toEqual(["key 1 · nl a b", "key 2 · fr c d"]);
    expect([texts("del"), texts("ins")]).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
    await fire(at(all(".matches input"), 0), "change");
    expect(all(".matches input").map(({ checked }) => checked)).toEqual([false, true]);
    await fire(element("form"), "submit");
    expect(all(".matches input").map(({ checked }) => checked)).toEqual([true, true]);
    await press(field("Find"), "Escape");
    expect(focused()).toEqual(["2", "3"]);
  });

  const field = (label: string) => element(`[aria-label="${label}"]`);
  const message = () => element(".replace p").textContent;
  const open = async () => {
    page.window.dispatchEvent(keydown("h", { ctrlKey: true }));
    await settle();
  };

  it("previews each change, and replaces what stays checked", async () => {
    page.setMatches(1, 2);
    await open();
    expect(page.document.activeElement).toBe(field("Find"));
    expect([message(), button("Replace 0").disabled]).toEqual(["", true]);
    await type(field("Find"), "text");
    field("Replace with").focus();
    await type(field("Replace with"), "word");
    expect(page.document.activeElement.getAttribute("aria-label")).toBe("Replace with");
    const [matchCase, wholeWord, isRegExp] = all(".replace .choice input");
    for (const option of [matchCase, wholeWord, isRegExp]) {
      if (option === undefined) throw new Error("there are three options");
      option.checked = true;
      await fire(option, "change");
    }
    await change(field("Language"), "fr");
    expect((await fire(element("form"), "submit")).defaultPrevented).toBe(true);
    const replacement = {
      find: "text",
      replacement: "word",
      matchCase: true,
      wholeWord: true,
      isRegExp: true,
    };
    expect(page.argsOf("findMatches").at(-1)?.slice(1)).toEqual([["fr"], replacement]);
    expect([message(), button("Replace 2").disabled]).toEqual(["Texts that would change: 2", false]);
    for (const match of all(".matches input")) await fire(match, "change");
    expect(button("Replace 0").disabled).toBe(true);
    await fire(at(all(".matches input"), 1), "change");
    await click(button("Replace 1"));
    expect(page.argsOf("replace")).toEqual([[[{ locale: "nl", hash: hashOf(2) }], replacement]]);
    expect(all(".replace")).toEqual([]);
    expect(focused()).toEqual(["2", "3"]);
  });

  it("says what is wrong with the search, or that there is more", async () => {
    await open();
    await open();
    await type(field("Find"), "(");
    const [, , isRegExp] = all(".replace .choice input");
    if (isRegExp === undefined) throw new Error("there are three options");
    isRegExp.checked = true;
    await fire(isRegExp, "change");
    expect(message()).toBe("This is not a regular expression.");
    await type(field("Find"), "a");
    const said = async (matches: object) => {
      Object.assign(page.more.matches, matches);
      await fire(element("form"), "submit");
      return message();
    };
    expect(await said({ end: "complete" })).toBe("No results.");
    expect(await said({ end: "too-slow" })).toBe("This regular expression takes too long. Make it simpler.");
    expect(await said({ end: "more" })).toBe(
      "There are more matches: replace these first, then search again.",
    );
    const escaped = await press(field("Find"), "Escape");
    expect([escaped.isStopped, all(".replace"), focused()]).toEqual([true, [], ["2", "3"]]);
  });
});

/** A key that the window sees before the page. */
function keydown(key: string, keys: object): Event {
  return Object.assign(new Event("keydown", { cancelable: true }), {
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    key,
    ...keys,
  });
}

it("is in the language of the extension, with its separator", async () => {
  await showAgain(({ setup, row }) => {
    Object.assign(setup, { language: "nl", messages: { Key: "Sleutel" }, separator: ":" });
    Object.assign(row, { namespace: "cart" });
  });
  expect([texts("[role=columnheader]")[0], cell(0, 0).textContent]).toEqual(["Sleutel", "cart:key 0"]);
  expect(page.document.documentElement).toMatchObject({ lang: "nl" });
});

it("searches and replaces with the shortcuts of VS Code, and says which language it is in", async () => {
  expect(
    page.document.documentElement.getAttribute("lang") ??
      (page.document.documentElement as unknown as { lang: string }).lang,
  ).toBe("en");
  for (const [key, keys, isOwn] of [
    ["f", { ctrlKey: true }, true],
    ["F", { metaKey: true }, true],
    ["f", {}, false],
    ["f", { ctrlKey: true, shiftKey: true }, false],
    ["h", { ctrlKey: true, altKey: true }, false],
    ["g", { ctrlKey: true }, false],
  ] as const) {
    page.document.activeElement = page.document.body;
    const event = keydown(key, keys);
    page.window.dispatchEvent(event);
    // Neither the browser nor VS Code searches, too.
    expect([key, keys, event.defaultPrevented, event.cancelBubble]).toEqual([key, keys, isOwn, isOwn]);
    expect(page.document.activeElement.getAttribute("id")).toBe(isOwn ? "search" : null);
  }
  expect(all(".replace")).toEqual([]);
});
