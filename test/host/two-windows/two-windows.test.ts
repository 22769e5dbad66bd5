/** Two windows on one folder: only one of them polls a job, and a simultaneous import and push both succeed. */
import assert from "node:assert/strict";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands, Uri, workspace } from "vscode";
import { closeSecondWindow, openSecondWindow } from "../harness/second-window.ts";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly job?: { readonly status: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

async function lay(path: string, text: string): Promise<Uri> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = Uri.joinPath(folder.uri, path);
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

const php = (key: string, value: string): string => `<?php\n\nreturn [\n    '${key}' => '${value}',\n];\n`;

describe("two windows on one folder", function () {
  this.timeout(240_000);
  let service: RunningService;
  let server: Server;
  /** Jobs are told to run on, whatever they do. */
  let holds = false;
  /** When a job was asked for. */
  const polls: number[] = [];
  let stats = 0;

  before(async () => {
    service = await startService({
      project: { sourceLocale: "en", languages: [{ locale: "nl" }, { locale: "fr" }] },
    });
    const { hostname: host, port } = new URL(service.baseUrl);
    server = createServer((asked, answer) => {
      const path = asked.url ?? "";
      if (path === "/v1/stats") stats += 1;
      const isPoll = path.startsWith("/v1/jobs/");
      if (isPoll) polls.push(Date.now());
      const onward = httpRequest(
        { host, port, path, method: asked.method, headers: asked.headers },
        (came) => {
          const parts: Buffer[] = [];
          came.on("data", (part: Buffer) => parts.push(part));
          came.on("end", () => {
            const text = Buffer.concat(parts).toString();
            const isHeld = isPoll && holds && came.statusCode === 200;
            const { data } = (isHeld ? JSON.parse(text) : {}) as { data?: object };
            const running = { ...data, status: "running", result: null, finishedAt: null };
            const headers = { ...came.headers };
            delete headers["content-length"];
            delete headers["transfer-encoding"];
            answer
              .writeHead(came.statusCode ?? 502, headers)
              .end(isHeld ? JSON.stringify({ data: running }) : Buffer.concat(parts));
          });
        },
      );
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const signedIn = await run("signIn", { baseUrl, token: service.token });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    assert.equal((await run("push")).outcome, "done");
  });

  after(async () => {
    holds = false;
    await closeSecondWindow();
    server.closeAllConnections();
    server.close();
  });

  it("share one poller for a job, and both notice its end", async () => {
    holds = true;
    const file = await lay("incoming/nl/cart.php", php("title", "Jouw mandje"));
    const importing = run("import", { files: [file], locale: "nl", namespace: "cart", overwrite: true });
    await waitFor("the first poll", () => polls.length > 0, 60);
    await waitFor("this window has come to rest", async () => (await run("refresh")).outcome === "done", 60);
    const before = stats;
    await openSecondWindow();
    // It follows the jobs of its folder as soon as it has asked what is new.
    await waitFor("the other window is awake", () => stats > before, 90);
    const then = polls.length;
    await waitFor("the job is asked for again", () => polls.length >= then + 4, 90);
    // The pauses of one window are between two and five seconds by then; two that ask would meet in between.
    const gaps = polls.slice(then).map((at, index) => at - (polls[then + index - 1] ?? 0));
    assert.ok(
      gaps.slice(2).every((gap) => gap > 3_000),
      JSON.stringify(gaps),
    );
    holds = false;
    const { outcome, job } = await importing;
    assert.deepEqual([outcome, job?.status], ["done", "succeeded"]);
    await closeSecondWindow();
  });

  it("complete a concurrent import and push", async () => {
    const file = await lay("incoming/fr/cart.php", php("title", "Ton panier"));
    assert.equal(
      (await run("setLocal", { namespace: "cart", key: "title", value: "Your basket" })).outcome,
      "done",
    );
    const [imported, pushed] = await Promise.all([
      run("import", { files: [file], locale: "fr", namespace: "cart", overwrite: true }),
      run("push"),
    ]);
    assert.deepEqual(
      [imported.outcome, pushed.outcome],
      ["done", "done"],
      JSON.stringify([imported, pushed]),
    );
    const ask = async (locale: string): Promise<unknown> => {
      const response = await fetch(`${service.baseUrl}/translations/${locale}?namespace=cart`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      const { data } = (await response.json()) as { data: readonly { key: string; value: unknown }[] };
      return data.find(({ key }) => key === "title")?.value;
    };
    assert.deepEqual([await ask("en"), await ask("fr")], ["Your basket", "Ton panier"]);
  });
});
