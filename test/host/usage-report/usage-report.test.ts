/** The usage report: as data for tasks, as a view, as Markdown, and archiving unused keys. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type CodeLens, commands, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import {
  pickItem,
  pressInInput,
  pressInNotification,
  waitForInput,
  waitForNotification,
} from "../harness/prompts.ts";
import { expandTreeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { inAllThemes } from "../editor/opened.ts";
import { status } from "../translation-editor/page.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

interface Key {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
}
interface Plan {
  readonly new: number;
  readonly changed: number;
  readonly restored: number;
}
interface Result {
  readonly outcome: string;
  readonly used?: number;
  readonly unused?: readonly Key[];
  readonly undeterminable?: readonly (Key & { readonly pattern: string; readonly path: string | null })[];
  readonly probablyUnused?: readonly (Key & { readonly pattern: string })[];
  readonly keys?: readonly Key[];
}

const run = async (name: string, options: object = { confirm: false }): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);

const nameOf = ({ namespace, key }: Key): string => `${namespace}|${key}`;

const rows = (): Promise<string[]> =>
  onPage((page) =>
    page
      .locator(".pane")
      .filter({ has: page.locator(".pane-header", { hasText: "Usage" }) })
      .getByRole("treeitem")
      .allInnerTexts(),
  );

async function readIfThere(uri: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

describe("the usage report", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await run("signIn", { baseUrl, token, confirm: false });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  journey("lists each key once as used, unused or uncertain, with the reason", async () => {
    const found = await run("findUnused");
    const { outcome, used = 0, unused = [], probablyUnused = [], undeterminable = [] } = found;
    assert.equal(outcome, "done");
    const { keys = [] } = await run("listKeys");
    assert.equal(used + unused.length + probablyUnused.length + undeterminable.length, keys.length);
    assert.ok(used > 20 && unused.length > 0, JSON.stringify({ used, unused }));
    for (const each of undeterminable) assert.ok(each.pattern !== "" || each.path !== null);
    for (const each of probablyUnused) assert.notEqual(each.pattern, "");
  });

  journey("includes files that were just changed or removed by another program", async () => {
    const [first] = (await run("findUnused")).unused ?? [];
    assert.ok(first);
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "app/Added.php").fsPath;
    const name = first.namespace === "*" ? first.key : `${first.namespace}.${first.key}`;
    const isUnused = async (): Promise<boolean> =>
      ((await run("findUnused")).unused ?? []).some((key) => nameOf(key) === nameOf(first));
    writeFileSync(file, `<?php echo __(${JSON.stringify(name)});\n`);
    try {
      assert.equal(await isUnused(), false);
    } finally {
      rmSync(file);
    }
    assert.equal(await isUnused(), true);
  });

  journey("shows the report as a view and as Markdown", async () => {
    const { unused = [] } = await run("findUnused", {});
    const [first] = unused;
    assert.ok(first);
    await waitFor("the view is there", async () =>
      (await rows()).some((row) => row.includes(`Unused (${unused.length})`)),
    );
    await expandTreeRows("Usage", "Unused (");
    await waitFor("its keys are there", async () => (await rows()).some((row) => row.includes(first.key)));
    await waitFor("what is used is a group too", async () =>
      (await rows()).some((row) => /^Used \(\d+\)/.test(row)),
    );
    await inAllThemes("usage-report");
    await run("showUsageReport", {});
    const document = await waitFor("the document is open", () =>
      window.tabGroups.activeTabGroup.activeTab?.label.includes("usage-report.md") === true
        ? workspace.textDocuments.find(({ uri }) => uri.path.endsWith("usage-report.md"))
        : undefined,
    );
    assert.match(document.getText(), /^# .*\n\n\d+ keys used, \d+ unused/);
    await screenshot("usage-report-markdown");
  });

  it("shows the calls that hold keys open first, and takes over what is said of them", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = Uri.joinPath(folder.uri, "app/Open.php");
    const projectFile = Uri.joinPath(folder.uri, "project-translations.json");
    const call = { path: "app/Open.php", key: "$anything" };
    const before = await run("findUnused");
    await workspace.fs.writeFile(file, new TextEncoder().encode("<?php\n\necho __($anything);\n"));
    const fileBefore = await readIfThere(projectFile);
    try {
      // Any key that is unused without the call is probably unused with it.
      const open = await run("findUnused", {});
      assert.deepEqual(open.unused, []);
      assert.ok((open.probablyUnused?.length ?? 0) >= (before.unused?.length ?? 0));
      await waitForTreeRow("Usage", "__($anything)");
      await waitForTreeRow("Usage", `Probably unused (${open.probablyUnused?.length})`);
      await inAllThemes("usage-report-open-calls");

      assert.equal((await run("limitCall", { ...call, confirm: false })).outcome, "failed");
      assert.equal((await run("limitCall", { ...call, only: ["nothing.*"] })).outcome, "done");
      assert.deepEqual((await run("findUnused")).unused, before.unused);
      assert.match(
        (await readIfThere(projectFile)) ?? "",
        /"only": \["nothing\.\*"\]|"only": \[\s*"nothing\.\*"/,
      );
      await waitForTreeRow("Usage", `Unused (${before.unused?.length})`);
      await pressInNotification("means only nothing.*", "Undo");
      await waitFor("the call is open again", async () =>
        isDeepStrictEqual((await run("findUnused")).unused, []),
      );
      assert.equal((await run("ignoreCall", call)).outcome, "done");
      assert.deepEqual((await run("findUnused")).unused, before.unused);
      await waitForTreeRow("Usage", `Unused (${before.unused?.length})`);
      await run("showUsageReport", {});
      await waitFor("the Markdown", () =>
        workspace.textDocuments
          .findLast(({ uri }) => uri.path.endsWith("usage-report.md"))
          ?.getText()
          .includes(`, ${before.unused?.length} unused, `),
      );
      // An equal call in another file is in the same row, which decides about both.
      const again = Uri.joinPath(folder.uri, "app/Open2.php");
      await workspace.fs.writeFile(
        again,
        new TextEncoder().encode("<?php echo __($anything), __($other);\n"),
      );
      await workspace.fs.writeFile(projectFile, new TextEncoder().encode(fileBefore ?? "{}"));
      await run("findUnused", {});
      await waitForTreeRow("Usage", "Unresolved calls (2)");
      await expandTreeRows("Usage", "2 calls");
      await waitForTreeRow("Usage", "Open2.php:1");
      assert.equal((await run("ignoreCall", { key: "$anything" })).outcome, "done");
      await waitForTreeRow("Usage", "Unresolved calls (1)");
      assert.equal((await run("ignoreCall", { key: "$other" })).outcome, "done");
      assert.deepEqual((await run("findUnused")).unused, before.unused);
      await workspace.fs.delete(again);
    } finally {
      await workspace.fs.delete(file);
      if (fileBefore === undefined) await workspace.fs.delete(projectFile);
      else await workspace.fs.writeFile(projectFile, new TextEncoder().encode(fileBefore));
    }
  });

  it("counts the same unused keys in the view, Markdown, code lenses and the translation editor", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const files = await workspace.findFiles("lang/en/**");
    /** Returns the number of code lenses of all source files that call their key so. */
    const lenses = async (word: string): Promise<number> => {
      let count = 0;
      for (const uri of files) {
        await workspace.openTextDocument(uri);
        const found = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 1_000);
        count += found.filter(({ command }) => command?.title === word).length;
      }
      return count;
    };
    const agree = async (state: string): Promise<readonly Key[]> => {
      const { unused = [], probablyUnused = [] } = await run("findUnused", {});
      await waitForTreeRow("Usage", `Unused (${unused.length})`);
      await waitForTreeRow("Usage", `Probably unused (${probablyUnused.length})`);
      await run("showUsageReport", {});
      await waitFor(`${state}: the Markdown`, () =>
        workspace.textDocuments
          .findLast(({ uri }) => uri.path.endsWith("usage-report.md"))
          ?.getText()
          .includes(`, ${unused.length} unused, ${probablyUnused.length} probably unused`),
      );
      await run("openEditor", { filter: "unused" });
      await waitFor(`${state}: the rows of the translation editor`, async () =>
        new RegExp(`^${unused.length}\\b`).test(await status()),
      );
      // The usages may have been indexed again in the meantime, so that the lenses wait for another report.
      await waitFor(`${state}: the code lenses`, async () => {
        await run("findUnused");
        return (
          (await lenses("unused")) === unused.length &&
          (await lenses("probably unused")) === probablyUnused.length
        );
      });
      return unused;
    };
    const atFirst = await agree("at first");
    const [first, second] = atFirst;
    assert.ok(first && second);
    const code = Uri.joinPath(folder.uri, "app/Agree.php");
    const write = (text: string): Thenable<void> =>
      workspace.fs.writeFile(code, new TextEncoder().encode(`<?php\n${text}\n`));
    const isIn = (keys: readonly Key[], key: Key): boolean => keys.some(({ hash }) => hash === key.hash);
    try {
      await write(`echo __('${first.namespace}.${first.key}');`);
      assert.equal(isIn(await agree("with a usage"), first), false);
      await write("echo __($anything);");
      assert.deepEqual(await agree("with a call that may mean any key"), []);
      assert.equal((await run("ignoreCall", { key: "$anything" })).outcome, "done");
      assert.deepEqual(await agree("with the call ignored"), atFirst);
      await pressInNotification("ignores $anything", "Undo");
      await waitFor("the call is open again", async () =>
        isDeepStrictEqual((await run("findUnused")).unused, []),
      );
      assert.deepEqual(await agree("with the call open again"), []);
      await write(`// ${second.namespace}.${second.key}`);
      assert.equal(isIn(await agree("with its name in a comment"), second), false);
    } finally {
      await workspace.fs.delete(code);
    }
    assert.ok(isIn(await agree("as before"), second));
    assert.equal((await run("archive", { hashes: [first.hash], confirm: false })).outcome, "done");
    assert.equal(isIn(await agree("with an archived key"), first), false);
    assert.equal((await run("restore", { hashes: [first.hash], confirm: false })).outcome, "done");
    assert.ok(isIn(await agree("with a restored key"), first));
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  /** Returns what a push would do. */
  async function planOfPush(): Promise<Plan> {
    const { plan } = (await run("push", { dryRun: true, confirm: false })) as { plan?: Plan };
    assert.ok(plan);
    return plan;
  }

  /** Waits until Activity and the status bar count these source texts to push. */
  async function countsToPush(count: number): Promise<void> {
    await waitForTreeRow("Activity", `${count} source texts to push`);
    await waitFor("the status bar counts them", async () => {
      const item = await onPage((page) =>
        page.locator(".statusbar-item", { hasText: "Webshop" }).first().innerText(),
      );
      return new RegExp(String.raw`Webshop\s+${count}\s`, "u").test(`${item}\n`);
    });
  }

  it("archives unused keys after a preview, with confirmation on other branches than main", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const head = Uri.joinPath(folder.uri, ".git/HEAD");
    await workspace.fs.writeFile(head, new TextEncoder().encode("ref: refs/heads/feature/new-cart\n"));
    try {
      const { unused = [] } = await run("findUnused", {});
      const archiving = run("archiveUnused", {});
      await onPage((page) =>
        page.locator(".quick-input-title", { hasText: "from the branch feature/new-cart" }).waitFor(),
      );
      await screenshot("archive-on-a-branch");
      await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row", { hasText: "Choose Keys…" }).click(),
      );
      await onPage((page) =>
        page.locator(".quick-input-title", { hasText: /Archive \d+ keys of/ }).waitFor(),
      );
      await pressInInput("Enter");
      assert.equal((await archiving).outcome, "done");
      const isActive = async (): Promise<(key: Key) => boolean> => {
        const names = new Set(((await run("listKeys")).keys ?? []).map(nameOf));
        return (key) => names.has(nameOf(key));
      };
      assert.deepEqual(unused.filter(await isActive()), []);
      await waitForNotification("Archived");
      await screenshot("archived");
      await pressInNotification("Archived", "Restore");
      await onPage((page) =>
        page.locator(".quick-input-title", { hasText: /Restore \d+ keys? in/ }).waitFor(),
      );
      await inAllThemes("restore");
      await pressInInput("Enter");
      await waitFor("they are back", async () => unused.every(await isActive()));
      const again = { hashes: unused.map(({ hash }) => hash), confirm: false };
      assert.equal((await run("restore", again)).outcome, "unchanged");
    } finally {
      await workspace.fs.delete(Uri.joinPath(folder.uri, ".git"), { recursive: true });
    }
  });

  it("offers to remove archived keys from the files, and does not count them as to push", async () => {
    const contents = async (): Promise<Record<string, string>> => {
      const files = await workspace.findFiles("lang/**");
      const texts = files.map(async (uri) => [
        uri.path,
        new TextDecoder().decode(await workspace.fs.readFile(uri)),
      ]);
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
    };
    const { unused = [] } = await run("findUnused");
    const planBefore = await planOfPush();
    const toPush = planBefore.new + planBefore.changed;
    await countsToPush(toPush);
    const archiving = run("archive", { hashes: unused.map(({ hash }) => hash) });
    await waitForInput("Archive ");
    await pressInInput("Enter");
    assert.equal((await archiving).outcome, "done");
    // Their entries are still in the files.
    const plan = await planOfPush();
    assert.equal(plan.restored, planBefore.restored + unused.length);
    assert.equal(plan.new + plan.changed, toPush);
    await run("refresh");
    await countsToPush(toPush);

    const before = await contents();
    await pressInNotification("Archived", "Remove from Files…");
    await waitForInput("Remove ");
    await screenshot("remove-archived");
    await pickItem("Remove");
    // Files are written one after another, each beside the old one first.
    await waitFor("the keys are in no file, and all files are there", async () => {
      const now = await contents();
      const isThere = ({ key }: Key): boolean => Object.values(now).some((text) => text.includes(`'${key}'`));
      return (
        !unused.some(isThere) &&
        isDeepStrictEqual(Object.keys(now).toSorted(), Object.keys(before).toSorted())
      );
    });
    assert.equal((await planOfPush()).restored, planBefore.restored);
    await pressInNotification("Removed", "Undo");
    await waitFor("the files are as before", async () => isDeepStrictEqual(await contents(), before));
  });
});
