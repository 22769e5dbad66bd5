/** A window that is signed in to a service: its views, its status bar, its menu, and what commands do there. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveCommand, findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import { listenForWebhooksCommand } from "../../../src/features/webhooks/webhook-commands.ts";
import { listJobsCommand } from "../../../src/features/activity-view/activity-view.ts";
import { listIssuesCommand } from "../../../src/features/list-issues/list-issues-command.ts";
import {
  refreshCommand,
  setSourceLanguageCommand,
  signInCommand,
  signOutCommand,
  stopListeningCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  applySuggestionCommand,
  editTranslationCommand,
  extractKeyCommand,
  setTranslationsCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { showDiagnosisCommand, showMenuCommand } from "../../../src/commands/declarations/window-commands.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  answerNextList,
  builtInCommands,
  type CompletionList,
  pickInNextList,
  statusBarItems,
  views,
} from "../support/vscode-stub.ts";
import { SHOP } from "../support/fixture-project.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount',
    'items' => ':count item|:count items',
    'old' => 'Old',
];
`,
  "lang/nl/cart.php": `<?php

return [
    'title' => 'Je mandje',
];
`,
  "app/Cart.php": `<?php

echo __('cart.title'), __('cart.total', ['amount' => 3]), trans_choice('cart.items', 2), __('cart.unknown');
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: SHOP });
});
afterAll(() => editor.close());

const status = () => statusBarItems.get("projectTranslations.status");
/** Without the times of changes. */
const rows = async (view: string, ...path: readonly string[]): Promise<readonly string[]> =>
  (await editor.rows(view, ...path)).map((row) =>
    row.replace(/(?: ·| \|) (?:just now|\d+ minutes? ago)$/u, ""),
  );

test("after the sign-in, nothing is at the service, and all source texts are to be pushed", async () => {
  await waitUntil(() => status()?.text.includes("$(arrow-up)4"));
  expect(status()?.tooltip).toMatchInlineSnapshot(`"Shop · nl 0% · fr 0% · To push: 4 source texts"`);
  await waitUntil(async () => (await rows("activity")).some((row) => row.includes("to push")));
  expect(await rows("activity")).toMatchInlineSnapshot(`
    [
      "4 source texts to push | 4 new",
      "Checked for changes",
    ]
  `);
  expect(await rows("languages")).toEqual([]);
  await waitUntil(() => view("languages")?.description === "Shop");
});

test("a push shows in all views", async () => {
  const [languages, activity] = [editor.follow("languages"), editor.follow("activity")];
  expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "done", result: { created: 4 } });
  await editor.run(refreshCommand, {});
  // What is to be sent and fetched is counted last.
  await waitUntil(async () => (await rows("languages"))[1] === "Nederlands (nl) | 0% · 1 not on the service");
  expect(await rows("languages")).toEqual([
    "English (en) | source, 4 keys",
    "Nederlands (nl) | 0% · 1 not on the service",
    "Français (fr) | 0%",
  ]);
  expect(await rows("languages", "Nederlands")).toEqual([
    "Untranslated (4)",
    "Local, not on the service (1)",
  ]);
  expect(await rows("languages", "Nederlands", "Local")).toEqual(["cart.title | Je mandje"]);
  await waitUntil(() => languages().includes("Nederlands (nl) | 0% · 1 not on the service"));
  await waitUntil(() => activity().some((row) => row.startsWith("Pushed to Shop")));
  await waitUntil(() =>
    activity().some((row) => row.startsWith("1 local translation is not on the service")),
  );
  expect(await rows("languages", "English", "All keys")).toMatchInlineSnapshot(`
    [
      "cart.title | Your cart",
      "cart.total | Total: :amount",
      "cart.items | one: :count item · other: :count items",
      "cart.old | Old",
    ]
  `);
  const menuOf = async (...path: readonly string[]) =>
    (await editor.row("languages", ...path, "cart.title")).contextValue;
  expect(await menuOf("English", "All keys")).toBe("key");
  expect(await menuOf("Nederlands", "Untranslated")).toBe("translation");
  expect(await rows("languages", "Nederlands", "Untranslated")).toMatchInlineSnapshot(`
    [
      "cart.title | Your cart",
      "cart.total | Total: :amount",
      "cart.items | one: :count item · other: :count items",
      "cart.old | Old",
    ]
  `);
});

/** Writes Dutch translations; the views show them soon. */
async function translate(texts: Readonly<Record<string, string>>): Promise<void> {
  const items = Object.entries(texts).map(([key, value]) => ({ namespace: "cart", key, value }));
  expect(await editor.run(setTranslationsCommand, { locale: "nl", items })).toMatchObject({
    outcome: "done",
    written: items.length,
  });
  await editor.run(refreshCommand, {});
}
const view = (name: string) => views.get(`projectTranslations.${name}`);

test("translations show in the views, the problems and the hover", async () => {
  await translate({ title: "Je mandje", total: "Totaal: :amont" });
  await waitUntil(async () =>
    (await rows("languages")).some((row) => row === "Nederlands (nl) | 50% · 1 QA error"),
  );
  expect(await rows("languages")).toMatchInlineSnapshot(`
    [
      "English (en) | source, 4 keys",
      "Nederlands (nl) | 50% · 1 QA error",
      "Français (fr) | 0%",
    ]
  `);
  expect(await rows("languages", "Nederlands")).toMatchInlineSnapshot(`
    [
      "Untranslated (2)",
      "QA issues (1)",
      "Translated (2)",
    ]
  `);
  expect(await rows("languages", "Nederlands", "Translated")).toMatchInlineSnapshot(`
    [
      "cart.title | Je mandje",
      "cart.total | Totaal: :amont",
    ]
  `);
  expect(await rows("languages", "Nederlands", "QA issues")).toMatchInlineSnapshot(`
    [
      ":amount is missing | cart.total",
    ]
  `);
  await waitUntil(async () => (await rows("issues")).length > 0);
  expect(await rows("issues")).toMatchInlineSnapshot(`
    [
      "Nederlands (nl) | 1 QA error",
    ]
  `);
  expect(await rows("issues", "Nederlands")).toMatchInlineSnapshot(`
    [
      ":amount is missing | cart.total",
    ]
  `);
  await waitUntil(() => view("issues")?.badge !== undefined);
  expect(view("issues")?.badge).toMatchInlineSnapshot(`
    {
      "tooltip": "1 QA error",
      "value": 1,
    }
  `);
  await waitUntil(() => view("issues")?.message === "");
  const { contextValue, command } = await editor.row("issues", "Nederlands", ":amount is missing");
  expect([contextValue, command?.command]).toEqual(["issueWithSuggestion", "projectTranslations.goToEntry"]);
  await waitUntil(
    async () => !(await editor.hover("app/Cart.php", "'cart.to|tal'"))?.includes("not read yet"),
  );
  expect(await editor.hover("app/Cart.php", "'cart.to|tal'")).toMatchInlineSnapshot(`
    "**cart&#46;total**

    \`en\` Total&#58; &#58;amount ⏎
    \`nl\` Totaal&#58; &#58;amont $(error) &#58;amount is missing&#44; &#58;amont is unknown [$(edit)](editTranslation . cart total  nl "Edit nl") ⏎
    \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart total  fr "Edit fr")

    ---

    [$(go-to-file) Go to Entry](goToEntry . cart total ) &nbsp; [$(globe) All languages](openEditor . cart total )"
  `);
  expect(await editor.hover("app/Cart.php", "'cart.unk|nown'")).toMatchInlineSnapshot(`
    "**cart&#46;unknown**

    $(question) The service does not know this key&#46;"
  `);
});

test("issues are listed for all languages, or for one", async () => {
  expect(await editor.run(listIssuesCommand, {})).toMatchInlineSnapshot(`
    {
      "issues": [
        {
          "context": null,
          "form": "",
          "key": "total",
          "level": "error",
          "locale": "nl",
          "namespace": "cart",
          "placeholder": ":amount",
          "rule": "laravel.missing",
          "suggestion": "Totaal: :amount",
        },
      ],
      "outcome": "done",
    }
  `);
  expect(await editor.run(listIssuesCommand, { locale: "fr" })).toEqual({ outcome: "done", issues: [] });
  expect(await editor.run(listIssuesCommand, { locale: "de" })).toMatchObject({
    error: { code: "not_found" },
  });
});

test("a suggestion is applied from the row of its issue", async () => {
  expect(
    await editor.runOnRow(applySuggestionCommand, "issues", "Nederlands", ":amount is missing"),
  ).toMatchObject({ outcome: "done" });
  await editor.run(refreshCommand, {});
  await waitUntil(async () => (await rows("issues")).length === 0);
  await waitUntil(() => view("issues")?.badge === undefined);
  await waitUntil(() => view("issues")?.message === "No QA issues.");
  expect(await editor.run(applySuggestionCommand, {})).toMatchObject({ error: { code: "not_found" } });
});

test("a translation is edited in an input box, in a language that is chosen", async () => {
  await editor.show("app/Cart.php", "'cart.ti|tle'");
  answerNextList((list) => {
    expect(list.title).toBe("cart.title");
    expect(list.items.map(({ label, description, detail }) => [label, description, detail]))
      .toMatchInlineSnapshot(`
        [
          [
            "English (en)",
            "source, edited in the local file",
            "Your cart",
          ],
          [
            "Nederlands (nl)",
            "",
            "Je mandje",
          ],
          [
            "Français (fr)",
            "$(circle-slash) untranslated",
            "",
          ],
        ]
      `);
    // The source text is edited elsewhere.
    expect(list.activeItems.map(({ label }) => label)).toEqual(["Nederlands (nl)"]);
    list.move("fr");
    list.accept();
  });
  answerNextInput((input) => {
    expect([input.title, input.value, input.prompt]).toEqual(["fr · cart.title", "", "Source: Your cart"]);
    input.type("Votre panier");
    input.accept();
  });
  expect(await editor.ask(editTranslationCommand, {})).toMatchObject({
    outcome: "done",
    row: { value: "Votre panier" },
  });
  // The same text again.
  answerNextInput((input) => input.accept());
  expect(await editor.ask(editTranslationCommand, { namespace: "cart", key: "title", locale: "fr" })).toEqual(
    { outcome: "unchanged", row: null },
  );
  answerNextInput((input) => {
    input.type("Panier");
    input.hide();
  });
  expect(await editor.ask(editTranslationCommand, { namespace: "cart", key: "title", locale: "fr" })).toEqual(
    { outcome: "cancelled" },
  );
  expect(
    await editor.run(editTranslationCommand, { namespace: "cart", key: "title", locale: "fr" }),
  ).toMatchObject({ error: { code: "invalid" } });
  expect(
    await editor.ask(editTranslationCommand, { namespace: "cart", key: "nothing", locale: "fr" }),
  ).toMatchObject({ error: { code: "not_found" } });
});

test("the source text is edited in its file", async () => {
  answerNextInput((input) => {
    expect([input.title, input.value]).toEqual(["en · cart.old", "Old"]);
    input.type("Older");
    input.accept();
  });
  expect(
    await editor.ask(editTranslationCommand, { namespace: "cart", key: "old", locale: "en" }),
  ).toMatchObject({ outcome: "done", row: null });
  expect(await editor.read("lang/en/cart.php")).toContain("'old' => 'Older'");
  await waitUntil(async () =>
    (await rows("activity")).some((row) => row.startsWith("1 source text to push | 1 changed")),
  );
  await waitUntil(() => status()?.text.includes("$(arrow-up)1"));
  await editor.show("lang/en/cart.php");
  await waitUntil(() => editor.problems("lang/en/cart.php").length > 0);
  expect(editor.problems("lang/en/cart.php")).toMatchInlineSnapshot(`
    [
      "7: “cart.old” is not pushed yet: the service has another text.",
    ]
  `);
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
  await waitUntil(() => editor.problems("lang/en/cart.php").length === 0);
});

test("lenses and outdated translations follow a push", async () => {
  await editor.run(refreshCommand, {});
  await waitUntil(async () => (await editor.lenses("lang/en/cart.php")).includes("4 1 reference"));
  expect(await editor.lenses("lang/en/cart.php")).toMatchInlineSnapshot(`
    [
      "4 2/2 translated",
      "4 1 reference",
      "5 1/2 translated",
      "5 1 reference",
      "6 0/2 translated",
      "6 1 reference",
      "7 0/2 translated",
      "7 0 references",
    ]
  `);
  await editor.write(
    "lang/en/cart.php",
    (await editor.read("lang/en/cart.php")).replace("Your cart", "Our cart"),
  );
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { updated: 1 } });
  await editor.run(refreshCommand, {});
  await waitUntil(async () => (await rows("languages")).some((row) => row.includes("1 outdated")));
  expect(await rows("languages")).toMatchInlineSnapshot(`
    [
      "English (en) | source, 4 keys",
      "Nederlands (nl) | 50% · 1 outdated",
      "Français (fr) | 25% · 1 outdated",
    ]
  `);
  expect(await rows("languages", "Nederlands", "Outdated")).toMatchInlineSnapshot(`
    [
      "cart.title | Je mandje",
    ]
  `);
  expect(await editor.hover("app/Cart.php", "'cart.ti|tle'")).toMatchInlineSnapshot(`
    "**cart&#46;title**

    \`en\` Our cart ⏎
    \`nl\` Je mandje $(history) outdated [$(edit)](editTranslation . cart title  nl "Edit nl") ⏎
    \`fr\` Votre panier $(history) outdated [$(edit)](editTranslation . cart title  fr "Edit fr")

    $(history) Source text before&#58; Your cart

    ---

    [$(go-to-file) Go to Entry](goToEntry . cart title ) &nbsp; [$(globe) All languages](openEditor . cart title )"
  `);
});

test("the menu of the status bar runs what is chosen", async () => {
  // What is to be sent and fetched is counted last.
  await waitUntil(async () => {
    const shown = await rows("activity");
    return shown.includes("Nothing to push") && shown.some((row) => row.includes("to pull"));
  });
  pickInNextList((items, { title }) => {
    expect(title).toBe("Shop");
    expect(
      items.map(({ label, description }) =>
        [label, description]
          .filter(Boolean)
          .join(" | ")
          .replace(editor.service?.baseUrl ?? "", "URL"),
      ),
    ).toMatchInlineSnapshot(`
      [
        "$(cloud-upload) Push…",
        "$(cloud-download) Pull… | 1 translation",
        "$(file-add) Import Files…",
        "$(edit) Edit Translation…",
        "$(refresh) Refresh",
        "Show",
        "$(table) Open Translation Editor",
        "$(globe) Languages",
        "$(warning) QA Issues",
        "$(pulse) Activity",
        "$(search) Search Keys…",
        "$(references) Find Unused Keys",
        "$(eye-closed) Hide Inline Translations",
        "$(globe) Inline Language… | English (en)",
        "Project",
        "$(gear) Configure Project…",
        "$(info) Show Diagnostics",
        "$(sign-out) Sign Out | URL",
        "$(settings-gear) Settings",
        "$(mortar-board) Walkthrough",
      ]
    `);
    return items.find(({ label }) => label.includes("QA Issues"));
  });
  expect(await editor.ask(showMenuCommand, {})).toEqual({ outcome: "done" });
  await waitUntil(() => builtInCommands.some(([id]) => id === "projectTranslations.issues.focus"));
  expect(await editor.run(showMenuCommand, {})).toEqual({ outcome: "cancelled" });
  // A command is for the project of the menu.
  const shown = builtInCommands.length;
  pickInNextList((items) => items.find(({ label }) => label.includes("Show Diagnostics")));
  await editor.ask(showMenuCommand, {});
  await waitUntil(() => builtInCommands.slice(shown).some(([id]) => id === "markdown.showPreview"));
  expect(await editor.report()).toContain("## app");
  pickInNextList(() => undefined);
  expect(await editor.ask(showMenuCommand, {})).toEqual({ outcome: "cancelled" });
});

test("a diagnosis says what is known of the project and the session", async () => {
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  const lines = text
    .split("\n")
    .filter((line) => /^- (?:Session|Base URL|Keys|Source|Match|Unsaved|Project file)|^#/u.test(line));
  expect(lines.map((line) => line.replace(editor.service?.baseUrl ?? "", "URL"))).toMatchInlineSnapshot(`
    [
      "# Project Translations: diagnostics",
      "## app",
      "- Project file: none; the layouts below were recognised",
      "- Base URL: URL",
      "- Session: Shop (shop), reading and writing",
      "- Unsaved texts: 0",
      "- Keys on the service: 4",
      "- Source texts in files: 4 in 2 files (en)",
      "- Match rate: 100%: the service knows 4 of 4",
      "### Layouts",
      "### Frameworks",
      "## Last warnings and errors",
    ]
  `);
});

test("deliveries of webhooks are received until that is stopped", async () => {
  expect(await editor.run(listenForWebhooksCommand, {})).toMatchObject({ error: { code: "invalid" } });
  expect(await editor.run(stopListeningCommand, {})).toEqual({ outcome: "unchanged" });
  const first = (await editor.run(listenForWebhooksCommand, { secret: "a-secret-of-the-webhook" })) as {
    readonly outcome: string;
    readonly url?: string;
    readonly port?: number;
  };
  expect(first).toMatchObject({ outcome: "done", url: `http://127.0.0.1:${first.port}/` });
  await waitUntil(async () =>
    (await rows("activity")).some((row) => row === `Listening for webhooks | ${first.url}`),
  );
  expect(await editor.run(listenForWebhooksCommand, {})).toEqual({ ...first, outcome: "unchanged" });
  expect(await fetch(first.url ?? "", { method: "POST", body: "{}" })).toMatchObject({ status: 401 });
  expect(await fetch(first.url ?? "")).toMatchObject({ status: 405 });
  expect(await editor.run(stopListeningCommand, {})).toEqual({ outcome: "done" });
  await expect(fetch(first.url ?? "")).rejects.toThrow("fetch failed");
  await waitUntil(async () => (await rows("activity")).every((row) => !row.startsWith("Listening")));
});

test("what only works without a service is refused", async () => {
  expect(await editor.run(setSourceLanguageCommand, { locale: "nl" })).toMatchObject({
    error: { code: "invalid" },
  });
  expect(await editor.run(listJobsCommand, {})).toEqual({ outcome: "done", jobs: [] });
  const archived = await editor.run(archiveCommand, { hashes: [] });
  expect(archived.outcome).toBe("unchanged");
});

test("a wrong token is refused, and the session stays", async () => {
  const { baseUrl } = editor.service ?? { baseUrl: "" };
  expect(await editor.run(signInCommand, { baseUrl, token: "wrong" })).toMatchObject({
    error: { code: "unauthorized" },
  });
  expect(await editor.run(signInCommand, { baseUrl })).toMatchObject({ error: { code: "invalid" } });
  expect(await editor.run(signInCommand, { baseUrl: "ftp://x", token: "a" })).toMatchObject({
    error: { code: "invalid" },
  });
  expect(await editor.run(pushCommand, {})).toMatchObject({ outcome: "unchanged" });
});

test("a key that is archived on the service is said to be that, and is not to be pushed", async () => {
  const hash = keyHash({ namespace: "cart", key: "total", context: null });
  expect(await editor.run(archiveCommand, { hashes: [hash] })).toMatchObject({ outcome: "done" });
  await editor.show("lang/en/cart.php");
  // Those of the texts as they were before may be shown first.
  await waitUntil(
    () => editor.problems("lang/en/cart.php").join() === "5: “cart.total” is archived on the service.",
  );
  expect(await editor.hover("app/Cart.php", "'cart.to|tal'")).toMatchInlineSnapshot(`
    "**cart&#46;total**

    Total&#58; &#58;amount

    $(archive) This key is archived on the service&#46; Restore it first&#46;

    ---

    [$(go-to-file) Go to Entry](goToEntry . cart total )"
  `);
  expect(await rows("activity")).toContain("Nothing to push");
});

test("placeholders are those of the text in the file, which may be newer than that of the service", async () => {
  const before = await editor.read("lang/en/cart.php");
  await editor.write("lang/en/cart.php", before.replace("'Older'", "'Older than :age'"));
  await editor.show("lang/en/cart.php");
  await waitUntil(() => editor.problems("lang/en/cart.php").some((problem) => problem.includes("cart.old")));
  await editor.write("app/Old.php", "<?php\n\necho __('cart.old', ['']);\n");
  const given = ["Completion", "provideCompletionItems", "app/Old.php", "['|']"] as const;
  const list = await editor.provide<CompletionList | undefined>(...given);
  expect(list?.items.map(({ label, insertText }) => [label.label, insertText])).toEqual([["age", "age"]]);
  // Translations in files are compared with it, too.
  const dutch = await editor.read("lang/nl/cart.php");
  const texts = "    'old' => 'Ouder dan :age',\n    'items' => ':cont ding|:count dingen',\n];";
  await editor.write("lang/nl/cart.php", dutch.replace("];", texts));
  await editor.show("lang/nl/cart.php");
  await waitUntil(() => editor.problems("lang/nl/cart.php").length > 0);
  expect(editor.problems("lang/nl/cart.php")).toEqual(["6: cart.items (nl): :cont is unknown (form “one”)"]);
  await editor.write("lang/en/cart.php", before);
  await editor.write("lang/nl/cart.php", dutch);
});

test("no text is extracted into a key that only the service has, with another text", async () => {
  const keys = [
    { namespace: "cart", key: "only", value: "Theirs" },
    { namespace: "cart", key: "special_offer", value: "Their offer" },
  ];
  await editor.request("POST", "/keys/sync", { keys, archive: [] });
  await editor.run(refreshCommand, {});
  await editor.write("app/Offer.php", "<?php\n\necho __('cart.title'), 'Special offer', 'Theirs';\n");
  await editor.show("app/Offer.php", "|'Special offer'|");
  expect(await editor.run(extractKeyCommand, { key: "cart.only" })).toMatchObject({
    error: {
      message: "There is a key cart.only with another text. Nothing was changed; choose another name.",
    },
  });
  expect(await editor.read("lang/en/cart.php")).not.toContain("only");
  // Nor is such a name proposed, and its own text is offered.
  await editor.show("app/Offer.php", "|'Special offer'|");
  answerNextInput((input) => {
    expect(input.value).toBe("cart.special_offer2");
    input.hide();
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "cancelled" });
  await editor.show("app/Offer.php", "|'Theirs'|");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(symbol-key) Use cart.only", "$(add) New Key…"]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "cart.only", file: null });
});

test("after signing out, the views show the files, and commands of the service ask for a sign-in", async () => {
  await editor.ask(findUnusedCommand, {});
  expect(await rows("usage")).not.toEqual([]);
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "unchanged" });
  await waitUntil(() => status()?.text === "$(globe) Translations: local files");
  await waitUntil(async () =>
    (await rows("languages")).some((row) => row.startsWith("Nederlands (nl) | 25%")),
  );
  expect(await rows("languages")).toMatchInlineSnapshot(`
    [
      "Connect to a translation service… | sign in, or start one here",
      "English (en) | source, 4 keys",
      "Nederlands (nl) | 25%",
    ]
  `);
  // The report was of the keys of the service.
  await waitUntil(async () => (await rows("usage")).length === 0);
  expect(await rows("activity")).toEqual([]);
  await waitUntil(
    () => view("activity")?.message === "Jobs and pending changes are listed here once you are signed in.",
  );
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "not_signed_in" } });
  expect(await editor.run(listenForWebhooksCommand, { secret: "a-secret-of-the-webhook" })).toMatchObject({
    outcome: "failed",
  });
});
