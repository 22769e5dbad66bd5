/** Edit Translation by a user and by tasks, and concurrent edits. */
import assert from "node:assert/strict";
import {
  commands,
  Selection,
  TabInputText,
  Uri,
  ViewColumn,
  window,
  workspace,
  WorkspaceEdit,
  type Position,
} from "vscode";
import { hoverText } from "../harness/documents.ts";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import {
  pickItem,
  clickInputButton,
  setInputValue,
  waitForInputValue,
  waitForInputMessage,
  waitForInput,
  pressInInput,
  pickItems,
  submitInput,
} from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { translationEditor } from "./translation-editor.ts";

interface Row {
  readonly value: string | null;
  readonly forms: Record<string, string> | null;
  readonly version: number | null;
}
type Result = Record<string, unknown> & {
  outcome: string;
  row?: Row;
  theirs?: Row;
  error?: { code: string; message: string; reason?: string };
};

let service: RunningService;
const title = { namespace: "cart", key: "title" };

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });
const edit = async (options: object): Promise<Result> =>
  await commands.executeCommand<Result>("projectTranslations.editTranslation", options);

/** Somebody else writes, past this window. */
async function theyWrite(locale: string, namespace: string, key: string, value: string): Promise<void> {
  const response = await fetch(`${service.baseUrl}/translations/${locale}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
    body: JSON.stringify({ mode: "overwrite", translations: [{ namespace, key, value }] }),
  });
  assert.equal(response.status, 200, await response.text());
}

async function atTheService(locale: string, namespace: string, key: string): Promise<Row | undefined> {
  const response = await fetch(`${service.baseUrl}/translations/${locale}?namespace=${namespace}`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const { data } = (await response.json()) as { data: (Row & { key: string })[] };
  return data.find((row) => row.key === key);
}

const sourceIsBeside = (): Promise<true> =>
  waitFor("the source text is beside the translation", () =>
    window.visibleTextEditors.some(({ document }) => document.getText() === "Your cart is empty."),
  );

describe("edit translation", () => {
  before(async () => {
    service = await startService({ demo: true });
    const result = await run("signIn", { baseUrl: service.baseUrl, token: service.token });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    await run("refresh");
  });

  journey("starts with the current text and saves the input", async () => {
    const editing = edit({ ...title, locale: "nl" });
    await waitForInputValue("title", "Je winkelwagen");
    await screenshot("input");
    await submitInput("Jouw winkelwagen");
    const result = await editing;
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal(result.row?.value, "Jouw winkelwagen");
    assert.equal((await atTheService("nl", "cart", "title"))?.value, "Jouw winkelwagen");
  });

  journey("asks the user to resolve a conflict", async () => {
    for (const [decision, expected] of [
      ["Take Theirs", "Hun tekst"],
      ["Keep Mine", "Mijn tekst"],
    ] as const) {
      const theirs = decision === "Keep Mine" ? "Hun andere tekst" : "Hun tekst";
      const editing = edit({ namespace: "cart", key: "checkout", locale: "nl" });
      await waitForInput("checkout");
      await theyWrite("nl", "cart", "checkout", theirs);
      await submitInput("Mijn tekst");
      await waitForInput("someone else");
      const shown = await pickItems();
      assert.ok(shown.some((row) => row.includes(theirs)) && shown.some((row) => row.includes("Mijn tekst")));
      await onPage((page) => page.locator(".monaco-diff-editor .view-lines .view-line").first().waitFor());
      await screenshot(`conflict-${decision === "Keep Mine" ? "mine" : "theirs"}`);
      await pickItem(decision);
      const result = await editing;
      assert.notEqual(result.outcome, "failed", JSON.stringify(result));
      assert.equal((await atTheService("nl", "cart", "checkout"))?.value, expected);
      const open = window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
      assert.ok(!open.some((label) => label.includes("theirs")), JSON.stringify(open));
      await run("refresh");
    }
  });

  it("updates no key with half a character, and names it", async () => {
    for (const changes of [{ description: "half \uD83D" }, { tags: ["checkout", "\uDE00"] }]) {
      const result = await run("updateKey", { ...title, ...changes });
      assert.deepEqual([result.outcome, result.error?.code], ["failed", "invalid"], JSON.stringify(result));
      assert.match(result.error?.message ?? "", /^cart\.title was not updated: /);
    }
    const { data } = (await (
      await fetch(`${service.baseUrl}/keys?namespace=cart`, {
        headers: { authorization: `Bearer ${service.token}` },
      })
    ).json()) as { data: { key: string; description: string | null; tags: string[] }[] };
    const key = data.find((each) => each.key === "title");
    assert.ok(key?.description?.includes("half") !== true && key?.tags.includes("checkout") !== true);
  });

  it("warns of a missing placeholder and of excess length while typing, without blocking", async () => {
    const editing = edit({ namespace: "cart", key: "total", locale: "nl" });
    await waitForInput("total");
    await setInputValue("Totaal");
    await waitForInputMessage(":amount is missing");
    await screenshot("warning");
    await pressInInput("Enter");
    assert.equal((await editing).outcome, "done");
    const long = edit({ ...title, locale: "fr" });
    await waitForInput("title");
    await setInputValue("Un panier vraiment beaucoup trop long");
    await waitForInputMessage("37 of at most 24");
    await pressInInput("Escape");
    assert.equal((await long).outcome, "cancelled");
  });

  it("prompts for each plural form of the language, with a back button", async () => {
    const editing = edit({ namespace: "cart", key: "items", locale: "pl" });
    await waitForInputValue("one", ":count produkt");
    await submitInput(":count rzecz");
    await waitForInputValue("few", ":count produkty");
    await screenshot("form");
    await clickInputButton("Back");
    await waitForInputValue("one", ":count rzecz");
    await submitInput(":count rzecz!");
    await waitForInput("few");
    await submitInput(":count rzeczy");
    await waitForInput("many");
    await submitInput(":count rzeczy");
    const { outcome, row } = await editing;
    assert.equal(outcome, "done");
    assert.deepEqual(row?.forms, { one: ":count rzecz!", few: ":count rzeczy", many: ":count rzeczy" });
  });

  it("shows all languages of the key at the cursor, including those not loaded yet", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const document = await workspace.openTextDocument(
      Uri.joinPath(folder.uri, "resources/views/cart.blade.php"),
    );
    const editor = await window.showTextDocument(document);
    const at: Position = document.positionAt(document.getText().indexOf("cart.subtotal") + 3);
    editor.selection = new Selection(at, at);
    const editing = edit({});
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row", { hasText: "Suma częściowa" }).waitFor(),
    );
    await screenshot("languages");
    await pickItem("Zwischensumme");
    await waitForInputValue("de · ", "Zwischensumme");
    await pressInInput("Escape");
    assert.equal((await editing).outcome, "cancelled");
  });

  it("can write the original text after a conflict is edited again", async () => {
    const key = { namespace: "cart", key: "checkout" };
    const before = (await atTheService("nl", key.namespace, key.key))?.value ?? "";
    const editing = edit({ ...key, locale: "nl" });
    await waitForInputValue("checkout", before);
    await theyWrite("nl", key.namespace, key.key, "Hun derde tekst");
    await submitInput("Mijn derde tekst");
    await waitForInput("someone else");
    await pickItem("Edit Again");
    await waitForInputValue("checkout", "Mijn derde tekst");
    await submitInput(before);
    assert.equal((await editing).outcome, "done");
    assert.equal((await atTheService("nl", key.namespace, key.key))?.value, before);
    await run("refresh");
  });

  it("asks the user to resolve a conflict of a suggestion", async () => {
    const { issues } = (await run("listIssues", { locale: "fr" })) as unknown as {
      issues: readonly {
        readonly namespace: string;
        readonly key: string;
        readonly context: string | null;
        readonly suggestion: string | null;
      }[];
    };
    const issue = issues.find(({ suggestion }) => suggestion !== null && suggestion !== "");
    assert.ok(issue, JSON.stringify(issues));
    const { namespace, key, suggestion } = issue;
    const before = await atTheService("fr", namespace, key);
    await theyWrite("fr", namespace, key, "Leur texte");
    const editing = edit({
      locale: "fr",
      namespace,
      key,
      value: suggestion,
      version: before?.version ?? null,
    });
    await waitForInput("someone else");
    await pickItem("Take Theirs");
    assert.equal((await editing).outcome, "unchanged");
    assert.equal((await atTheService("fr", namespace, key))?.value, "Leur texte");
  });

  it("edits a multi-line text in a document and writes it on save", async () => {
    const before = "Eerste regel\nTweede regel";
    const set = await run("setTranslation", { locale: "nl", namespace: "cart", key: "empty", value: before });
    assert.equal(set.outcome, "done", JSON.stringify(set));
    const editing = edit({ namespace: "cart", key: "empty", locale: "nl" });
    const editor = await translationEditor();
    assert.equal(editor.document.getText(), before);
    await sourceIsBeside();
    await screenshot("lines");
    const settings = workspace.getConfiguration("files");
    await settings.update("autoSave", "afterDelay", true);
    await settings.update("autoSaveDelay", 50, true);
    await editor.edit((change) => change.insert(editor.document.positionAt(before.length), "\nDerde regel"));
    await waitFor("the editor has saved it by itself", () => !editor.document.isDirty);
    await settings.update("autoSave", "off", true);
    assert.equal(
      (await atTheService("nl", "cart", "empty"))?.value,
      before,
      "only a person's save is written",
    );
    await commands.executeCommand("workbench.action.files.save");
    assert.equal((await editing).outcome, "done");
    assert.equal((await atTheService("nl", "cart", "empty"))?.value, `${before}\nDerde regel`);
    const closed = edit({ namespace: "cart", key: "empty", locale: "nl" });
    await translationEditor();
    await sourceIsBeside();
    await commands.executeCommand("workbench.action.closeActiveEditor");
    assert.equal((await closed).outcome, "cancelled");
  });

  it("writes a document saved without formatting, even if its tab was moved", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    const key = { namespace: "cart", key: "empty" };
    const before = "Eerste regel\nTweede regel";
    const set = await run("setTranslation", { locale: "nl", ...key, value: before });
    assert.equal(set.outcome, "done", JSON.stringify(set));
    const editing = edit({ ...key, locale: "nl" });
    const { document } = await translationEditor();
    await sourceIsBeside();
    const groups = (): number[] =>
      window.tabGroups.all
        .filter(({ tabs }) =>
          tabs.some(({ input }) => input instanceof TabInputText && input.uri.path === document.uri.path),
        )
        .map(({ viewColumn }) => viewColumn);
    const [first = ViewColumn.One] = groups();
    // Moved beside the source, and back again: wherever it was, it leaves a group at least once.
    for (const command of ["moveEditorToRightGroup", "moveEditorToLeftGroup"]) {
      await window.showTextDocument(document, groups()[0] ?? first);
      await commands.executeCommand(`workbench.action.${command}`);
    }
    await waitFor("it is in one group", () => groups().length === 1);
    const change = new WorkspaceEdit();
    change.insert(document.uri, document.positionAt(before.length), "\nDerde");
    assert.ok(await workspace.applyEdit(change));
    await commands.executeCommand("workbench.action.files.saveWithoutFormatting");
    assert.equal((await editing).outcome, "done");
    assert.equal((await atTheService("nl", key.namespace, key.key))?.value, `${before}\nDerde`);
  });
});

describe("an outdated translation", () => {
  it("is shown and edited with the source text it was translated from", async () => {
    const name = { namespace: "cart", key: "total" };
    await run("setLocal", { ...name, value: "Sum: :amount" });
    const { keys } = await run("listKeys", { namespace: "cart" });
    const pushed = (keys as { key: string; hash: string }[]).find(({ key }) => key === name.key);
    assert.equal((await run("push", { only: [pushed?.hash] })).outcome, "done");
    await run("refresh");
    await waitFor("the hover", async () =>
      (await hoverText("resources/views/cart.blade.php", "cart.total")).includes(
        "Source text before: Total: :amount",
      ),
    );
    const editing = edit({ ...name, locale: "nl" });
    await waitForInputMessage("Source text before: Total: :amount");
    await screenshot("outdated");
    await pressInInput("Escape");
    assert.equal((await editing).outcome, "cancelled");
  });
});

describe("writes by commands", () => {
  it("return a conflict with the current text", async () => {
    const first = await run("setTranslation", { ...title, locale: "fr", value: "Le panier" });
    assert.equal(first.outcome, "done");
    await theyWrite("fr", "cart", "title", "Leur panier");
    const second = await run("setTranslation", {
      ...title,
      locale: "fr",
      value: "Mon panier",
      version: first.row?.version,
    });
    assert.deepEqual([second.outcome, second.theirs?.value], ["conflict", "Leur panier"]);
    const third = await run("setTranslation", {
      ...title,
      locale: "fr",
      value: "Mon panier",
      version: second.theirs?.version,
    });
    assert.deepEqual([third.outcome, third.row?.value], ["done", "Mon panier"]);
  });

  it("clear a translation if the text is empty", async () => {
    const result = await run("setTranslation", { ...title, locale: "fr", value: "" });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal((await atTheService("fr", "cart", "title"))?.value ?? null, null);
  });

  it("write several translations and return which were skipped and why", async () => {
    const result = await run("setTranslations", {
      locale: "fr",
      mode: "fill_empty",
      items: [
        { ...title, value: "Panier" },
        { namespace: "cart", key: "subtotal", value: "Autre" },
        { namespace: "cart", key: "nowhere", value: "Rien" },
      ],
    });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.equal(result["written"], 1);
    const skipped = result["skipped"] as { key: string; namespace: string; reason: string }[];
    assert.deepEqual(skipped.map((each) => each.key).toSorted(), ["nowhere", "subtotal"]);
    assert.ok(skipped.every((each) => each.reason !== "" && each.namespace === "cart"));
  });

  it("return an error for missing or unknown arguments", async () => {
    assert.equal((await run("setTranslation", { locale: "nl", value: "x" })).error?.code, "invalid");
    assert.equal((await run("setTranslation", { ...title, locale: "nl" })).error?.code, "invalid");
    assert.equal(
      (await run("setTranslation", { ...title, locale: "xx", value: "x" })).error?.code,
      "not_found",
    );
    assert.equal(
      (await run("setTranslation", { locale: "nl", key: "no.such", value: "x" })).error?.code,
      "not_found",
    );
    assert.equal((await run("editTranslation", { ...title, locale: "nl" })).error?.code, "invalid");
  });
});
