/** Diagnostics of keys in code, and their quick fixes. */
import assert from "node:assert/strict";
import {
  commands,
  DiagnosticSeverity,
  languages,
  type CodeAction,
  type Diagnostic,
  type TextDocument,
} from "vscode";
import { openFile, runCommand } from "../harness/documents.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { inAllThemes, set, show, signIn, withText } from "./opened.ts";

const ours = ({ uri }: TextDocument): Diagnostic[] =>
  languages.getDiagnostics(uri).filter(({ source }) => source === "Project Translations");

const fixesOf = (document: TextDocument, { range }: Diagnostic): Thenable<CodeAction[]> =>
  commands.executeCommand<CodeAction[]>("vscode.executeCodeActionProvider", document.uri, range);

/** The problem of that code, when it is there, at these words: one of an older text may still be there. */
const problem = (document: TextDocument, code: string, words?: string): Promise<Diagnostic> =>
  waitFor(
    `${code} is told`,
    () =>
      ours(document).find(
        (each) => each.code === code && (words === undefined || document.getText(each.range) === words),
      ),
    20,
  );

const has = (document: TextDocument, code: string): boolean =>
  ours(document).some((each) => each.code === code);

interface ListedIssue {
  readonly locale: string;
  readonly namespace: string;
  readonly key: string;
  readonly rule: string;
  readonly suggestion: string | null;
}

describe("diagnostics", () => {
  before(signIn);

  journey("reports an unknown key after indexing, with the most similar key as the fix", async () => {
    const document = await show("resources/views/cart.blade.php");
    await withText(document, "<h1>{{ __('cart.titel') }}</h1>\n", async () => {
      const found = await problem(document, "unknown-key", "cart.titel");
      assert.equal(found.severity, DiagnosticSeverity.Warning);
      assert.equal(found.message, "Unknown key “cart.titel”. Did you mean “cart.title”?");
      const fixes = await fixesOf(document, found);
      const fix = fixes.find(({ edit }) => edit !== undefined);
      assert.equal(fix?.edit?.get(document.uri)[0]?.newText, "cart.title");
      assert.ok(fixes.some(({ command }) => command?.command === "projectTranslations.setLocal"));
      await inAllThemes("unknown-key");
    });
    await waitFor("it is gone with the key", () => !has(document, "unknown-key"));
  });

  it("reports no patterns, groups, or keys that exist only in local files", async () => {
    await runCommand("setLocal", { namespace: "cart", key: "brand_new", value: "New" });
    const document = await show("resources/views/cart.blade.php");
    const uses = [
      "__('nowhere.' . $x)",
      "__('cart')",
      "__('cart.brand_new')",
      "__('pkg::a.b')",
      "__($x)",
      "__('validation.required')",
    ];
    await withText(document, `{{ ${uses.join(" . ")} . __('cart.nowhere') }}\n`, async () => {
      // The local file may not be read again yet when the first problems are told.
      await waitFor("that one alone is told", () => {
        const said = ours(document).filter(({ code }) => code === "unknown-key");
        return said.map(({ range }) => document.getText(range)).join("\n") === "cart.nowhere";
      });
    });
  });

  it("reports no keys of a source file with an error, and those of others", async () => {
    const source = await openFile("lang/en/cart.php");
    const document = await show("resources/views/cart.blade.php");
    const unknown = (): string =>
      ours(document)
        .flatMap(({ code, range }) => (code === "unknown-key" ? document.getText(range) : []))
        .join(" ");
    await withText(document, "{{ __('cart.nowhere') . __('checkout.nowhere') }}\n", async () => {
      await waitFor("both are told", () => unknown() === "cart.nowhere checkout.nowhere");
      await withText(source, source.getText().replace("return [", "return [\n<<<<<<< HEAD"), async () => {
        await waitFor("the other one is told", () => unknown() === "checkout.nowhere");
      });
      await waitFor("both are told again", () => unknown() === "cart.nowhere checkout.nowhere");
    });
  });

  it("uses the configured severity, or reports nothing if it is off", async () => {
    const document = await show("resources/views/cart.blade.php");
    await withText(document, "{{ __('cart.nowhere') }}\n", async () => {
      await set("diagnostics.unknownKey", "error");
      await waitFor("it is an error", () =>
        ours(document).some(
          ({ code, severity }) => code === "unknown-key" && severity === DiagnosticSeverity.Error,
        ),
      );
      await set("diagnostics.unknownKey", "off");
      await waitFor("it is gone", () => !has(document, "unknown-key"));
      await set("diagnostics.unknownKey", undefined);
    });
  });

  it("uses a changed severity also for files that are not open", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    const listed = () =>
      languages
        .getDiagnostics()
        .flatMap(([, all]) => all)
        .filter(({ source, code }) => source === "Project Translations" && code === "missing-translation");
    const haveSeverity = (severity: DiagnosticSeverity): boolean =>
      listed().length > 0 && listed().every((each) => each.severity === severity);
    for (const [name, severity] of [
      ["information", DiagnosticSeverity.Information],
      ["error", DiagnosticSeverity.Error],
      ["warning", DiagnosticSeverity.Warning],
    ] as const) {
      await set("diagnostics.missingTranslation", name);
      await waitFor(`all are listed: ${name}`, () => haveSeverity(severity));
    }
    await set("diagnostics.missingTranslation", undefined);
    await waitFor("none is listed", () => listed().length === 0);
  });

  it("reports missing translations only if the setting is on", async () => {
    const document = await show("resources/js/components/OrderStatus.vue");
    assert.ok(!has(document, "missing-translation"));
    await set("diagnostics.missingTranslation", "information");
    const found = await problem(document, "missing-translation");
    assert.match(found.message, /^.+ \(.*fr\): untranslated$/u);
    await set("diagnostics.missingTranslation", undefined);
    await waitFor("they are gone", () => !has(document, "missing-translation"));
  });

  it("reports QA issues at usages and in files, with the suggestion as the fix", async () => {
    // The service's texts lie in the files then.
    assert.equal((await runCommand("pull"))["outcome"], "done");
    const issues = (await runCommand("listIssues"))["issues"] as ListedIssue[];
    const issue = issues.find((each) => each.suggestion !== null && each.namespace === "cart");
    assert.ok(issue, JSON.stringify(issues));
    const code = await show("resources/views/cart.blade.php");
    await problem(code, issue.rule);
    await commands.executeCommand("workbench.actions.view.problems");
    await inAllThemes("qa-issue");
    const file = await show(`lang/${issue.locale}/cart.php`);
    const found = await problem(file, issue.rule);
    const fixes = await fixesOf(file, found);
    const service = fixes.find(({ command }) => command?.command === "projectTranslations.applySuggestion");
    const local = fixes.find(({ command }) => command?.command === "projectTranslations.setLocal");
    assert.ok(service?.command && local?.command);
    await commands.executeCommand(local.command.command, ...(local.command.arguments ?? []));
    await waitFor("the file's problem is gone", () => !has(file, issue.rule));
    assert.ok((await openFile(`lang/${issue.locale}/cart.php`)).getText().includes(issue.suggestion ?? ""));
    await show("resources/views/cart.blade.php");
    const applied = await commands.executeCommand<{ outcome: string }>(
      service.command.command,
      ...(service.command.arguments ?? []),
    );
    assert.equal(applied.outcome, "done", JSON.stringify(applied));
    const isLeft = ({ code: rule, message }: Diagnostic): boolean =>
      rule === issue.rule && message.startsWith(`“cart.${issue.key}” (${issue.locale}): `);
    await waitFor("the use's problem is gone", () => !ours(code).some(isLeft));
  });
});
