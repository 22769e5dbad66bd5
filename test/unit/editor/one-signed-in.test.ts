/** Two projects in a window, one of which somebody is signed in to. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  refreshCommand,
  signInCommand,
  signOutCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  showMenuCommand,
  toggleInlayHintsCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { startService, type RunningService } from "../../../src/local-service/start-service.ts";
import { listIssuesCommand } from "../../../src/features/list-issues/list-issues-command.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { showUsageReportCommand } from "../../../src/features/usage-report/usage-report-command.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { type Editor, openEditor, wordsAt } from "../support/open-editor.ts";
import {
  changedFocus,
  type CodeAction,
  type Location,
  pickInNextList,
  problems,
  Range,
  setSetting,
  statusBarItems,
  type Uri,
  views,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const app = (folder: string, title: string) => ({
  [`${folder}/composer.json`]: JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  [`${folder}/lang/en/cart.php`]: `<?php\n\nreturn ['title' => '${title}'];\n`,
  [`${folder}/lang/nl/cart.php`]: "<?php\n\nreturn ['title' => 'Mandje'];\n",
});

let editor: Editor;
let service: RunningService;
beforeAll(async () => {
  service = await startService({ demo: true });
  editor = await openEditor({
    files: {
      ...app("shop", "Cart"),
      ...app("blog", "Basket"),
      "empty/project-translations.json": JSON.stringify({
        files: [{ path: "texts/{locale}.json", format: "json_js" }],
      }),
    },
    folders: ["blog", "shop", "empty"],
  });
  await editor.run(listKeysCommand, { folder: editor.uri("blog").fsPath });
  const { baseUrl, token } = service;
  const folder = editor.uri("shop").fsPath;
  expect(await editor.run(signInCommand, { folder, baseUrl, token })).toMatchObject({ outcome: "done" });
});
afterAll(async () => {
  await editor.close();
  await service.stop();
});

const status = () => statusBarItems.get("projectTranslations.status")?.text;

test("issues are listed of all languages, also of those that nobody looked at", async () => {
  const { baseUrl, token } = service;
  const answer = await fetch(`${baseUrl}/stats`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as {
    readonly data: { readonly languages: readonly { readonly locale: string; readonly qaErrors: number }[] };
  };
  const counted = data.languages.filter(({ qaErrors }) => qaErrors > 0).map(({ locale }) => locale);
  const folder = editor.uri("shop").fsPath;
  const list = async (options: object) => {
    const { issues } = (await editor.run(listIssuesCommand, { folder, ...options })) as unknown as {
      readonly issues: readonly (KeyName & {
        readonly locale: string;
        readonly level: string;
        readonly form: string;
      })[];
    };
    return issues;
  };
  const issues = await list({});
  const errors = issues.filter(({ level }) => level === "error");
  expect(counted.length).toBeGreaterThan(2);
  expect([...new Set(errors.map(({ locale }) => locale))].toSorted()).toEqual(counted.toSorted());
  // And then somebody clears a text with one, elsewhere.
  const { locale, namespace, key, context } =
    errors.find(({ form }) => form === "") ?? errors[0] ?? expect.fail();
  const cleared = await fetch(`${baseUrl}/translations/${locale}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ mode: "overwrite", translations: [{ namespace, key, context, value: "" }] }),
  });
  expect(cleared.ok).toBe(true);
  const left = issues.filter((issue) => issue.locale === locale && issue.key !== key);
  expect(await list({ locale })).toEqual(left);
});

test("the views have rows of the one, and say nothing of the other", async () => {
  await waitUntil(async () => (await editor.rows("activity")).length > 0);
  await waitUntil(() => views.get("projectTranslations.activity")?.message === "");
  await waitUntil(async () => (await editor.rows("languages")).some((row) => row === "shop | Webshop"));
  expect(await editor.rows("languages")).toEqual([
    "Name the Files… | no file at texts/{locale}.json",
    "Connect to a translation service… | sign in, or start one here",
    "blog | local files",
    "empty | signed out",
    "shop | Webshop",
  ]);
  // Of which project would it be?
  expect(views.get("projectTranslations.languages")?.description).toBe("");
  expect((await editor.row("languages", "shop")).contextValue).toBe("project");
  expect((await editor.row("languages", "blog")).contextValue).toBe("signedOutProject");
});

test("the status bar and its menu are those of the editor, or of the one that is signed in", async () => {
  await waitUntil(() => status()?.startsWith("$(globe) Webshop"));
  await editor.show("blog/lang/en/cart.php");
  await waitUntil(() => status() === "$(globe) Translations: local files");
  pickInNextList((items, { title }) => {
    expect([title, items[0]?.label]).toEqual(["blog", "$(sign-in) Sign In…"]);
    return undefined;
  });
  await editor.ask(showMenuCommand, {});
  await editor.show("shop/lang/en/cart.php");
  await waitUntil(() => status()?.startsWith("$(globe) Webshop"));
});

test("a report is of the project that it was asked for, also while another one is edited, or signs out", async () => {
  await editor.show("shop/lang/en/cart.php");
  pickInNextList("Find Unused Keys");
  expect(await editor.ask(showMenuCommand, { folder: editor.uri("blog").fsPath })).toEqual({
    outcome: "done",
  });
  await waitUntil(async () => (await editor.rows("usage")).length > 0);
  await editor.ask(showUsageReportCommand, {});
  expect(await editor.report()).toContain("# Usage of keys: blog");
});

test("a window asks by itself for the one that is signed in, also after one that is not", async () => {
  await editor.run(refreshCommand, { folder: editor.uri("shop").fsPath });
  const { fetch: send } = globalThis;
  const { now } = Date;
  let requests = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    requests += 1;
    return send(input, init);
  });
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  changedFocus.fire({ focused: true });
  await waitUntil(() => requests > 0);
});

test("references to a key that was not pushed are those in the other project, too", async () => {
  const path = "shop/lang/en/fresh.php";
  await editor.write(path, "<?php\n\nreturn ['only' => 'Only'];\n");
  for (const folder of ["shop", "blog"])
    await editor.write(`${folder}/app/Fresh.php`, "<?php\n\necho __('fresh.only');\n");
  await waitUntil(async () => {
    const given = ["Reference", "provideReferences", path, "'on|ly'"] as const;
    const found = await editor.provide<readonly Location[] | undefined>(...given, {
      includeDeclaration: false,
    });
    const words = (await wordsAt(editor, found ?? [])).toSorted();
    return words.join() === "blog/app/Fresh.php: fresh.only,shop/app/Fresh.php: fresh.only";
  });
});

test("code of one project shows a text of the other that was not pushed, and where it is", async () => {
  const { baseUrl, token } = service;
  const sent = await fetch(`${baseUrl}/keys/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ keys: [{ namespace: "extra", key: "one", value: "One" }], archive: [] }),
  });
  expect(sent.ok).toBe(true);
  await editor.run(refreshCommand, { folder: editor.uri("shop").fsPath });
  await editor.write("shop/lang/en/extra.php", "<?php\n\nreturn ['one' => 'One', 'two' => 'Two'];\n");
  const code = "blog/app/Extra.php";
  await editor.write(code, "<?php\n\necho __('extra.two');\n");
  await waitUntil(async () => (await editor.hover(code, "'extra.tw|o'"))?.includes("Not pushed yet"));
  expect(await editor.hover(code, "'extra.tw|o'")).toMatchInlineSnapshot(`
    "**extra&#46;two**

    Two

    $(cloud-upload) Not pushed yet

    ---

    [$(go-to-file) Go to Entry](goToEntry ./shop extra two )"
  `);
  expect(await editor.hints(code)).toEqual(["3:19 Two"]);
  const [entry, ...others] = await editor.provide<readonly { readonly targetUri: Uri }[]>(
    "Definition",
    "provideDefinition",
    code,
    "'extra.tw|o'",
  );
  expect([entry?.targetUri.path, others]).toEqual([editor.uri("shop/lang/en/extra.php").path, []]);
  const given = ["Reference", "provideReferences", code, "'extra.tw|o'"] as const;
  await waitUntil(async () => {
    const found = await editor.provide<readonly Location[]>(...given, { includeDeclaration: true });
    return (await wordsAt(editor, found)).join() === `shop/lang/en/extra.php: two,${code}: extra.two`;
  });
});

test("inline translations are switched off in the project that it was asked for", async () => {
  const [shop, blog] = ["shop/app/Fresh.php", "blog/app/Extra.php"] as const;
  expect([await editor.hints(shop), await editor.hints(blog)]).toEqual([["3:20 Only"], ["3:19 Two"]]);
  const folder = editor.uri("shop").fsPath;
  setSetting("projectTranslations.inlayHints.enabled", true, 3, { folder: editor.uri("shop") });
  expect(await editor.run(toggleInlayHintsCommand, { folder })).toEqual({ outcome: "done", enabled: false });
  expect([await editor.hints(shop), await editor.hints(blog)]).toEqual([[], ["3:19 Two"]]);
  expect(await editor.run(toggleInlayHintsCommand, { folder })).toEqual({ outcome: "done", enabled: true });
  expect(await editor.hints(shop)).toEqual(["3:20 Only"]);
});

test("no key is said to be unknown while the keys of the project that would have it are not known", async () => {
  const path = "blog/app/Late.php";
  const file = "shop/lang/nl/checkout.php";
  const folder = editor.uri("shop").fsPath;
  await editor.write(path, "<?php\n\necho __('checkout.nobody');\n");
  const isFound = () => editor.problems(path).length === 1;
  await waitUntil(isFound);
  const { fetch: send } = globalThis;
  for (const isShown of [false, true]) {
    if (isShown) await editor.show(path);
    vi.stubGlobal("fetch", async () => Response.json({ message: "Not now." }, { status: 422 }));
    expect(await editor.run(refreshCommand, { folder })).toMatchObject({ outcome: "failed" });
    await waitUntil(() => !isFound());
    vi.stubGlobal("fetch", send);
    await editor.run(refreshCommand, { folder });
    await waitUntil(isFound);
    // Nor if only a file of that project has it.
    await editor.write(file, "<?php\n\nreturn ['nobody' => 'Nobody'];\n");
    await waitUntil(() => !isFound());
    await editor.write(file, "<?php\n\nreturn [];\n");
    await waitUntil(isFound);
  }
  expect(editor.problems(path)).toEqual([
    "3: Unknown key “checkout.nobody”: neither the service nor a translation file has it.",
  ]);
});

test("a key that only a file has is known, and pushed from its project", async () => {
  const path = "shop/app/Mine.php";
  const fresh = "shop/lang/en/fresh.php";
  const before = await editor.read(fresh);
  await editor.write(path, "<?php\n\necho __('fresh.nobody');\n");
  const isFound = () => editor.problems(path).length === 1;
  for (const isShown of [false, true]) {
    await editor.show(isShown ? path : fresh);
    await waitUntil(isFound);
    await editor.write(fresh, before.replace("[", "['nobody' => 'Nobody', "));
    await waitUntil(() => !isFound());
    await editor.write(fresh, before);
  }
  await editor.show(fresh);
  await waitUntil(() => editor.problems(fresh).length === 1);
  expect(editor.problems(fresh)).toEqual([
    "3: “fresh.only” is not pushed yet: the service does not have this key.",
  ]);
  // So is a text that was another one before the sign-in.
  const other = "shop/lang/en/cart.php";
  await editor.show(other);
  await waitUntil(() => editor.problems(other).length > 0);
  expect(editor.problems(other)).toEqual([
    "3: “cart.title” is not pushed yet: the service has another text.",
  ]);
  const context = { diagnostics: problems.of(editor.uri(fresh)), only: undefined };
  const given = ["CodeActions", "provideCodeActions", fresh, new Range(0, 0, 0, 0), context] as const;
  const fixes = (await editor.provideAll<readonly CodeAction[]>(...given)).flat();
  const only = [keyHash({ namespace: "fresh", key: "only", context: null })];
  expect(fixes.map(({ title, command }) => [title, command?.arguments])).toEqual([
    ["Push this key…", [{ folder: editor.uri("shop"), only }]],
  ]);
});

test("commands are for the project of the editor", async () => {
  await editor.show("blog/lang/en/cart.php");
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "not_signed_in" } });
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "unchanged" });
  await editor.show("shop/lang/en/cart.php");
  // Another window signs out, and in again, while the other project is the active one here.
  await editor.show("blog/lang/en/cart.php");
  const { secrets } = editor.stored;
  const name = secrets.keys().find((each) => each.startsWith("token.")) ?? "";
  const token = (await secrets.get(name)) ?? "";
  await secrets.delete(name);
  await waitUntil(async () => (await editor.rows("languages")).includes("shop | local files"));
  await secrets.store(name, token);
  await waitUntil(async () => (await editor.rows("languages")).includes("shop | Webshop"));
  await editor.show("shop/lang/en/cart.php");
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
  await waitUntil(async () => (await editor.rows("languages")).includes("shop | local files"));
  // The report is of the other one.
  expect(await editor.rows("usage")).not.toEqual([]);
});
