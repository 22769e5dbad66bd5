/** Tokens of several projects at one base URL: no data of one project is shown, stored or sent for another. */
import assert from "node:assert/strict";
import { commands, workspace } from "vscode";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { startTokenProxy, type TokenProxy } from "./token-proxy.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly keys?: readonly { readonly key: string }[];
  readonly jobs?: readonly { readonly id: number; readonly status: string }[];
  readonly canWrite?: boolean;
  readonly project?: { readonly slug: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const keys = async (): Promise<readonly string[]> =>
  (await run("listKeys")).keys?.map(({ key }) => key).sort() ?? [];

const [SHOP, SHOP_AGAIN, BLOG] = ["token-of-the-shop", "second-token-of-the-shop", "token-of-the-blog"];

describe("projects with the same base URL", function () {
  this.timeout(240_000);
  let proxy: TokenProxy;

  async function startProject(slug: string, ...names: readonly string[]): Promise<RunningService> {
    const service = await startService({
      project: { slug, name: slug, sourceLocale: "en", languages: [{ locale: "nl" }] },
    });
    const response = await fetch(`${service.baseUrl}/keys/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ keys: names.map((key) => ({ key, value: key })) }),
    });
    assert.equal(response.status, 200);
    return service;
  }

  const signIn = (token: string): Promise<Result> => run("signIn", { baseUrl: proxy.baseUrl, token });

  before(async () => {
    proxy = await startTokenProxy();
    const shop = await startProject("shop", "cart", "order");
    const blog = await startProject("blog", "article");
    await proxy.add(SHOP, shop);
    await proxy.add(SHOP_AGAIN, shop);
    await proxy.add(BLOG, blog);
  });

  beforeEach(() => {
    proxy.answer = () => undefined;
  });

  after(async () => {
    await run("signOut");
    proxy.close();
  });

  it("show nothing of the first project after signing in to the second", async () => {
    assert.equal((await signIn(SHOP)).outcome, "done");
    assert.deepEqual(await keys(), ["cart", "order"]);
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const imported = await run("import", {
      files: [`${folder.uri.fsPath}/lang/nl/cart.php`],
      locale: "nl",
      namespace: "imported",
    });
    assert.equal(imported.outcome, "done", JSON.stringify(imported));
    assert.equal((await run("listJobs")).jobs?.length, 1);

    assert.equal((await signIn(BLOG)).project?.slug, "blog");
    // Earlier requests may be for the first project.
    proxy.takeRequests();
    assert.deepEqual(await keys(), ["article"]);
    assert.deepEqual((await run("listJobs")).jobs, []);
    const written = await run("setTranslation", { locale: "nl", key: "article", value: "Artikel" });
    assert.equal(written.outcome, "done", JSON.stringify(written));
    const tokens = new Set(proxy.takeRequests().map(({ token }) => token));
    assert.deepEqual([...tokens], [BLOG]);
  });

  it("keep jobs and cache for a new token of the same project, after the old one was refused", async () => {
    assert.equal((await signIn(SHOP)).outcome, "done");
    const known = await keys();
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const files = [`${folder.uri.fsPath}/lang/nl/cart.php`];
    assert.equal((await run("import", { files, locale: "nl", namespace: "more" })).outcome, "done");
    // That of the session before is followed again, too.
    const jobs = (await run("listJobs")).jobs ?? [];
    assert.equal(jobs.length, 2);
    await waitFor("all is read", async () => (await run("refresh")).outcome === "done");
    proxy.answer = (_, token) => (token === SHOP ? { status: 401, body: { message: "Revoked" } } : undefined);
    // What was read before is no answer to somebody whose token is refused.
    for (const name of ["listKeys", "listIssues", "refresh"])
      assert.equal((await run(name)).error?.code, "unauthorized", name);

    proxy.takeRequests();
    assert.equal((await signIn(SHOP_AGAIN)).outcome, "done");
    assert.ok(known.every((key) => key !== "article"));
    assert.deepEqual((await run("listJobs")).jobs, jobs);
    assert.equal((await run("refresh")).outcome, "done");
    const requests = proxy.takeRequests().map(({ line }) => line);
    assert.deepEqual(
      requests.filter((line) => line.startsWith("GET /keys") || line.startsWith("GET /translations")),
      [],
    );
  });

  it("report an archived project, and notice its restoration without Refresh", async () => {
    assert.equal((await signIn(SHOP)).outcome, "done");
    assert.equal((await run("refresh")).outcome, "done");
    proxy.answer = () => ({ status: 403, body: { message: "Archived" } });
    for (const name of ["refresh", "listKeys", "listIssues"])
      assert.equal((await run(name)).error?.code, "forbidden", name);
    proxy.answer = () => undefined;
    assert.ok((await keys()).includes("cart"));
    assert.match(String((await run("showDiagnosis"))["text"]), /reading and writing/);
  });

  it("can be signed in to while they are busy", async () => {
    proxy.answer = (line) =>
      line === "POST /keys/diff" ? { status: 409, body: { message: "Busy", reason: "busy" } } : undefined;
    const result = await signIn(BLOG);
    assert.deepEqual([result.outcome, result.canWrite], ["done", true], JSON.stringify(result));
    assert.deepEqual(await keys(), ["article"]);
  });
});
