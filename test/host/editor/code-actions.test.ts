/** Quick fixes for many problems at once, and ignoring a problem. */
import assert from "node:assert/strict";
import {
  CodeActionKind,
  commands,
  languages,
  workspace,
  type CodeAction,
  type Diagnostic,
  type Range,
  type TextDocument,
} from "vscode";
import { openFile, runCommand } from "../harness/documents.ts";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { all, inAllThemes, show, signIn, withText } from "./opened.ts";

const blade = "resources/views/cart.blade.php";

const told = (document: TextDocument, code: string): Diagnostic[] =>
  languages.getDiagnostics(document.uri).filter((each) => each.code === code);

const actionsAt = (document: TextDocument, range: Range, kind?: CodeActionKind): Thenable<CodeAction[]> =>
  commands.executeCommand<CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    range,
    kind?.value,
    20,
  );

async function fixAt(document: TextDocument, { range }: Diagnostic, title: RegExp): Promise<CodeAction> {
  const actions = await actionsAt(document, range);
  const found = actions.find((action) => title.test(action.title));
  assert.ok(found, actions.map((action) => action.title).join("\n"));
  return found;
}

interface ListedIssue {
  readonly locale: string;
  readonly suggestion: string | null;
}

const suggested = async (locale: string): Promise<number> => {
  const issues = (await runCommand("listIssues", { locale }))["issues"] as ListedIssue[];
  return issues.filter(({ suggestion }) => (suggestion ?? "") !== "").length;
};

describe("code actions", () => {
  before(async () => {
    await signIn();
    assert.equal((await runCommand("listIssues"))["outcome"], "done");
  });

  it("ignores one problem with a comment in the call", async () => {
    const document = await show(blade);
    await withText(document, "{{ __('cart.nowhere') }} {{ __('cart.neither') }}\n", async () => {
      const [first] = await waitFor("both are told", () => {
        const found = told(document, "unknown-key");
        return found.length === 2 && found;
      });
      assert.ok(first);
      const fix = await fixAt(document, first, /^Ignore here$/u);
      assert.ok(fix.edit && (await workspace.applyEdit(fix.edit)));
      assert.match(document.getText(), /__\(\/\* project-translations-ignore \*\/ 'cart\.nowhere'\)/u);
      // The mark holds for its line.
      await waitFor("they are gone", () => told(document, "unknown-key").length === 0);
    });
  });

  it("ignores problems by a pattern in the project file", async () => {
    const document = await show(blade);
    const file = await openFile("project-translations.json");
    const before = file.getText();
    await withText(document, "{{ __('legacy.old.title') }}\n{{ __('cart.nowhere') }}\n", async () => {
      const [first] = await waitFor("both are told", () => {
        const found = told(document, "unknown-key");
        return found.length === 2 && found;
      });
      assert.ok(first);
      const fix = await fixAt(document, first, /^Ignore by a pattern…$/u);
      assert.ok(fix.command);
      const ignoring = commands.executeCommand<{ outcome: string }>(
        fix.command.command,
        ...(fix.command.arguments ?? []),
      );
      await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row", { hasText: "legacy.old.*" }).first().waitFor(),
      );
      await inAllThemes("ignore");
      await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row", { hasText: "legacy.old.*" }).first().click(),
      );
      assert.equal((await ignoring).outcome, "done");
      await waitFor("the rule is written", () => file.getText() !== before);
      assert.deepEqual((JSON.parse(file.getText()) as { diagnostics: unknown }).diagnostics, {
        ignore: [{ key: "legacy.old.*", code: "unknown-key" }],
      });
      const left = await waitFor("the one is gone", () => {
        const found = told(document, "unknown-key");
        return found.length === 1 && found;
      });
      assert.equal(document.getText(left[0]?.range), "cart.nowhere");
      const path = { code: "unknown-key", path: "resources/views/**" };
      assert.equal((await runCommand("ignoreProblem", path))["outcome"], "done");
      await waitFor("the other is gone", () => told(document, "unknown-key").length === 0);
    });
    await withText(file, before, async () => {
      assert.equal(file.getText(), before);
      await file.save();
    });
    await workspace.fs.writeFile(file.uri, new TextEncoder().encode(before));
  });

  it("applies all suggestions of a translation file in one edit", async () => {
    const document = await show("lang/nl/cart.php");
    const text = document
      .getText()
      .replace("Totaal: :amount", "Totaal: :amout")
      .replace("met :code.", "met :kode.");
    await withText(document, text, async () => {
      await waitFor("both are told", () => told(document, "laravel.missing").length >= 2);
      const [first] = told(document, "laravel.missing");
      assert.ok(first);
      const quick = await fixAt(document, first, /^Apply all suggestions in this file \(2\)$/u);
      await screenshot("fix-all");
      const [source] = await actionsAt(document, all(document), CodeActionKind.SourceFixAll);
      assert.ok(source?.edit, "there is a fix for all");
      assert.deepEqual(source.edit.get(document.uri), quick.edit?.get(document.uri));
      assert.ok(await workspace.applyEdit(source.edit));
      assert.match(document.getText(), /Totaal: :amount'/u);
      assert.match(document.getText(), /met :code\.'/u);
      await waitFor("nothing is left", () => told(document, "laravel.missing").length === 0);
    });
  });

  it("applies all suggestions of a language at the service after a preview", async () => {
    const issues = (await runCommand("listIssues"))["issues"] as ListedIssue[];
    const counts = Map.groupBy(
      issues.filter(({ suggestion }) => (suggestion ?? "") !== ""),
      ({ locale }) => locale,
    );
    const [locale = ""] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    assert.ok((await suggested(locale)) > 0, JSON.stringify(issues));
    const applying = commands.executeCommand<{ outcome: string; written: number }>(
      "projectTranslations.applySuggestions",
      { locale },
    );
    await onPage((page) => page.locator(".quick-input-title", { hasText: "Apply" }).waitFor());
    await inAllThemes("apply-suggestions");
    await pressInInput("Enter");
    const { outcome, written } = await applying;
    assert.equal(outcome, "done");
    assert.ok(written > 0);
    assert.equal(await suggested(locale), 0);
    assert.equal((await runCommand("applySuggestions", { locale }))["outcome"], "unchanged");
  });
});
