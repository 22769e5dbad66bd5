/** The views with a slow service: rows that are shown can be used. */
import assert from "node:assert/strict";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands } from "vscode";
import { onPage, startService } from "../harness/bridge-client.ts";
import { expandTreeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";

interface Issue {
  readonly key: string;
  readonly suggestion: string | null;
}

/** Signed out, the row has the same name. */
const DUTCH = "Nederlands (nl)";

const run = async <Result extends object>(name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

/** Clicks a button of a row of the view "QA Issues". */
const clickButton = (text: string, button: string): Promise<void> =>
  onPage(
    async (page, [text, name]) => {
      const item = page.locator(".pane").getByRole("treeitem").filter({ hasText: text }).first();
      await item.hover();
      await item.getByRole("button", { name }).click();
    },
    [text, button] as const,
  );

describe("the views with a slow service", () => {
  let service: RunningService & { stop(): Promise<void> };
  let proxy: Server;
  /** Answers to requests for translations wait for it. */
  let held: Promise<void> | null = null;
  let waiting = 0;

  before(async () => {
    service = await startService({ demo: true });
    const { origin } = new URL(service.baseUrl);
    proxy = createServer((request, response) => {
      const onward = forward(
        origin + (request.url ?? ""),
        { method: request.method ?? "GET", headers: request.headers },
        (answer) => {
          const pass = (): void => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
          };
          if (held === null || request.method !== "GET" || !request.url?.includes("/translations/"))
            return pass();
          waiting += 1;
          void held.then(pass);
        },
      );
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}${new URL(service.baseUrl).pathname}`;
    await commands.executeCommand("projectTranslations.issues.focus");
    await run("signOut");
    await run("signIn", { baseUrl, token: service.token });
  });

  after(() => proxy.close());

  it("apply a suggestion while its language is being reloaded", async () => {
    const { issues } = await run<{ issues: Issue[] }>("listIssues", { locale: "nl" });
    const issue = issues.find(({ suggestion }) => suggestion !== null && suggestion !== "");
    assert.ok(issue, JSON.stringify(issues));
    await expandTreeRows("QA Issues", DUTCH);
    // The local files have another issue in this language.
    await waitForTreeRow("QA Issues", issue.key);

    // Somebody else writes another text of the language.
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    const written = await fetch(`${service.baseUrl}/translations/nl`, {
      method: "PUT",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        mode: "overwrite",
        translations: [{ namespace: "cart", key: "title", value: "Mandje" }],
      }),
    });
    assert.equal(written.status, 200, await written.text());
    const refreshed = run("refresh");
    await waitFor("the language is read", () => waiting > 0);
    // The rows are drawn anew within this time.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await clickButton(issue.key, "Apply Suggestion");
    const refusal = await onPage(async (page) => {
      await page.waitForTimeout(1_000);
      return page.locator(".notifications-toasts").allInnerTexts();
    });
    assert.doesNotMatch(refusal.join(), /There is no suggestion here|The list has just been updated/);
    held = null;
    release();
    await refreshed;
    await waitFor("the suggestion is applied", async () => {
      const left = await run<{ issues: Issue[] }>("listIssues", { locale: "nl" });
      return left.issues.every(({ key }) => key !== issue.key);
    });
  });
});
