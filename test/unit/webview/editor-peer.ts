/** The extension's end of the page's calls, over birpc, with texts in memory; and the page, loaded anew. */
import { createBirpc } from "birpc";
import { vi } from "vitest";
import type { RowFilter, RowQuery } from "../../../src/model/translation-editor-filters.ts";
import { plainText, type Text } from "../../../src/model/translation-text.ts";
import type {
  Cell,
  CellDetails,
  Counts,
  Matches,
  ShownTable,
  EditorFunctions,
  PageFunctions,
  EditorRow,
  Setup,
} from "../../../src/webview/translation-editor/editor-protocol.ts";
import { PageButton, PageDocument, PageNode, PageSelect } from "./page-document.ts";

export const hashOf = (key: number): string => String(key).padStart(40, "0");
const MAX_CELL_LENGTH = 200;

/** Opens the page, without drawing it, with 90 keys, each with the text "text" in every language. */
export function openPage(...columns: string[]) {
  return open(columns, null);
}

/** Opens the page in a document. */
export async function openDrawnPage(...columns: string[]) {
  const document = new PageDocument();
  return { ...(await open(columns, document)), document };
}

async function open(columns: string[], document: PageDocument | null) {
  /** The languages that the user chose. */
  let chosen = columns.length === 0 ? ["en", "nl"] : columns;
  /** The keys that a query finds. */
  let found = Array.from({ length: 90 }, (_, key) => hashOf(key));
  const deleted = new Set<string>();
  const texts = new Map<string, string>();
  const staged = new Set<string>();
  const calls: { readonly name: string; readonly args: readonly unknown[] }[] = [];
  /** Answers that are held back, by function. */
  const held = new Map<string, Promise<void>>();
  const readOnly = new Set<string>();
  /** The keys that a replacement changes, in Dutch. */
  let matches: readonly string[] = [];
  let view: unknown;
  /** Called when an element has another size. */
  const resized: (() => void)[] = [];
  /** What else there is of each row, cell, answer and page. */
  const more = {
    row: {} as Partial<EditorRow>,
    cell: {} as Partial<Cell>,
    details: {} as Partial<CellDetails>,
    setup: {} as Partial<Setup>,
    hiddenCategories: [] as readonly string[],
    counts: {} as Partial<Counts>,
    matches: {} as Partial<Matches>,
  };
  /** What the user answers when asked for languages. */
  let picked: string[] | null = null;

  const textOf = (locale: string, hash: string): string => texts.get(`${locale} ${hash}`) ?? "text";
  const cellOf = (locale: string, hash: string): Cell => {
    const text = textOf(locale, hash);
    return {
      parts: [{ category: null, text: text.slice(0, MAX_CELL_LENGTH) }],
      isTruncated: text.length > MAX_CELL_LENGTH,
      wrongPlaceholders: [],
      states: [
        ...(text === "" ? (["missing"] as const) : []),
        ...(staged.has(`${locale} ${hash}`) ? (["unsaved"] as const) : []),
        ...(readOnly.has(hash) ? (["readonly"] as const) : []),
      ],
      ...more.cell,
    };
  };
  const rowOf = (hash: string, locales: readonly string[]): EditorRow => ({
    hash,
    namespace: "",
    key: `key ${Number(hash)}`,
    context: null,
    description: null,
    tags: [],
    maxLength: null,
    isNotPushed: false,
    usageCount: null,
    mayBeUsed: false,
    isUnused: false,
    placeholders: [],
    cells: Object.fromEntries(locales.map((locale) => [locale, cellOf(locale, hash)])),
    ...more.row,
  });
  let loaded: readonly string[] | null = null;
  const loadedOf = (locales: readonly string[]) => locales.filter((each) => loaded?.includes(each) ?? true);
  const set = (locale: string, hash: string, text: Text): void => {
    texts.set(`${locale} ${hash}`, plainText(text));
    staged.add(`${locale} ${hash}`);
  };
  const functions: EditorFunctions = {
    ready: () => undefined,
    setup: async (locales): Promise<Setup> => ({
      language: "en",
      messages: {},
      languages: (locales ?? chosen).map((locale) => ({
        locale,
        name: locale,
        isSource: locale === "en",
        hiddenCategories: more.hiddenCategories,
      })),
      languageCount: 2,
      isServiceKnown: true,
      restriction: "",
      separator: ".",
      namespaces: [],
      tags: [],
      ...more.setup,
    }),
    find: async (_query, locales, around) => {
      const start = Math.max(0, around === null ? 0 : found.indexOf(around));
      const first = start - (start % 30);
      return {
        hashes: found.join(","),
        start: first,
        isSearchUpToDate: true,
        rows: found.slice(first, first + 30).map((hash) => rowOf(hash, locales)),
        counts: { unsaved: staged.size, conflicts: 0, refused: 0, ...more.counts },
        loadedLocales: loadedOf(locales),
      };
    },
    rows: async (hashes, locales) => ({
      rows: hashes.map((hash) => rowOf(hash, locales)),
      counts: { unsaved: staged.size, conflicts: 0, refused: 0, ...more.counts },
      loadedLocales: loadedOf(locales),
    }),
    existing: async (hashes) => hashes.filter((hash) => !deleted.has(hash)),
    details: async (cell) => ({
      cell,
      source: null,
      sourceAtService: null,
      previousSource: null,
      text: { value: textOf(cell.locale, cell.hash) },
      conflict: null,
      isSourceChanged: false,
      issues: [],
      readonlyReason: null,
      rejectionReason: null,
      similar: [],
      usedIn: null,
      ...more.details,
    }),
    stage: (edits) => edits.forEach(({ locale, hash, text }) => set(locale, hash, text)),
    paste: (cells) => cells.forEach(({ locale, hash, copied }) => set(locale, hash, { value: copied })),
    fill: (from, to, locales) =>
      to.forEach((hash) => locales.forEach((each) => set(each, hash, { value: textOf(each, from) }))),
    clear: (hashes, locales) =>
      hashes.forEach((hash) => locales.forEach((each) => set(each, hash, { value: "" }))),
    copy: async () => undefined,
    translate: async () => undefined,
    findMatches: async () => ({
      matches: matches.map((hash) => ({ cell: { locale: "nl", hash }, key: "", before: "", after: "" })),
      end: "complete",
      ...more.matches,
    }),
    replace: async () => undefined,
    discard: () => undefined,
    keepMine: () => undefined,
    save: async () => undefined,
    showUsage: async () => undefined,
    chooseLanguages: async () => picked,
    setLanguages: (locales) => {
      chosen = ["en", ...locales];
    },
  };

  const window = new EventTarget();
  let receive: (message: unknown) => void = () => undefined;
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", document ?? { hasFocus: () => true, activeElement: null, body: null });
  if (document !== null) stubBrowser(resized);
  vi.stubGlobal("acquireVsCodeApi", () => ({
    postMessage: (message: unknown) => receive(structuredClone(message)),
    getState: () => view,
    setState: (state: unknown) => (view = state),
  }));
  const page = createBirpc<PageFunctions, EditorFunctions>(functions, {
    post: (message) => window.dispatchEvent(new MessageEvent("message", { data: structuredClone(message) })),
    on: (listener) => {
      receive = listener;
    },
    resolver:
      (name, resolved) =>
      (...args: unknown[]) => {
        calls.push({ name, args });
        // What is read is read now; only the answer is late.
        const answer = resolved?.(...args);
        const late = held.get(name);
        return late === undefined ? answer : late.then(() => answer);
      },
    timeout: -1,
  });

  /** Loads the page, as VS Code does when its tab is shown; `query`: what it is opened with. */
  const load = async (query: RowQuery | null = null) => {
    vi.resetModules();
    const state = await import("../../../src/webview/translation-editor/page-state.ts");
    const actions = await import("../../../src/webview/translation-editor/selection-actions.ts");
    const replacing = await import("../../../src/webview/translation-editor/replacing.ts");
    // It starts itself when it is drawn.
    if (document === null) state.start();
    else await import("../../../src/webview/translation-editor/main.tsx");
    // What imports the modules after this test gets others, which the page does not follow.
    vi.resetModules();
    const shown = page.show({ query, locales: null, hash: null });
    await settle();
    if (document === null) paint(state);
    await shown;
    await settle();
    return { ...state, ...actions, ...replacing };
  };
  /** Renders the list, as the table does. */
  const paint = (
    state: typeof import("../../../src/webview/translation-editor/page-state.ts"),
    first = 0,
  ): void => {
    state.requestRows(first, first + 10);
    if (state.listed.value !== null) state.notePainted(state.listed.value);
  };
  const state = await load();
  return {
    state,
    window,
    more,
    page,
    load,
    paint,
    calls,
    readOnly,
    textOf,
    /** What VS Code keeps of the page while it is hidden. */
    savedView: () => view,
    /** Tells the page that elements have another size. */
    resize: async () => {
      for (const update of resized) update();
      await settle();
    },
    /** Calls of a function. */
    argsOf: (name: keyof EditorFunctions) =>
      calls.filter((call) => call.name === name).map(({ args }) => args),
    /** Sets a text as somebody else does. */
    write: (locale: string, key: number, text: string) => void texts.set(`${locale} ${hashOf(key)}`, text),
    /** Undoes all edits, as VS Code does. */
    undoAll: () => staged.clear(),
    /** Changes which keys a query finds. */
    setFound: (...keys: readonly number[]) => {
      found = keys.map(hashOf);
    },
    setMatches: (...keys: readonly number[]) => {
      matches = keys.map(hashOf);
    },
    deleteKey: (key: number) => void deleted.add(hashOf(key)),
    setLoaded: (...locales: readonly string[]) => {
      loaded = locales;
    },
    choose: (...locales: string[]) => {
      chosen = locales;
    },
    /** Picks languages besides the source; `null`: the list is dismissed. */
    pickLanguages: async (languages: string[] | null) => {
      picked = languages;
      await state.chooseLanguages();
      await settle();
    },
    /** Tells the page of changes and waits until it has read them. */
    change: async (...tables: ShownTable[]) => {
      await page.changed(tables);
      await settle();
    },
    /** Holds back the answers of a function. Returns a function that lets them pass. */
    hold: (name: keyof EditorFunctions) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, promise);
      return async () => {
        held.delete(name);
        resolve();
        await settle();
      };
    },
    filter: async (...filters: RowFilter[]) => {
      state.setQuery({ filters });
      await settle();
    },
  };
}

/** What the page uses of a browser beside its document. */
function stubBrowser(resized: (() => void)[]): void {
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal("getComputedStyle", () => ({ position: "static" }));
  vi.stubGlobal("Node", PageNode);
  vi.stubGlobal("HTMLButtonElement", PageButton);
  vi.stubGlobal("HTMLSelectElement", PageSelect);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(update: () => void) {
        resized.push(update);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
}

/** Resolves when all messages have arrived and were answered: they pass without timers. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
}
