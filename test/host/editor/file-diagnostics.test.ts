/** Diagnostics in translation files, for texts that the service does not have yet. */
import assert from "node:assert/strict";
import {
  commands,
  DiagnosticSeverity,
  languages,
  type CodeAction,
  type Diagnostic,
  type TextDocument,
} from "vscode";
import { runCommand } from "../harness/documents.ts";
import { screenshot } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { set, show, signIn, withText } from "./opened.ts";

const told = (document: TextDocument, code: string, words: string): Promise<Diagnostic> =>
  waitFor(
    `${code} is told at ${words}`,
    () =>
      languages
        .getDiagnostics(document.uri)
        .find((each) => each.code === code && document.getText(each.range).includes(words)),
    20,
  );

const fixesOf = (document: TextDocument, { range }: Diagnostic): Thenable<CodeAction[]> =>
  commands.executeCommand<CodeAction[]>("vscode.executeCodeActionProvider", document.uri, range);

describe("diagnostics of translation files", () => {
  before(signIn);

  it("reports a wrong placeholder before it is pushed, with the corrected text as the fix", async () => {
    const document = await show("lang/nl/cart.php");
    const text = document.getText().replace(/'total' => '[^']*'/, "'total' => 'Alles samen: :amout'");
    await withText(document, text, async () => {
      const found = await told(document, "laravel.missing", ":amout");
      assert.equal(found.severity, DiagnosticSeverity.Warning);
      assert.equal(found.message, "cart.total (nl): :amount is missing, :amout is unknown");
      const fix = (await fixesOf(document, found)).find(({ title }) => title.includes("in this file"));
      assert.ok(fix?.title.includes(":amount"), JSON.stringify(fix));
      await screenshot("placeholder-before-push");
    });
  });

  it("reports unpushed changes as hints, with the push as the fix", async () => {
    const document = await show("lang/en/cart.php");
    const text = document.getText().replace("'Subtotal'", "'Sum of all'");
    await withText(document, text, async () => {
      const found = await told(document, "unpushed", "Sum of all");
      assert.equal(found.severity, DiagnosticSeverity.Hint);
      assert.match(found.message, /^“cart\.\w+” is not pushed yet: the service has another text\.$/);
      const fixes = await fixesOf(document, found);
      assert.ok(fixes.some(({ command }) => command?.command === "projectTranslations.push"));
    });
  });

  it("reports a text that exceeds its key's maximum length", async () => {
    const key = { namespace: "cart", key: "checkout", confirm: false };
    assert.equal((await runCommand("updateKey", { ...key, maxLength: 12 }))["outcome"], "done");
    const document = await show("lang/nl/cart.php");
    const text = document
      .getText()
      .replace(/'checkout' => '[^']*'/, "'checkout' => 'Ga nu verder naar de kassa'");
    await withText(document, text, async () => {
      const found = await told(document, "too-long", "naar de kassa");
      assert.equal(found.message, "cart.checkout (nl): 26 of at most 12 characters");
    });
    await runCommand("updateKey", { ...key, maxLength: null });
  });

  it("reports duplicate entries", async () => {
    const document = await show("lang/en/cart.php");
    const text = document.getText().replace("return [", "return [\n    'title' => 'First',");
    await withText(document, text, async () => {
      await told(document, "duplicate", "title");
    });
  });

  it("reports outdated translations if missing ones are reported", async () => {
    const { issues: _, ...rest } = await runCommand("listIssues");
    assert.equal(rest["outcome"], "done");
    await set("diagnostics.missingTranslation", "information");
    try {
      const document = await show("resources/views/cart.blade.php");
      await waitFor("an outdated translation is told", () =>
        languages.getDiagnostics(document.uri).some(({ code }) => code === "outdated-translation"),
      );
    } finally {
      await set("diagnostics.missingTranslation", undefined);
    }
  });
});
