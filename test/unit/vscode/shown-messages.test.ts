/** What is said of a text while it is typed, in notifications, and of keys whose code has changed. */
import { expect, test, vi } from "vitest";
import { Store, type StoreTable } from "../../../src/database/store.ts";
import { showError, showInformation, showWarning } from "../../../src/vscode/notifications.ts";
import { supportedFrameworks } from "../../../src/frameworks/supported-frameworks.ts";
import { checkText } from "../../../src/vscode/ui/input/translation-input-checks.ts";
import { reportVersions, statesIn } from "../../../src/vscode/usages/usage-reports.ts";
import type { UsageReport } from "../../../src/workspace/usages/find-unused-keys.ts";
import { Uri as FileUri, window } from "../support/vscode-stub.ts";

test("no notification has a link of a text", () => {
  const shown = [
    [showInformation, vi.spyOn(window, "showInformationMessage")],
    [showWarning, vi.spyOn(window, "showWarningMessage")],
    [showError, vi.spyOn(window, "showErrorMessage")],
  ] as const;
  for (const [show, spy] of shown) {
    void show("[a](command:b)", "Undo");
    expect(spy.mock.calls).toEqual([["[a]\u2060(command:b)", "Undo"]]);
  }
});

test("a text that is too long is called so beside its other problem", () => {
  const { placeholders } = supportedFrameworks.get("laravel") ?? expect.fail("it is supported");
  const check = (maxLength: number) =>
    checkText("Mand", null, {
      families: [placeholders],
      source: { value: "Cart of :name" },
      locale: "nl",
      maxLength,
    });
  expect(check(3)).toMatchObject({ isWarning: true, message: expect.stringContaining("4 of at most 3") });
  expect(check(3)?.message).toContain(":name");
  expect(check(9)?.message).toContain(":name");
  expect(check(9)?.message).not.toContain("of at most");
  expect(
    checkText("😀😀", null, { families: [], source: { value: "Cart" }, locale: "nl", maxLength: 2 }),
  ).toEqual({ isWarning: false, message: "2 of at most 2 characters" });
});

test("placeholders are compared with the source text, unless nothing is typed; a form that is never shown is said", () => {
  const { placeholders } = supportedFrameworks.get("laravel") ?? expect.fail("it is supported");
  const dependencies = { families: [placeholders], source: { value: "Total: :amount" }, maxLength: null };
  const check = (value: string, form: string | null = null, locale = "nl") =>
    checkText(value, form, { ...dependencies, locale });
  expect(check("Totaal: :amont")).toMatchObject({
    isWarning: true,
    message: expect.stringContaining(":amount"),
  });
  expect([check("Totaal: :amount"), check("")]).toEqual([null, null]);
  const forms = { source: { forms: { one: "One", other: ":count items" } }, locale: "nl" };
  expect(checkText("Een", "one", { ...dependencies, ...forms })).toBeNull();
  expect(checkText("Veel", "other", { ...dependencies, ...forms })?.message).toContain(":count");
  // Laravel knows no forms of Turkish.
  const hidden = { isWarning: false, message: "The app shows “other” instead of this form." };
  expect(check("", "one", "tr")).toEqual(hidden);
  expect([check("", "other", "tr"), check("", "one", "nl"), check("", null, "tr")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(checkText("Sepet", "one", { ...dependencies, locale: "tr", maxLength: 9 })).toEqual({
    isWarning: false,
    message: "5 of at most 9 characters · The app shows “other” instead of this form.",
  });
});

test("a usage report says of each key how sure it is", async () => {
  const key = (hash: string) => ({ hash, namespace: "*", key: hash, context: null });
  const states = await statesIn({
    used: [key("a")],
    unused: [key("b")],
    probablyUnused: [{ key: key("c") }],
    undeterminable: [{ key: key("d") }],
  } as unknown as UsageReport);
  expect([...states]).toEqual([
    ["a", "used"],
    ["b", "unused"],
    ["c", "probablyUnused"],
    ["d", "mayBeUsed"],
  ]);
});

test("a usage report is outdated once the code of another project of the window has changed", () => {
  const projectAt = (path: string) => ({ root: FileUri.file(path) });
  const [own, other] = [projectAt("/own"), projectAt("/other")];
  const store = new Store<object>();
  const versions = () => reportVersions(store, own, [own, other]);
  const before = versions();
  store.changed(other, "keys");
  expect(versions()).toBe(before);
  store.changed(other, "usages");
  const after = versions();
  expect(after).not.toBe(before);
  store.dispose();
});

test("a usage report is outdated once the keys, usages, files or options of its project have changed", () => {
  const projectAt = (path: string) => ({ root: FileUri.file(path) });
  const own = projectAt("/own");
  const store = new Store<object>();
  const isOutdatedBy = (table: StoreTable): boolean => {
    const before = reportVersions(store, own, [own]);
    store.changed(own, table);
    return reportVersions(store, own, [own]) !== before;
  };
  const tables = ["keys", "usages", "files", "settings", "drafts", "results", "usageReport"] as const;
  expect(tables.filter(isOutdatedBy)).toEqual(["keys", "usages", "files", "settings"]);
  // By a project that the window has now, too.
  expect(reportVersions(store, own, [own, projectAt("/other")])).not.toBe(reportVersions(store, own, [own]));
  store.dispose();
});
