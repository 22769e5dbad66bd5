/**
 * Refusals of the service: token, archived project, rate limit, busy project, invalid responses. Command results,
 * views, status bar, and recovery.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands } from "vscode";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { pressInNotification, waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly status?: number;
    readonly reason?: string;
    readonly items?: readonly object[];
  };
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const statusBar = (): Promise<string> =>
  onPage((page) =>
    page
      .locator('.statusbar-item[id="project-translations.project-translations.projectTranslations.status"]')
      .innerText(),
  );

const stats = {
  contentVersion: 1,
  languages: [
    {
      locale: "en",
      name: "English",
      isSource: true,
      totalKeys: 1,
      translated: 1,
      outdated: 0,
      qaErrors: 0,
      percent: 100,
      lastTranslatedAt: null,
    },
  ],
};

describe("a service that refuses", () => {
  let server: Server;
  /** What every request gets; `undefined`: the good answer. */
  let refusal: Answer | undefined;
  /** In place of the good answer. */
  let answer: (url: string) => Answer | undefined = () => undefined;

  before(async () => {
    const good = (url: string): Answer => {
      if (url.endsWith("/stats")) return { status: 200, body: { data: stats } };
      if (url.endsWith("/project")) return { status: 200, body: { data: { slug: "small", name: "Small" } } };
      if (url.endsWith("/keys/diff"))
        return { status: 200, body: { data: { new: [], changed: [], restored: [], unchanged: 0 } } };
      return { status: 200, body: { data: [], meta: { nextCursor: null, limit: 1000 } } };
    };
    server = createServer((request, response) => {
      const { status, body, headers } = refusal ?? answer(request.url ?? "") ?? good(request.url ?? "");
      response
        .writeHead(status, {
          "content-type": "application/json",
          "x-ratelimit-limit": "120",
          "x-ratelimit-remaining": "100",
          ...headers,
        })
        .end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const signedIn = await run("signIn", { baseUrl, token: "a-token-for-the-small-one" });
    assert.deepEqual([signedIn.outcome, signedIn["languages"]], ["done", ["en"]], JSON.stringify(signedIn));
    await commands.executeCommand("projectTranslations.languages.focus");
  });

  /** One translation more than fits in a request. */
  const twoRequests = Array.from({ length: 1001 }, (_, index) => ({ key: `key${index}`, value: "Tekst" }));
  function refuseSecondWrite(refused: Answer): void {
    let writes = 0;
    answer = (url) => {
      if (!url.includes("/translations/")) return undefined;
      writes += 1;
      return writes === 1 ? { status: 200, body: { data: { skipped: [] } } } : refused;
    };
  }

  afterEach(async () => {
    refusal = undefined;
    answer = () => undefined;
    assert.equal((await run("refresh")).outcome, "done");
  });

  after(() => void server.close());

  it("shows a refused token in view and status bar, and retries on request", async () => {
    refusal = { status: 401, body: { message: "No." } };
    const result = await run("refresh");
    assert.deepEqual([result.error?.code, result.error?.message.includes("Sign in")], ["unauthorized", true]);
    await waitFor("the status bar", async () => (await statusBar()).includes("token not accepted"));
    await waitFor("the view", () =>
      onPage(async (page) =>
        (await page.locator(".welcome-view-content:visible").first().innerText()).includes(
          "no longer accepts",
        ),
      ),
    );
    assert.equal((await run("push", { dryRun: true })).error?.code, "unauthorized");
    await screenshot("rejected");
  });

  it("shows that a project is archived", async () => {
    refusal = { status: 403, body: { message: "Archived." } };
    const sentence = "The project is archived: nothing can be read or changed until it is restored.";
    const refreshed = await run("refresh");
    assert.deepEqual([refreshed.error?.code, refreshed.error?.message], ["forbidden", sentence]);
    assert.equal((await run("push", { dryRun: true })).error?.message, sentence);
    await waitFor("the status bar", async () => (await statusBar()).includes("archived"));
    await waitFor("the view", () =>
      onPage(async (page) =>
        (await page.locator(".welcome-view-content:visible").first().innerText()).includes("archived"),
      ),
    );
    await onPage((page) =>
      page.locator(".welcome-view-content:visible").getByRole("button", { name: "Sign Out" }).waitFor(),
    );
    await screenshot("archived");
  });

  it("shows a countdown while rate-limited, then continues", async () => {
    refusal = {
      status: 429,
      body: { message: "Slow down." },
      headers: { "retry-after": "3", "x-ratelimit-remaining": "0" },
    };
    const running = run("refresh");
    const first = await waitFor("the pause is shown", async () => {
      const text = await statusBar();
      return text.includes("Paused") && text;
    });
    refusal = undefined;
    await waitFor("it counts down", async () => {
      const text = await statusBar();
      return text.includes("Paused") && text !== first;
    });
    assert.equal((await running).outcome, "done");
    await waitFor("the pause is over", async () => !(await statusBar()).includes("Paused"));
  });

  it("names the field of an invalid response", async () => {
    refusal = { status: 200, body: { data: { contentVersion: 2, languages: [{ locale: "en" }] } } };
    const result = await run("refresh");
    assert.equal(result.error?.code, "bad_response");
    assert.match(result.error?.message ?? "", /GET \/stats .*data\.languages\.0\./u);
    refusal = { status: 200, body: "<html>It works!</html>", headers: { "content-type": "text/html" } };
    assert.equal((await run("refresh")).error?.code, "bad_response");
    await waitFor("what was there stays", () =>
      onPage(async (page) =>
        (await page.getByRole("treeitem").allInnerTexts()).some((each) => each.includes("English (en)")),
      ),
    );
  });

  it("shows the service's own error message", async () => {
    refusal = { status: 500, body: { message: "The search index is being rebuilt." } };
    const result = await run("refresh");
    assert.equal(result.error?.code, "server_error");
    assert.match(result.error?.message ?? "", /The search index is being rebuilt\./u);
    assert.doesNotMatch(result.error?.message ?? "", /base URL/u);
  });

  it("lists refused texts by their keys", async () => {
    const items = ["title", "total", "empty"].map((key) => ({ namespace: "cart", key, value: "Tekst" }));
    const errors = { "translations.1.value": ["Too long."], "translations.2.value": ["Too short."] };
    refusal = { status: 422, body: { message: "No.", errors } };
    const result = await run("setTranslations", { locale: "en", items });
    const { code, message, items: named } = result.error ?? {};
    assert.equal(code, "invalid", JSON.stringify(result));
    assert.match(message ?? "", /cart\.total \(en\) and 1 more key: Too long\./u);
    const common = { namespace: "cart", context: null, locale: "en", field: "value" };
    assert.deepEqual(named, [
      { ...common, key: "total", messages: ["Too long."] },
      { ...common, key: "empty", messages: ["Too short."] },
    ]);
  });

  it("reports the translations written before a later request was refused", async () => {
    refuseSecondWrite({ status: 403, body: { message: "No." } });
    const result = await run("setTranslations", { locale: "en", items: twoRequests });
    assert.deepEqual([result.outcome, result["written"], result["skipped"]], ["failed", 1000, []]);
    assert.match(result.error?.message ?? "", /^1,000 translations written\. Not done: 1\./u);
  });

  it("reports the translations written before the user cancelled", async () => {
    refuseSecondWrite({ status: 409, body: { message: "Busy.", reason: "busy" } });
    const writing = run("setTranslations", { locale: "en", items: twoRequests, confirm: true });
    await pressInNotification("Writing 1,001", "Cancel");
    const result = await writing;
    assert.deepEqual(result, { outcome: "cancelled", written: 1000, skipped: [] });
    await waitForNotification("1,000 translations written.");
  });
});
