/**
 * A service that refuses: the token, the archived project, too many requests, a busy project, nonsense. What the
 * command resolves with, what the views and the status bar say, and how it goes on afterwards.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands } from "vscode";
import { onPage, screenshot } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly status?: number;
    readonly reason?: string;
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

  before(async () => {
    const good = (url: string): Answer => {
      if (url.endsWith("/stats")) return { status: 200, body: { data: stats } };
      if (url.endsWith("/project")) return { status: 200, body: { data: { slug: "small", name: "Small" } } };
      if (url.endsWith("/keys/diff"))
        return { status: 200, body: { data: { new: [], changed: [], restored: [], unchanged: 0 } } };
      return { status: 200, body: { data: [], meta: { nextCursor: null, limit: 1000 } } };
    };
    server = createServer((request, response) => {
      const { status, body, headers } = refusal ?? good(request.url ?? "");
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

  afterEach(async () => {
    refusal = undefined;
    assert.equal((await run("refresh")).outcome, "done");
  });

  after(() => void server.close());

  it("the token is told of in view and status bar, and it is tried again when somebody asks", async () => {
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

  it("an archived project is told of as that", async () => {
    refusal = { status: 403, body: { message: "Archived." } };
    assert.equal((await run("refresh")).error?.code, "forbidden");
    await waitFor("the status bar", async () => (await statusBar()).includes("archived"));
    await waitFor("the view", () =>
      onPage(async (page) =>
        (await page.locator(".welcome-view-content:visible").first().innerText()).includes("archived"),
      ),
    );
  });

  it("too many requests are a pause that is shown and counted down, and then it goes on", async () => {
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

  it("an answer that is none is told of with the field", async () => {
    refusal = { status: 200, body: { data: { contentVersion: 2, languages: [{ locale: "en" }] } } };
    const result = await run("refresh");
    assert.equal(result.error?.code, "bad_response");
    refusal = { status: 200, body: "<html>It works!</html>", headers: { "content-type": "text/html" } };
    assert.equal((await run("refresh")).error?.code, "bad_response");
    await waitFor("what was there stays", () =>
      onPage(async (page) =>
        (await page.getByRole("treeitem").allInnerTexts()).some((each) => each.includes("English (en)")),
      ),
    );
  });
});
