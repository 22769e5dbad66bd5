/** The views and the status bar: rows, counts, expansion and clicks. */
import assert from "node:assert/strict";
import { commands, env, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { clickInputButton, pressInInput, waitForInput, pickItems as inputRows } from "../harness/prompts.ts";
import {
  clickTreeButton,
  clickViewButton,
  expandTreeRows,
  waitForTreeRow,
  treeRows,
} from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

interface Issue {
  readonly locale: string;
  readonly namespace: string;
  readonly key: string;
  readonly level: string;
  readonly suggestion: string | null;
}
interface Language {
  readonly locale: string;
  readonly name: string;
  readonly percent: number;
  readonly qaErrors: number;
  readonly totalKeys: number;
  readonly translated: number;
}

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const statusBar = (): Promise<string> =>
  onPage((page) =>
    page
      .locator('.statusbar-item[id="project-translations.project-translations.projectTranslations.status"]')
      .innerText(),
  );

const languages = async (): Promise<Language[]> =>
  ((await run("refresh"))["stats"] as { languages: Language[] }).languages;

describe("the views", () => {
  let service: Awaited<ReturnType<typeof startService>>;

  before(async () => {
    service = await startService({ demo: true });
    const { baseUrl, token } = service;
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    await commands.executeCommand("projectTranslations.issues.focus");
    await commands.executeCommand("projectTranslations.languages.focus");
  });

  journey("show a row per language, source first, with the service's counts", async () => {
    const told = await languages();
    await waitForTreeRow("Languages", told[0]?.name ?? "");
    const rows = await treeRows("Languages");
    assert.equal(rows.length, told.length);
    for (const [index, language] of told.entries()) {
      assert.ok(rows[index]?.includes(`${language.name} (${language.locale})`), rows[index]);
      if (index > 0) assert.ok(rows[index]?.includes(`${language.percent}%`), rows[index]);
      if (language.qaErrors > 1)
        assert.ok(rows[index]?.includes(`${language.qaErrors} QA errors`), rows[index]);
    }
  });

  journey("show a language's progress in the colours of the theme", async () => {
    const icon = await onPage((page) =>
      page
        .getByRole("treeitem")
        .filter({ hasText: "Nederlands (nl)" })
        .first()
        .locator(".custom-view-tree-node-item-icon")
        .evaluate(
          (element) =>
            (
              globalThis as unknown as { getComputedStyle(of: unknown): { backgroundImage: string } }
            ).getComputedStyle(element).backgroundImage,
        ),
    );
    const svg = Buffer.from(/base64,([^"]+)/.exec(icon)?.[1] ?? "", "base64").toString();
    assert.match(svg, /^<svg/);
    assert.match(svg, /stroke-dasharray/);
  });

  journey("load a language's untranslated keys when its row is expanded", async () => {
    const polish = (await languages()).find((language) => language.locale === "pl");
    assert.ok(polish);
    assert.ok(!String((await run("showDiagnosis"))["text"]).match(/languages: .*pl/));
    await expandTreeRows("Languages", "(pl)");
    const untranslated = polish.totalKeys - polish.translated;
    await expandTreeRows("Languages", `Untranslated (${untranslated})`);
    await waitFor("its keys are there", async () => {
      const rows = await treeRows("Languages");
      const at = rows.findIndex((each) => each.includes(`Untranslated (${untranslated})`));
      return at >= 0 && rows.length > at + 5;
    });
    assert.match(String((await run("showDiagnosis"))["text"]), /languages: .*pl/);
    await screenshot("languages");
  });

  it("show each key's name and texts, which can be copied", async () => {
    const told = await languages();
    await expandTreeRows("Languages", "(en)");
    await expandTreeRows("Languages", `All keys (${told[0]?.totalKeys})`);
    await waitForTreeRow("Languages", "auth.failed");
    await screenshot("all-keys");
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
    await expandTreeRows("Languages", "(nl)");
    await expandTreeRows(
      "Languages",
      `Translated (${told.find(({ locale }) => locale === "nl")?.translated})`,
    );
    await waitForTreeRow("Languages", "auth.failed");
    const key = { namespace: "auth", key: "failed" };
    assert.equal((await run("copyKey", key))["text"], "auth.failed");
    assert.equal(await env.clipboard.readText(), "auth.failed");
    assert.equal(
      (await run("copyText", { ...key, locale: "nl" }))["text"],
      "Deze gegevens zijn niet bij ons bekend.",
    );
    assert.doesNotMatch(String((await run("showDiagnosis"))["text"]), /languages: .*de/);
    assert.equal((await run("copyText", { ...key, locale: "de" })).outcome, "done");
    await onPage(async (page) => {
      const item = page.getByRole("treeitem").filter({ hasText: "auth.failed" }).first();
      await item.click({ button: "right" });
      await page.locator(".monaco-menu").getByText("Copy Key").waitFor();
    });
    await screenshot("key-menu");
    await onPage((page) => page.keyboard.press("Escape"));
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
  });

  it("push only the key and pull only the translation of a row", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const read = async (path: string): Promise<string> =>
      new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folder.uri, path)));
    /** Repeats the click until the input opens: VS Code does not know a row while it loads the rows again. */
    const clickInMenu = (key: string, item: string, isOpen: () => Promise<boolean>): Promise<true> =>
      waitFor(`${item} of ${key}`, async () => {
        await onPage(
          async (page, [name, label]) => {
            await page.getByRole("treeitem").filter({ hasText: name }).first().click({ button: "right" });
            // A menu that has just opened takes no click.
            const entry = page.locator(".monaco-menu .action-label", { hasText: label });
            await entry.waitFor();
            while ((await entry.count()) > 0)
              await entry
                .click({ timeout: 1_000 })
                .then(() => page.waitForTimeout(50))
                .catch(() => undefined);
          },
          [key, item] as const,
        );
        return waitFor(item, isOpen, 3).catch(() => false);
      });
    for (const [key, value] of [
      ["failed", "Onbekend."],
      ["forgot", "Wachtwoord kwijt?"],
    ]) {
      await run("setTranslation", { locale: "nl", namespace: "auth", key, value });
      await run("setLocal", { namespace: "auth", key, value: `${key} now` });
    }
    const told = await languages();
    await expandTreeRows("Languages", "(nl)");
    await expandTreeRows(
      "Languages",
      `Translated (${told.find(({ locale }) => locale === "nl")?.translated})`,
    );
    await waitForTreeRow("Languages", "auth.failed");
    await clickInMenu("auth.failed", "Pull Translations…", async () =>
      (await inputRows()).some((each) => each.includes("auth.php")),
    );
    await screenshot("pull-one-key");
    await clickInputButton("OK");
    await waitFor("it is pulled", async () => (await read("lang/nl/auth.php")).includes("Onbekend."));
    assert.ok((await read("lang/nl/auth.php")).includes("'forgot' => 'Wachtwoord vergeten?'"));
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
    await expandTreeRows("Languages", "(en)");
    await expandTreeRows("Languages", `All keys (${told[0]?.totalKeys})`);
    await waitForTreeRow("Languages", "auth.failed");
    await clickInMenu("auth.failed", "Push Keys…", async () => (await inputRows()).length > 0);
    await waitForInput("1 changed");
    assert.equal((await inputRows()).length, 1);
    await screenshot("push-one-key");
    await clickInputButton("OK");
    const sourceOf = async (key: string): Promise<string | undefined> => {
      const { keys } = await run("listKeys", { namespace: "auth" });
      return (keys as { key: string; source: { value: string } }[]).find((each) => each.key === key)?.source
        .value;
    };
    await waitFor("it is pushed", async () => (await sourceOf("failed")) === "failed now");
    assert.equal(await sourceOf("forgot"), "Forgot your password?");
    // The button of the view is for all keys, whichever row has the focus.
    await onPage((page) => page.getByRole("treeitem").filter({ hasText: "auth.failed" }).first().click());
    await clickViewButton("Languages", "Push Keys…", async () =>
      (await inputRows()).some((each) => each.includes("forgot")),
    );
    await pressInInput("Escape");
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
  });

  it("refresh with the view's button, also if no row is selected", async () => {
    const before = (await languages()).find(({ locale }) => locale === "pl");
    assert.ok(before);
    const missing = before.totalKeys - before.translated;
    await expandTreeRows("Languages", "(pl)");
    await waitForTreeRow("Languages", `Untranslated (${missing})`);
    const response = await fetch(`${service.baseUrl}/translations/pl`, {
      method: "PUT",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ translations: [{ namespace: "cart", key: "remove", value: "Usuń :product" }] }),
    });
    assert.equal(response.status, 200, await response.text());
    // VS Code passes nothing for the row then.
    for (const name of ["refresh", "showDiagnosis"]) {
      const result = await commands.executeCommand<Result>(
        `projectTranslations.${name}`,
        undefined,
        undefined,
      );
      assert.equal(result.outcome, "done", JSON.stringify(result));
    }
    await clickViewButton("QA Issues", "Refresh", async () =>
      (await treeRows("Languages")).some((each) => each.includes(`Untranslated (${missing - 1})`)),
    );
    await commands.executeCommand("workbench.action.closeAllEditors");
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.languages.collapseAll");
  });

  it("refuse the command of a row that VS Code is reloading, instead of applying it to everything", async () => {
    const result = await commands.executeCommand<Result>("projectTranslations.pullRow", undefined, undefined);
    assert.equal(result.outcome, "failed", JSON.stringify(result));
    assert.equal(result.error?.code, "not_found");
    // The command does not wait for its notification.
    await commands.executeCommand("notifications.showList");
    const notifications = () =>
      onPage((page) =>
        page.locator(".notifications-center").getByText("The list has just been updated").count(),
      );
    await waitFor("the notification", async () => (await notifications()) > 0);
    await commands.executeCommand("notifications.clearAll");
    await waitFor("the notification is gone", async () => (await notifications()) === 0);
  });

  it("open a key's entry when its row is clicked", async () => {
    const { issues } = (await run("listIssues", { locale: "fr" })) as unknown as { issues: Issue[] };
    const issue = issues.find((each) => each.namespace === "cart");
    assert.ok(issue, JSON.stringify(issues));
    await expandTreeRows("QA Issues", "(fr)");
    const text = await waitForTreeRow("QA Issues", `cart.${issue.key}`);
    await expandTreeRows("QA Issues", text.split("\n")[0] ?? text);
    const editor = await waitFor("the entry is open", () => {
      const { activeTextEditor } = window;
      return activeTextEditor?.document.uri.path.endsWith("/lang/fr/cart.php") && activeTextEditor;
    });
    assert.notEqual(editor.document.getText(editor.selection), "");
  });

  it("show the number of errors in all languages as badge", async () => {
    const errors = (await languages()).reduce((sum, language) => sum + language.qaErrors, 0);
    await waitFor("the badge", async () =>
      (await onPage((page) => page.locator(".activitybar .badge-content:visible").allInnerTexts())).includes(
        String(errors),
      ),
    );
  });

  it("apply the service's suggestion, which resolves the issue", async () => {
    const { issues } = (await run("listIssues", { locale: "nl" })) as unknown as { issues: Issue[] };
    const issue = issues.find((each) => each.suggestion !== null && each.suggestion !== "");
    assert.ok(issue, JSON.stringify(issues));
    // A tree holds the rows that have room only: what other tests opened may push this one out.
    await commands.executeCommand("workbench.actions.treeView.projectTranslations.issues.collapseAll");
    await waitFor("all are folded", async () =>
      (await treeRows("QA Issues")).every((each) => !each.includes("›")),
    );
    await expandTreeRows("QA Issues", "(nl)");
    await waitForTreeRow("QA Issues", issue.key);
    await clickTreeButton("QA Issues", issue.key, "Apply Suggestion", async () => {
      const left = (await run("listIssues", { locale: "nl" })) as unknown as { issues: Issue[] };
      return left.issues.every((each) => each.key !== issue.key);
    });
    await waitFor("its row is gone", async () =>
      (await treeRows("QA Issues")).every((each) => !each.includes(`.${issue.key}`)),
    );
  });

  it("show the number of unpushed keys, also in the status bar", async () => {
    const { plan } = (await run("push", { dryRun: true })) as unknown as {
      plan: { new: number; changed: number };
    };
    // Archived keys stay archived.
    const count = plan.new + plan.changed;
    await waitForTreeRow("Activity", `${count} source texts to push`);
    assert.match(await statusBar(), new RegExp(`Webshop.*${count}`, "s"));
  });

  it("offer all actions in the status bar's menu", async () => {
    const shown = commands.executeCommand("projectTranslations.showMenu");
    const rows = await waitFor("the menu is open", async () => {
      const texts = await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
      );
      // The rows of an earlier list may still be there, hidden.
      return texts.some((each) => each.includes("Refresh")) && texts;
    });
    for (const action of ["Push…", "Pull…", "Import Files…", "Refresh", "Sign Out"]) {
      assert.ok(
        rows.some((each) => each.includes(action)),
        `${action} in ${rows.join()}`,
      );
    }
    await screenshot("menu");
    await onPage((page) => page.keyboard.press("Escape"));
    await shown;
  });

  it("show cached data with its time while the service is unreachable", async () => {
    await service.stop();
    const failed = await run("refresh");
    assert.equal(failed.error?.code, "offline");
    await waitForTreeRow("Languages", "Nederlands (nl)");
    await waitFor("the view says so", () =>
      onPage(async (page) =>
        (await page.locator(".tree-explorer-viewlet-tree-view .message").first().innerText()).includes(
          "Not up to date",
        ),
      ),
    );
    await waitForTreeRow("Activity", "The service could not be reached");
    // Not looked at before, so it is not cached: the row says why and can be tried again.
    await expandTreeRows("Languages", "(de)");
    await expandTreeRows("Languages", "Outdated (");
    await screenshot("offline");
  });

  it("recover when the service is reachable again", async () => {
    const again = await startService({ restartOf: service.id });
    assert.equal(again.baseUrl, service.baseUrl);
    assert.equal((await run("refresh")).outcome, "done");
    await waitFor("the view says nothing of it any more", () =>
      onPage(
        async (page) => !(await page.locator(".pane-body").allInnerTexts()).join().includes("Not up to date"),
      ),
    );
    await waitForTreeRow("Activity", "Checked for changes");
  });
});
