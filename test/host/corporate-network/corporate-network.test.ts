/**
 * Proxy settings (`http.proxy` and related) and a private certificate authority. Requests use the extension host's
 * `fetch`, so VS Code's own handling of these settings is tested.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands, ConfigurationTarget, workspace } from "vscode";
import { reloadWindow, stage, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { UNTRUSTED } from "../../unit/support/untrusted-certificate.ts";
import { ADDRESS, ConnectProxy, NAME, openFront, type Identity } from "./network.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
};

type Front = Awaited<ReturnType<typeof openFront>>;

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

/** Sets one of VS Code's own settings; `undefined`: its default again. */
async function set(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration("http").update(name, value, ConfigurationTarget.Global);
  const said = JSON.stringify(value);
  const isSet = (): boolean =>
    value === undefined || JSON.stringify(workspace.getConfiguration("http").get(name)) === said;
  await waitFor(`http.${name}`, isSet, 60);
}

/** Signed by the company's authority. */
function ofTheCompany(): Identity {
  const folder = join(process.env["SSL_CERT_FILE"] ?? "", "..");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { cert: read("service.pem"), key: read("service.key") };
}

describe("a company's network", function () {
  this.timeout(240_000);
  const proxy = new ConnectProxy();
  const fronts: Front[] = [];
  let service: RunningService;
  const through = (credentials = ""): string => `http://${credentials}127.0.0.1:${proxy.port}`;

  /** The service behind TLS, where nobody has been before. */
  async function front(identity = ofTheCompany()): Promise<Front> {
    const opened = await openFront(new URL(service.baseUrl), identity);
    fronts.push(opened);
    return opened;
  }

  const signIn = ({ port }: Front, host = NAME): Promise<Result> =>
    run("signIn", { baseUrl: `https://${host}:${port}/v1`, token: service.token });

  before(async () => {
    service = await startService();
    await proxy.open();
    // An older VS Code reads the system's authorities from a file of the machine, which no test writes to.
    const readsThroughNode =
      workspace.getConfiguration("http").inspect("systemCertificatesNode")?.defaultValue === true;
    if (!readsThroughNode) await set("systemCertificates", false);
  });

  afterEach(async () => {
    proxy.wants = "anna:s3cret";
    proxy.refuses = null;
    await run("signOut");
    assert.equal(proxy.heard(service.token), false, "the proxy never reads a token");
  });

  after(async () => {
    for (const opened of fronts) opened.close();
    await proxy.close();
  });

  describe("with credentials in http.proxy", () => {
    before(() => set("proxy", through("anna:s3cret@")));

    // An older VS Code keeps the first proxy of a window, whoever asked through it.
    after(() => set("proxy", undefined));

    it("sends every request through http.proxy and trusts the system's certificate authorities", async () => {
      const opened = await front();
      assert.equal((await signIn(opened)).outcome, "done");
      assert.equal((await run("refresh")).outcome, "done");
      const tunnels = proxy.tunnels(opened.port);
      assert.ok(tunnels.length > 0 && opened.requests() >= 4, `${tunnels.length}, ${opened.requests()}`);
      assert.deepEqual([...new Set(tunnels.map(({ status }) => status))], [200]);
    });

    it("connects directly with http.noProxy and http.proxySupport off", async () => {
      const one = await front();
      await set("noProxy", [ADDRESS]);
      assert.equal((await signIn(one, ADDRESS)).outcome, "done");
      // What is read in the background later goes through the proxy again.
      assert.deepEqual(proxy.tunnels(one.port), []);
      await set("noProxy", undefined);
      const other = await front();
      await set("proxySupport", "off");
      assert.equal((await signIn(other, ADDRESS)).outcome, "done");
      assert.deepEqual(proxy.tunnels(other.port), []);
      await set("proxySupport", undefined);
      const third = await front();
      assert.equal((await signIn(third, ADDRESS)).outcome, "done");
      assert.ok(proxy.tunnels(third.port).length > 0);
    });

    it("refuses and reports an untrusted certificate, regardless of http.proxyStrictSSL", async () => {
      for (const strict of [true, false]) {
        await set("proxyStrictSSL", strict);
        const opened = await front(UNTRUSTED);
        const { error } = await signIn(opened);
        assert.equal(error?.code, "offline");
        assert.match(
          error.message,
          /does not trust the certificate of the service \(DEPTH_ZERO_SELF_SIGNED_CERT\)/u,
        );
        assert.deepEqual([proxy.tunnels(opened.port).length, opened.requests()], [1, 0]);
      }
      await set("proxyStrictSSL", undefined);
    });

    it("reports a proxy that refuses the password, after one request", async () => {
      proxy.wants = "anna:another";
      const opened = await front();
      const { error } = await signIn(opened);
      assert.equal(error?.code, "offline");
      assert.match(error.message, /^The proxy requires a user name and password/u);
      assert.deepEqual(
        proxy.tunnels(opened.port).map(({ status }) => status),
        [407],
      );
      proxy.wants = "anna:s3cret";
      assert.equal((await signIn(opened)).outcome, "done");
    });

    it("distinguishes a proxy that forbids the URL or is down from the service", async () => {
      proxy.refuses = 403;
      const opened = await front();
      assert.match((await signIn(opened)).error?.message ?? "", /^The proxy blocks the service \(403\)/u);
      assert.equal(proxy.tunnels(opened.port).length, 1);
      proxy.refuses = null;
      await proxy.close();
      assert.match((await signIn(opened)).error?.message ?? "", /^The proxy cannot be reached/u);
      await proxy.open();
      assert.equal((await signIn(opened)).outcome, "done");
    });

    it("reports network errors in an existing session", async () => {
      const opened = await front();
      assert.equal((await signIn(opened)).outcome, "done");
      await proxy.close();
      const { error } = await run("refresh");
      assert.match(error?.message ?? "", /^The proxy cannot be reached/u);
      await proxy.open();
      assert.equal((await run("refresh")).outcome, "done");
    });

    it("uses Node's certificate authorities if VS Code does not load the system's", async () => {
      await set("systemCertificates", false);
      assert.equal((await signIn(await front())).outcome, "done");
    });
  });

  describe("without credentials", () => {
    it("reports a proxy that requires them", async function () {
      // In a window that has not asked through another proxy before.
      if ((await stage(this)) === undefined) await reloadWindow(this, "no password");
      await set("proxy", through());
      const opened = await front();
      const { error } = await signIn(opened);
      assert.match(error?.message ?? "", /^The proxy requires a user name and password/u);
      assert.deepEqual(
        proxy.tunnels(opened.port).map(({ status }) => status),
        [407],
      );
    });
  });
});
