/** Problems of files that are not shown, while a setting changes how they are shown. */
import { afterEach, expect, test, vi } from "vitest";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { type CodeAction, DiagnosticSeverity, problems, Range, setSetting } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const CODE = "app/Cart.php";

let editor: Editor;
afterEach(() => editor.close());

test("a setting that is back before they are looked for again counts", async () => {
  let held: Promise<void> | null = null;
  let isHeld = false;
  const forProject = Reflect.get(IndexerClient.prototype, "forProject");
  vi.spyOn(IndexerClient.prototype, "forProject").mockImplementation(function (this: IndexerClient, ...args) {
    const indexing = forProject.apply(this, args);
    const find: typeof indexing.problems.find = async (...request) => {
      const found = await indexing.problems.find(...request);
      isHeld = held !== null;
      await held;
      return found;
    };
    return { ...indexing, problems: { ...indexing.problems, find } };
  });
  editor = await openEditor({
    files: {
      "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
      "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
      [CODE]: "<?php\n\necho __('cart.nobody');\n",
    },
  });
  const severity = () => problems.of(editor.uri(CODE))[0]?.severity;
  await waitUntil(() => severity() === DiagnosticSeverity.Warning);
  const hold = Promise.withResolvers<void>();
  held = hold.promise;
  await editor.write("app/Other.php", "<?php\n\necho __('cart.title');\n");
  await waitUntil(() => isHeld);
  setSetting("projectTranslations.diagnostics.unknownKey", "information");
  held = null;
  hold.resolve();
  await waitUntil(() => severity() === DiagnosticSeverity.Information);
  setSetting("projectTranslations.diagnostics.unknownKey", "warning");
  await waitUntil(() => severity() === DiagnosticSeverity.Warning);
  expect(problems.of(editor.uri(CODE))).toHaveLength(1);
  // A new key belongs to its group, also where there is a file without groups.
  await editor.write("lang/en.json", `{ "Hello": "Hello" }\n`);
  await waitUntil(async () => JSON.stringify(await editor.run(listKeysCommand, {})).includes("Hello"));
  await editor.show(CODE);
  const context = { diagnostics: problems.of(editor.uri(CODE)), only: undefined };
  const given = ["provideCodeActions", CODE, new Range(0, 0, 0, 0), context] as const;
  const [fix] = (await editor.provideAll<readonly CodeAction[]>("CodeActions", ...given)).flat();
  expect([fix?.title, fix?.command?.arguments]).toMatchObject([
    "Add “cart.nobody” to the translation files…",
    [{ namespace: "cart", key: "nobody", locale: "en" }],
  ]);
});
