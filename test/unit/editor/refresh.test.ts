/** When a window asks the service, what it says while that refuses or cannot be reached, and what follows once it answers. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { importCommand, pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { editTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import { listJobsCommand } from "../../../src/features/activity-view/activity-view.ts";
import {
  chooseInlayLanguageCommand,
  showDiagnosisCommand,
  showMenuCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { refreshAllCommand } from "../../../src/features/refresh/refresh-scheduler.ts";
import { clock } from "../../../src/api/system-clock.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextList,
  changedFocus,
  pickInNextList,
  QuickPickItemKind,
  setSetting,
  statusBarItems,
  views,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
  "app/Cart.php": "<?php\n\necho __('cart.title');\n",
};

/** The requests that were made, and what is answered in place of the service; `null`: it answers. */
let requests: string[] = [];
let answer: ((request: string, forward: () => Promise<Response>) => Promise<Response>) | null = null;
const { fetch } = globalThis;
const offline = () => Promise.reject(new TypeError("fetch failed"));
const status = (code: number) => () => Promise.resolve(Response.json({ message: "No." }, { status: code }));
/** Makes the pauses before the next attempt short, and no timeout. */
function withoutPauses(): void {
  const sleep = clock.sleep.bind(clock);
  vi.spyOn(clock, "sleep").mockImplementation((milliseconds, signal) =>
    sleep(milliseconds < 5_000 ? 0 : milliseconds, signal),
  );
}
/** How far the clock is ahead, in minutes. */
let ahead = 0;
const { now } = Date;

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES, service: DUTCH_SHOP });
  // Not by a push, which also asks once it has ended.
  await editor.request("POST", "/keys/sync", {
    keys: [{ namespace: "cart", key: "title", value: "Your cart" }],
    archive: [],
  });
  // The sign-in is shown, and followed by what a window asks then.
  await waitUntil(() => bar()?.text === "$(globe) Shop");
});
beforeEach(async () => {
  answer = null;
  ahead = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const { href, pathname } = new URL(input instanceof Request ? input.url : input);
    // Nothing of other windows, which tests of this process may have had.
    if (!href.startsWith(editor.service?.baseUrl ?? "")) return fetch(input, init);
    const request = `${init?.method ?? "GET"} ${pathname}`;
    requests.push(request);
    return answer === null ? fetch(input, init) : answer(request, () => fetch(input, init));
  });
  vi.spyOn(Date, "now").mockImplementation(() => now() + ahead * 60_000);
  // It has just asked, and waits for no answer any more.
  focus(true);
  await editor.run(refreshCommand, {});
});
afterAll(() => editor.close());

const bar = () => statusBarItems.get("projectTranslations.status");
const view = (name: string) => views.get(`projectTranslations.${name}`);
function focus(focused: boolean): void {
  window.state.focused = focused;
  changedFocus.fire({ focused });
}
async function asks(work: () => void): Promise<void> {
  requests = [];
  work();
  await waitUntil(() => requests.length > 0);
}
async function asksNothing(work: () => void): Promise<void> {
  requests = [];
  work();
  for (let turn = 0; turn < 5; turn += 1) await editor.run(listJobsCommand, {});
  expect(requests).toEqual([]);
}
const menu = async (): Promise<readonly string[]> => {
  let labels: readonly string[] = [];
  pickInNextList((items) => {
    labels = items.map(({ label, description }) => [label, description].filter(Boolean).join(" | "));
    return undefined;
  });
  await editor.ask(showMenuCommand, {});
  return labels;
};
const diagnosis = async (name: string): Promise<string | undefined> => {
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  return new RegExp(`^- ${name}: (.*)$`, "mu").exec(text)?.[1];
};

describe("by itself", () => {
  test("a window asks when it has the focus and an interval has passed", async () => {
    await asksNothing(() => focus(false));
    await asksNothing(() => focus(true));
    ahead += 6;
    await asksNothing(() => focus(false));
    await asks(() => focus(true));
    await editor.run(refreshCommand, {});
    await asksNothing(() => focus(true));
  });

  test("it asks again after each interval while it has the focus", async () => {
    const timers: (() => void)[] = [];
    const start = setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation((work: () => void, delay = 0) => {
      if (delay > 200_000 && delay <= 300_000) timers.push(work);
      return start(work, delay);
    });
    await asksNothing(() => focus(true));
    for (let turn = 0; turn < 2; turn += 1) {
      const { length } = timers;
      ahead += 6;
      await asks(() => timers.at(-1)?.());
      await waitUntil(() => timers.length > length);
    }
    await editor.run(refreshCommand, {});
    focus(false);
    ahead += 6;
    await asksNothing(() => timers.at(-1)?.());
  });

  test("it never does if that is set", async () => {
    setSetting("projectTranslations.refreshInterval", 0);
    ahead += 60;
    await asksNothing(() => focus(true));
    setSetting("projectTranslations.refreshInterval", 300);
    await waitUntil(() => requests.length > 0);
  });

  test("a failed attempt counts, and a clock that was set back does not stop it", async () => {
    withoutPauses();
    answer = offline;
    ahead += 6;
    await asks(() => focus(true));
    await waitUntil(() => bar()?.text.startsWith("$(debug-disconnect)"));
    await asksNothing(() => focus(true));
    answer = null;
    ahead -= 30;
    await asks(() => focus(true));
    await waitUntil(() => bar()?.text.startsWith("$(globe)"));
  });
});

describe("while the service", () => {
  test("cannot be reached, what was read is shown with its age", async () => {
    withoutPauses();
    ahead = 2;
    answer = offline;
    expect(await editor.run(refreshCommand, {})).toMatchObject({ error: { code: "offline" } });
    await waitUntil(() => bar()?.text === "$(debug-disconnect) Shop · 2 minutes ago");
    await waitUntil(() => view("languages")?.message !== "");
    expect(view("languages")?.message).toMatch(/^Not up to date: as of 2 minutes ago\. /u);
    expect(await editor.hover("app/Cart.php", "'cart.ti|tle'")).toContain("Not up to date&#58; as of");
    expect(
      (await editor.rows("activity")).some((row) =>
        row.startsWith("The service could not be reached | last "),
      ),
    ).toBe(true);
    expect(await diagnosis("Cache")).toMatch(/^as of 2 minutes ago \(.*\), contentVersion \d/u);
    answer = null;
    expect(await editor.run(refreshCommand, {})).toMatchObject({
      outcome: "done",
      stats: { languages: [{}, {}] },
    });
    await waitUntil(() => bar()?.text === "$(globe) Shop");
    await waitUntil(() => view("languages")?.message === "");
    expect(await editor.hover("app/Cart.php", "'cart.ti|tle'")).not.toContain("Not up to date");
  });

  test("does not accept the token, nothing is asked until somebody refreshes or signs in", async () => {
    answer = status(401);
    expect(await editor.run(refreshCommand, {})).toMatchObject({ error: { code: "unauthorized" } });
    expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "unauthorized" } });
    await waitUntil(() => bar()?.text === "$(error) Translations: token not accepted");
    expect(bar()?.backgroundColor).toBeDefined();
    expect((await menu()).slice(0, 4)).toEqual([
      "$(sign-in) Sign In…",
      "$(server-environment) Start Local Service… | try everything without an account",
      "$(refresh) Refresh",
      "$(sign-out) Sign Out",
    ]);
    expect([await diagnosis("Session"), await diagnosis("Requests left")]).toEqual([
      "token not accepted",
      "–",
    ]);
    expect(await editor.rows("activity")).toEqual([]);
    await waitUntil(() => view("activity")?.message !== "");
    expect(view("activity")?.message).toMatchInlineSnapshot(
      `"The service does not accept the token. Sign in with a new one."`,
    );
    answer = null;
    ahead = 6;
    await asksNothing(() => focus(true));
    expect(await editor.run(refreshCommand, {})).toMatchObject({ outcome: "done" });
    await waitUntil(() => bar()?.text === "$(globe) Shop");
    expect(bar()?.backgroundColor).toBeUndefined();
  });

  test("says that the project is archived, it is asked again", async () => {
    answer = status(403);
    expect(await editor.run(refreshCommand, {})).toMatchObject({ error: { code: "forbidden" } });
    await waitUntil(() => bar()?.text === "$(archive) Translations: archived");
    answer = null;
    ahead = 6;
    focus(true);
    await waitUntil(() => bar()?.text === "$(globe) Shop");
  });
});

test("the status bar shows a job until it is no longer followed there, and the menu follows the settings", async () => {
  vi.mocked(globalThis.fetch).mockImplementation(async (input, init) => {
    const sent = await fetch(input, init);
    if (!/\/jobs\/\d+$/u.test(input instanceof Request ? input.url : input.toString())) return sent;
    const { data } = (await sent.json()) as { readonly data: object };
    const progress = { done: 1, total: 4 };
    return Response.json({ data: { ...data, status: "running", progress, error: null } });
  });
  await editor.write("import/nl.json", `{ "a": "A" }\n`);
  const imported = editor.run(importCommand, {
    files: [editor.uri("import/nl.json").fsPath],
    format: "json_js",
    locale: "nl",
  });
  await waitUntil(() => bar()?.text.startsWith("$(sync~spin) Import"));
  expect(bar()?.tooltip).toMatch(/^Shop: Import.*: import\/nl\.json$/u);
  expect(bar()?.accessibilityInformation?.label).toBe(`Project Translations: ${bar()?.tooltip}`);
  pickInNextList((items) => items.find(({ label }) => label.endsWith("Stop following import/nl.json")));
  expect(await editor.ask(showMenuCommand, {})).toEqual({ outcome: "done" });
  expect(await imported).toMatchObject({ outcome: "cancelled", jobs: [{}] });
  await waitUntil(() => !bar()?.text.includes("Import"));
  const [english, dutch] = ["English (en)", "Nederlands (nl)"].map(
    (language) => `$(globe) Inline Language… | ${language}`,
  );
  expect(await menu()).toEqual(expect.arrayContaining([english, "$(eye-closed) Hide Inline Translations"]));
  expect(await editor.run(chooseInlayLanguageCommand, { locale: "nl" })).toMatchObject({ outcome: "done" });
  setSetting("projectTranslations.inlayHints.enabled", false);
  expect(await menu()).toEqual(expect.arrayContaining([dutch, "$(eye) Show Inline Translations"]));
  const headings: string[] = [];
  pickInNextList((items) => {
    for (const { label, kind } of items as readonly { readonly label: string; readonly kind?: number }[])
      if (kind === QuickPickItemKind.Separator) headings.push(label);
    return undefined;
  });
  await editor.ask(showMenuCommand, {});
  expect(headings).toEqual(["Show", "Project"]);
});

test("keys that did not change are read again only if everything is to be", async () => {
  const readsKeys = () => requests.some((request) => request === "GET /v1/keys");
  requests = [];
  expect(await editor.run(refreshCommand, {})).toMatchObject({ outcome: "done" });
  expect([requests.length > 0, readsKeys()]).toEqual([true, false]);
  expect(await editor.run(refreshAllCommand, {})).toMatchObject({ outcome: "done" });
  expect(readsKeys()).toBe(true);
});

test("until the keys are read for the first time, a hover says of none that the service lacks it", async () => {
  const [file, code] = ["lang/en/cart.php", "app/New.php"] as const;
  await editor.write(file, FILES[file].replace("]", ", 'fresh' => 'Fresh']"));
  await editor.write(code, "<?php\n\necho __('cart.fresh'), __('cart.nobody');\n");
  const hovers = async () => [
    await editor.hover(code, "'cart.fr|esh'"),
    await editor.hover(code, "'cart.no|body'"),
  ];
  await editor.run(signOutCommand, {});
  answer = (request, forward) => (request === "GET /v1/keys" ? status(422)() : forward());
  const { baseUrl = "", token = "" } = editor.service ?? {};
  expect(await editor.run(signInCommand, { baseUrl, token })).toMatchObject({ outcome: "done" });
  expect(await editor.run(refreshCommand, {})).toMatchObject({ outcome: "failed" });
  // The files are read again after a sign-in.
  await waitUntil(async () => (await hovers())[0]?.includes("Fresh") === true);
  const [local, unknown] = await hovers();
  expect([local?.includes("Not pushed"), unknown]).toEqual([false, undefined]);
  // So its translation may be edited, in a language that is chosen.
  const titles: (string | undefined)[] = [];
  answerNextList((list) => {
    titles.push(list.title);
    list.hide();
  });
  const fresh = { namespace: "cart", key: "fresh" };
  expect(await editor.ask(editTranslationCommand, fresh)).toEqual({ outcome: "cancelled" });
  expect(titles).toEqual(["cart.fresh"]);
  answer = null;
  await editor.run(refreshCommand, {});
  await waitUntil(async () => (await hovers())[0]?.includes("Not pushed yet") === true);
  expect((await hovers())[1]).toContain("The service does not know this key");
  await editor.write(file, FILES[file]);
});

test("the status bar counts down while the service asks to wait, until somebody signs out; then the files are read again", async () => {
  const ticks: (() => void)[] = [];
  const start = setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation((work: () => void, delay = 0) => {
    if (delay === 1_000) ticks.push(work);
    return start(work, delay);
  });
  answer = () =>
    Promise.resolve(Response.json({ message: "No." }, { status: 429, headers: { "retry-after": "300" } }));
  const waiting = editor.run(refreshCommand, {});
  await waitUntil(() => /^\$\(sync~spin\) Paused (?:300|299) s \(rate limit\)$/u.test(bar()?.text ?? ""));
  expect(bar()?.tooltip).toBe("Shop: rate limit reached. Continues automatically.");
  expect(await diagnosis("Requests left")).toMatch(/^[\d,]+ of [\d,]+ this minute, paused until \d.*$/u);
  const monotonic = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => monotonic() + 100_000);
  for (const tick of ticks.splice(0)) tick();
  expect(bar()?.text).toMatch(/^\$\(sync~spin\) Paused (?:200|199) s/u);
  answer = null;
  await editor.run(signOutCommand, {});
  expect(await waiting).not.toMatchObject({ outcome: "done" });
  try {
    await waitUntil(() => bar()?.text === "$(globe) Translations: local files");
    setSetting("projectTranslations.language", "nl");
    await waitUntil(() => bar()?.text === "$(globe) Vertalingen: lokale bestanden");
    setSetting("projectTranslations.language", "en");
    await editor.write("lang/en/shop.php", "<?php\n\nreturn ['name' => 'Shop', 'open' => 'Open'];\n");
    const { stats } = (await editor.run(refreshCommand, {})) as unknown as {
      readonly stats: { readonly languages: readonly { readonly totalKeys: number }[] };
    };
    expect(stats.languages[0]?.totalKeys).toBe(3);
    await asksNothing(() => focus(true));
  } finally {
    const { baseUrl = "", token = "" } = editor.service ?? {};
    await editor.run(signInCommand, { baseUrl, token });
    await waitUntil(() => bar()?.text === "$(globe) Shop");
  }
});
