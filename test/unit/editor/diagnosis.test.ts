/** The report on a window: what it says of files, of the session and of what went wrong, and the row of a wrong project file. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { showDiagnosisCommand } from "../../../src/commands/declarations/window-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import { builtInCommands, env, tools, workspace } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
afterEach(() => editor.close());

const textOf = async (): Promise<string> =>
  ((await editor.run(showDiagnosisCommand, {})) as { readonly text?: string }).text ?? "";
/** The report without what differs between machines. */
const report = async (): Promise<string> =>
  (await textOf())
    .replaceAll(editor.folder, "FOLDER")
    .replaceAll(editor.service?.baseUrl ?? "no service", "URL")
    .replace(/^- (?:Version|VS Code|Requests left): .*\n/gmu, "")
    .replace(/## Last warnings and errors[^]*$/u, "");

const ENGLISH = "locales/en/cart.json";
const COMPOSER = { "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }) };
const SERVICE = { ...SHOP, name: "Shop <1>", languages: [{ locale: "nl" }] };

test("of files names their layouts, frameworks and mistakes", async () => {
  editor = await openEditor({
    files: {
      ...COMPOSER,
      "project-translations.json": `{
  "files": [
    { "path": "locales/{locale}/{namespace}.json", "format": "json_js" },
    { "path": "texts/{locale}.json", "format": "json_js" }
  ],
  "sourceLocale": 3
}
`,
      [ENGLISH]: `{ "a*\`\`\`": "Cart", "a*\`\`\`": "Twice", "b": "B" }\n`,
      "locales/nl/cart.json": `{ "title": "Mandje"\n`,
      "locales/nl/shop.json": "{}\n",
    },
  });
  await waitUntil(async () => (await editor.rows("languages"))[0]?.startsWith("Correct"));
  expect(await report()).toMatchInlineSnapshot(`
    "# Project Translations: diagnostics

    - Language: en (VS Code: en)
    - Workspace trust: trusted

    ## app

    - Folder: FOLDER
    - Project file: FOLDER/project-translations.json, with 1 mistake
    - Base URL: none usable
    - Session: signed out
    - Cache: empty
    - Unsaved texts: 0
    - Keys on the service: not read yet
    - Source texts in files: 2 in 3 files (en)
    - Match rate: –

    ### Layouts

    - \`locales/{locale}/{namespace}.json\` (json_js): 3 files, en, nl
    - \`texts/{locale}.json\` (json_js): 0 files, –

    ### Frameworks

    - i18next: package.json (i18next)

    ### Errors in project-translations.json

    - project-translations.json:6:19: sourceLocale: Invalid type: Expected string but received 3

    ### Problems in translation files

    \`\`\`
    locales/en/cart.json:1:3: cart:a*''' appears more than once in the file (the key is repeated further down)
    locales/nl/cart.json:1:1: an error; the file may be misread from here on (no closing brace)
    \`\`\`

    "
  `);
  expect((await editor.rows("languages"))[0]).toMatchInlineSnapshot(
    `"Correct project-translations.json | 1 mistake"`,
  );
  const { command } = await editor.row("languages", "Correct");
  expect(command?.arguments).toMatchObject([
    { path: editor.uri("project-translations.json").path },
    { selection: { start: { line: 5, character: 18 } } },
  ]);
  const isShown = () => builtInCommands.some(([id]) => id === "markdown.showPreview");
  builtInCommands.length = 0;
  expect(await editor.run(showDiagnosisCommand, {})).toMatchObject({ outcome: "done" });
  expect(isShown()).toBe(false);
  expect(await editor.ask(showDiagnosisCommand, {})).toMatchObject({ outcome: "done" });
  expect(isShown()).toBe(true);
  // What is shown is the same text, as it is.
  const shown = await editor.report();
  expect(shown).toContain("## app");
  expect(shown).toContain("- `locales/{locale}/{namespace}.json` (json_js)");
  expect(shown).toContain(
    "\n```\nlocales/en/cart.json:1:3: cart:a*''' appears more than once in the file (the key is repeated further down)\n",
  );
  expect(shown).toContain("(no closing brace)\n```\n");
});

test("of a session says what the service has, and what was kept of others", async () => {
  editor = await openEditor({
    files: {
      ...COMPOSER,
      "project-translations.json": JSON.stringify({
        files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
      }),
      [ENGLISH]: `{ "title": "Cart", "total": "Total" }\n`,
    },
    service: SERVICE,
  });
  await editor.run(pushCommand, { only: [] });
  await editor.request("POST", "/keys/sync", {
    keys: [
      { namespace: "cart", key: "title", value: "Cart" },
      { namespace: "cart", key: "gone", value: "Gone" },
    ],
    archive: [],
  });
  expect(await editor.run(pushCommand, { dryRun: true })).toMatchObject({ plan: { new: 1 } });
  const input = { locale: "nl", translations: [{ namespace: "cart", key: "title", text: "Mandje" }] };
  await tools.get("project_translations_stage_translations")?.invoke({ input }, NOT_CANCELLED);
  const line = async (name: string) => new RegExp(`^- ${name}: (.*)$`, "mu").exec(await textOf())?.[1];
  const requests = /^(\d+) of (\d+) this minute$/u.exec(
    (await line("Requests left"))?.replaceAll(",", "") ?? "",
  );
  expect(Number(requests?.[1])).toBeLessThan(Number(requests?.[2]));
  expect(await line("Cache")).toMatch(/^checked just now, contentVersion \d+; languages: nl$/u);
  // What went wrong is there with the newest first, and the token is not.
  const { baseUrl = "", token = "" } = editor.service ?? {};
  expect(await editor.run(signInCommand, { baseUrl, token: "no-such-token" })).toMatchObject({
    outcome: "failed",
  });
  await editor.run(pushCommand, { only: ["nowhere"] });
  const whole = await textOf();
  const [, latest = ""] = whole.split("## Last warnings and errors\n\n");
  expect(latest).toMatch(/^```\n\S+ .*push failed \(invalid\).*\n\S+ .*signIn failed \(unauthorized\)/u);
  for (const secret of [token, "no-such-token"]) expect(whole).not.toContain(secret);
  const ofSession = (await report()).replace(/- Cache: .*\n/u, "");
  expect(ofSession).toMatchInlineSnapshot(`
    "# Project Translations: diagnostics

    - Language: en (VS Code: en)
    - Workspace trust: trusted

    ## app

    - Folder: FOLDER
    - Project file: FOLDER/project-translations.json
    - Base URL: URL
    - Session: Shop <1> (shop), reading and writing
    - Unsaved texts: 1
    - Keys on the service: 2
    - Source texts in files: 2 in 1 file (en)
    - Match rate: 50%: the service knows 1 of 2

    ### Layouts

    - \`locales/{locale}/{namespace}.json\` (json_js): 1 file, en

    ### Frameworks

    - i18next: package.json (i18next)

    "
  `);
  await editor.ask(showDiagnosisCommand, {});
  expect(await editor.report()).toContain(String.raw`- Session: Shop \<1\> (shop), reading and writing`);
  const { fetch } = globalThis;
  const refuse = () => Promise.resolve(Response.json({ message: "Not now." }, { status: 422 }));
  vi.stubGlobal("fetch", refuse);
  expect(await editor.run(refreshCommand, {})).toMatchObject({ outcome: "failed" });
  expect(await line("Cache")).toMatch(
    /^as of just now \(.*Not now\..*\), contentVersion \d+; languages: nl$/u,
  );
  vi.stubGlobal("fetch", fetch);
  await editor.run(signOutCommand, {});
  expect(/^- Unsaved texts: .*$/mu.exec(await textOf())?.[0]).toBe("- Unsaved texts: 0; 1 kept of Shop <1>");
  await editor.write("locales/nl/cart.json", "{}\n");
  await tools.get("project_translations_stage_translations")?.invoke({ input }, NOT_CANCELLED);
  await editor.run(signInCommand, { baseUrl, token });
  expect(await line("Unsaved texts")).toBe("1; 1 kept of the local files");
  // With a token that may only read.
  await editor.run(signInCommand, { baseUrl, token: editor.service?.readToken ?? "" });
  expect(await line("Session")).toBe("Shop <1> (shop), read-only");
  expect(await editor.run(refreshCommand, {})).toMatchObject({ outcome: "done" });
  // A window that opens, of a service that does not answer, on a disk that cannot be written.
  const personal = join(editor.stored.folder, "personal");
  const answered = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    await answered.promise;
    return fetch(...request);
  });
  const opening = editor.reload(async () => {
    await rm(personal, { recursive: true });
    await writeFile(personal, "");
  });
  let text: string | undefined;
  while (text === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    text = ((await editor.run(showDiagnosisCommand, {})) as { readonly text?: string } | undefined)?.text;
  }
  expect(text).toContain("\n## app\n");
  await waitUntil(async () => (await line("Cache")) !== "empty");
  expect(await line("Cache")).toMatch(/^as of just now, contentVersion \d+; languages: nl$/u);
  expect(await line("Unsaved texts")).toBe("0; in memory only: the disk cannot be written");
  expect(await line("Requests left")).toBe("not known yet");
  answered.resolve();
  await opening;
});

test("of a window without a project says so", async () => {
  editor = await openEditor({
    indexingProcess: true,
    files: { "a/README.md": "", "b/README.md": "" },
    folders: ["a", "b"],
  });
  expect(await textOf()).toContain(
    "\n\nNo project: this window has no project-translations.json, no translation files were recognised, and you are not signed in.\n\n## Last warnings and errors\n\nNone.\n",
  );
  // And then of one.
  await editor.write("a/project-translations.json", "{}");
  const file = async () => /^- Project file: (.*)$/mu.exec(await textOf())?.[1];
  await waitUntil(async () => (await file()) === "none, or an empty one");
  expect(await textOf()).toContain("### Frameworks\n\nNone was recognised.\n");
  await editor.write("a/package.json", COMPOSER["package.json"]);
  for (const locale of ["en", "nl"]) await editor.write(`a/locales/${locale}.json`, `{ "title": "Title" }`);
  await waitUntil(async () => (await file()) === "none; the layouts below were recognised");
  await editor.write("a/project-translations.json", `{ "sourceLocale": "nl" }`);
  await waitUntil(async () => (await file()) === editor.uri("a/project-translations.json").fsPath);
  expect(await textOf()).toContain("- `locales/{locale}.json` (json_js): 2 files, en, nl");
  workspace.isTrusted = false;
  expect(await textOf()).toContain("- Workspace trust: not trusted: no network");
  workspace.isTrusted = true;
  Object.assign(env, { remoteName: "wsl" });
  expect(await textOf()).toContain("- VS Code: 1.0.0 (VS Code, wsl)\n");
  Object.assign(env, { remoteName: undefined });
  expect(await textOf()).toContain("- VS Code: 1.0.0 (VS Code)\n");
});
