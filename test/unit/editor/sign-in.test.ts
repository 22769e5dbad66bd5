/** Signing in and out as a person does: both boxes, what is shown then, and what is kept. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clock } from "../../../src/api/system-clock.ts";
import {
  setUpProjectFileCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import { followPages } from "../support/shown-page.ts";
import {
  answerNextInput,
  type InputBox,
  messages,
  openFolders,
  pickInNextList,
  setSetting,
  statusBarItems,
  tools,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
  "lang/nl/cart.php": "<?php\n\nreturn ['title' => 'Je mandje'];\n",
};

let editor: Editor;
beforeEach(async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  await editor.run(signOutCommand, {});
});
afterEach(() => editor.close());

const status = () => statusBarItems.get("projectTranslations.status");
/** Types a value, and waits for what is said of it. */
async function submit(input: InputBox, value: string): Promise<string> {
  input.type(value);
  input.accept();
  await waitUntil(() => input.validationMessage !== undefined && input.validationMessage !== "");
  return String(input.validationMessage);
}

test("asks for the address, then for the token, and back, until both are right", async () => {
  const { baseUrl = "", token = "" } = editor.service ?? {};
  setSetting("projectTranslations.baseUrl", "https://old.example.com/v1");
  const nothing = baseUrl.replace(/\/v1$/u, "/nothing");
  answerNextInput(async (input) => {
    expect([input.title, input.value]).toEqual([
      "Sign In to app (1/2): base URL of the service",
      "https://old.example.com/v1",
    ]);
    expect(await submit(input, "ftp://example.com")).toContain("http");
    input.type("");
    expect(input.validationMessage).toBeUndefined();
    expect(await submit(input, "http://127.0.0.1:1/v1")).not.toBe("");
    expect(await submit(input, nothing)).toContain("/nothing");
    // The same address once more.
    input.accept();
    expect(input.validationMessage).toBeUndefined();
    await waitUntil(() => input.enabled);
    expect(input.validationMessage).toContain("/nothing");
    // The version may be left out.
    input.type(` ${baseUrl.replace("/v1", "")} `);
    input.accept();
  });
  answerNextInput((input) => {
    expect(input.title).toBe("Sign In to app (2/2): token");
    expect(input.prompt).toContain(baseUrl.replace("http://", ""));
    input.press("Back");
  });
  answerNextInput((input) => {
    // What was typed is still there.
    expect(input.value).toBe(baseUrl);
    input.accept();
  });
  answerNextInput(async (input) => {
    expect(input.password).toBe(true);
    expect(await submit(input, "wrong")).toMatch(/^The service does not accept this token/u);
    expect(input.value).toBe("wrong");
    input.type("another");
    expect(input.validationMessage).toBeUndefined();
    const refused = vi.spyOn(globalThis, "fetch");
    refused.mockResolvedValueOnce(Response.json({ message: "No." }, { status: 403 }));
    expect(await submit(input, token)).toMatch(/archived/u);
    // It waits as long as the service says, which is shown until then.
    const limited = { status: 429, headers: { "Retry-After": "7" } };
    refused.mockResolvedValueOnce(Response.json({ message: "Wait." }, limited));
    const sleep = clock.sleep.bind(clock);
    let passed = 0;
    const waited: unknown[] = [];
    vi.spyOn(clock, "monotonic").mockImplementation(() => performance.now() + passed);
    vi.spyOn(clock, "sleep").mockImplementation(async (duration, signal) => {
      // Requests have a limit, too.
      if (duration > 10_000) return sleep(duration, signal);
      passed += duration;
      waited.push([input.validationMessage, input.busy, input.enabled]);
    });
    expect(await submit(input, "wrong")).toMatch(/^The service does not accept this token/u);
    expect(waited).toContainEqual([{ message: "Paused: rate limit", severity: 1 }, true, false]);
    input.type("");
    input.accept();
    expect([input.busy, input.enabled]).toEqual([false, true]);
    input.type(`${token}\n`);
    input.accept();
  });
  pickInNextList((items, { title }) => {
    expect([title, ...items.map(({ label }) => label)]).toEqual([
      "Write to project-translations.json?",
      "$(link) Base URL",
      "$(file-code) lang/{locale}/{namespace}.php",
    ]);
    return items.slice(1);
  });
  const signedIn = await editor.ask(signInCommand, {});
  expect(signedIn).toEqual({
    outcome: "done",
    project: { slug: "shop", name: "Shop" },
    languages: ["en", "nl"],
    canWrite: true,
  });
  expect(messages.some(({ text }) => text === "Signed in to Shop: 2 languages.")).toBe(true);
  await waitUntil(() => status()?.text.startsWith("$(globe) Shop"));
  await waitUntil(() => messages.at(-1)?.text === "1 entry was written to project-translations.json.");
  expect(JSON.parse(await editor.read("project-translations.json"))).toEqual({
    files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }],
  });
  // The next time nothing else is asked: there is nothing more that matters.
  answerNextInput((input) => input.accept());
  answerNextInput((input) => {
    input.type(token);
    input.accept();
  });
  pickInNextList(({ length }) => expect.fail(`${length} rows are shown`));
  expect(await editor.ask(signInCommand, {})).toMatchObject({ outcome: "done" });
  await editor.run(setUpProjectFileCommand, {});
  // Where somebody is signed in now.
  answerNextInput((input) => {
    expect(input.value).toBe(baseUrl);
    input.hide();
  });
  expect(await editor.ask(signInCommand, {})).toEqual({ outcome: "cancelled" });
});

test("ends where a box is dismissed, and nobody is signed in then", async () => {
  const { baseUrl = "", token = "" } = editor.service ?? {};
  // Of what was done without prompts nothing was said.
  expect(messages).toEqual([]);
  answerNextInput((input) => input.hide());
  expect(await editor.ask(signInCommand, {})).toEqual({ outcome: "cancelled" });
  answerNextInput((input) => input.hide());
  expect(await editor.ask(signInCommand, { baseUrl })).toEqual({ outcome: "cancelled" });
  // Also while an address or a token is checked, once, which nothing is sent for any more then.
  for (const [options, typed] of [
    [{}, baseUrl.replace("/v1", "")],
    [{ baseUrl }, token],
  ] as const) {
    answerNextInput(async (input) => {
      const signals: (AbortSignal | null | undefined)[] = [];
      vi.spyOn(globalThis, "fetch").mockImplementation((_url, init) => {
        signals.push(init?.signal);
        return new Promise(() => undefined);
      });
      input.type(typed);
      input.accept();
      await waitUntil(() => signals.length > 0);
      const { length } = signals;
      input.accept();
      await Promise.resolve();
      expect(signals).toHaveLength(length);
      input.hide();
      await waitUntil(() => signals.every((signal) => signal?.aborted === true));
    });
    expect(await editor.ask(signInCommand, options)).toEqual({ outcome: "cancelled" });
  }
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "unchanged" });
});

test("asks only for what was not given", async () => {
  const { baseUrl = "", token = "" } = editor.service ?? {};
  answerNextInput((input) => {
    expect(input.title).toBe("Sign In to app (1/2): base URL of the service");
    input.type(baseUrl);
    input.accept();
  });
  expect(await editor.ask(signInCommand, { baseUrl: "nothing", token })).toMatchObject({ outcome: "failed" });
  let isSetUp = false;
  pickInNextList(() => {
    isSetUp = true;
    return [];
  });
  expect(await editor.ask(signInCommand, { token })).toMatchObject({ outcome: "done" });
  await waitUntil(() => isSetUp);
  // The address is known now.
  expect(await editor.ask(signInCommand, { token })).toMatchObject({ outcome: "done" });
  // Another one of the project file is kept, also where nobody asks for it.
  const other = { baseUrl: "https://other.example.com/v1" };
  await editor.write("project-translations.json", JSON.stringify(other));
  expect(await editor.run(signInCommand, { baseUrl: ` ${baseUrl}/ `, token })).toMatchObject({
    outcome: "done",
  });
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(file-code) lang/{locale}/{namespace}.php"]);
    return [];
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toMatchObject({ outcome: "unchanged" });
  // One that cannot be used is there to be mended.
  await editor.write("project-translations.json", JSON.stringify({ baseUrl: "ftp://example.com" }));
  answerNextInput((input) => {
    expect(input.value).toBe("ftp://example.com");
    input.hide();
  });
  expect(await editor.ask(signInCommand, { token })).toEqual({ outcome: "cancelled" });
});

test("in a window with several apps is for the one that is chosen, and so is what follows", async () => {
  const { baseUrl = "", token = "" } = editor.service ?? {};
  const site = join(editor.folder, "../site");
  for (const [path, text] of Object.entries(FILES)) await editor.write(`../site/${path}`, text);
  await editor.write("../notes.txt", "");
  openFolders([editor.folder, site]);
  await editor.show("lang/en/cart.php");
  // Not for the last one by chance.
  await editor.show("../notes.txt");
  pickInNextList("site");
  answerNextInput(async (input) => {
    expect(input.title).toBe("Sign In to site (2/2): token");
    await editor.show("lang/en/cart.php");
    input.type(token);
    input.accept();
  });
  pickInNextList((items) => items);
  expect(await editor.ask(signInCommand, { baseUrl })).toMatchObject({ outcome: "done" });
  await waitUntil(() => messages.at(-1)?.text.endsWith("written to project-translations.json."));
  expect(await editor.read("../site/project-translations.json")).toContain("laravel_php");
  await expect(editor.read("project-translations.json")).rejects.toThrow("ENOENT");
  await editor.show("../site/lang/en/cart.php");
  await editor.run(pushCommand, {});
  const input = { locale: "nl", translations: [{ namespace: "cart", key: "title", text: "Mijn mandje" }] };
  await tools.get("project_translations_stage_translations")?.invoke({ input }, NOT_CANCELLED);
  await editor.show("lang/en/cart.php");
  const shown = followPages();
  pickInNextList("Show Unsaved Texts");
  expect(await editor.ask(signOutCommand, { folder: site })).toEqual({ outcome: "cancelled" });
  await waitUntil(() => shown.pages.length > 0);
  expect(await shown.pages[0]?.find({ filters: ["unsaved"] }, ["nl"])).toEqual(["title"]);
  shown.dispose();
  // Without prompts it asks nothing.
  expect(await editor.run(signOutCommand, { folder: site })).toEqual({ outcome: "done" });
});

test("with a token that may only read says so, and refuses what writes", async () => {
  const { baseUrl = "", readToken = "" } = editor.service ?? {};
  expect(await editor.ask(signInCommand, { baseUrl, token: readToken })).toMatchObject({ canWrite: false });
  expect(messages.at(-1)?.text).toBe(
    "Signed in to Shop (read-only): 2 languages. Pushing and editing need a token with write access.",
  );
  await waitUntil(() => status()?.text.startsWith("$(lock) Shop"));
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "forbidden" } });
});

test("signing out asks about texts that were not sent, and keeps them for the next sign-in", async () => {
  const { baseUrl = "", token = "" } = editor.service ?? {};
  const signIn = () => editor.run(signInCommand, { baseUrl, token });
  await signIn();
  await editor.run(pushCommand, {});
  const input = { locale: "nl", translations: [{ namespace: "cart", key: "title", text: "Mijn mandje" }] };
  await tools.get("project_translations_stage_translations")?.invoke({ input }, NOT_CANCELLED);
  pickInNextList("no such answer");
  expect(await editor.ask(signOutCommand, {})).toEqual({ outcome: "cancelled" });
  const shown = followPages();
  pickInNextList((items, { placeHolder }) => {
    expect(placeHolder).toBe("Not sent yet: 1 unsaved text of “Shop”");
    return items[1];
  });
  expect(await editor.ask(signOutCommand, {})).toEqual({ outcome: "cancelled" });
  await waitUntil(() => shown.pages[0]?.views.at(-1)?.query?.filters[0] === "unsaved");
  shown.dispose();
  pickInNextList("Sign Out");
  expect(await editor.ask(signOutCommand, {})).toEqual({ outcome: "done" });
  expect(messages.at(-1)?.text).toMatch(
    /^Signed out of app\. .* Kept until you sign in to this project again: 1 unsaved text\.$/u,
  );
  // Files have nothing of it, and what is typed for them needs no session.
  await tools.get("project_translations_stage_translations")?.invoke({ input }, NOT_CANCELLED);
  expect(await editor.ask(signOutCommand, {})).toEqual({ outcome: "unchanged" });
  expect(messages.at(-1)?.text).toBe("You were not signed in to “app”.");
  await signIn();
  pickInNextList("Sign Out");
  expect(await editor.ask(signOutCommand, {})).toEqual({ outcome: "done" });
});
