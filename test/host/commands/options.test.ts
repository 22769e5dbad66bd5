/** Options that no command accepts: nothing is sent, written or asked, and the option is named. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands, extensions, FileType, Uri, workspace } from "vscode";
import { ALL_COMMANDS } from "../../repo/all-commands.ts";
import type { CommandDeclaration, Requirement } from "../../../src/commands/define-command.ts";
import { startService, onPage } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { requiredOptionsOf } from "../../unit/support/command-options.ts";

interface Result {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
}

const run = async (id: string, ...args: readonly unknown[]): Promise<Result> =>
  await commands.executeCommand<Result>(id, ...args);

/** Values that no option accepts. */
const WRONG: readonly unknown[] = [Number.NaN, { unknown: true }, [null], [[{}]], 10n];

const root = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return folder.uri;
};

/** Returns a digest of the names and contents of all files. */
async function filesDigest(folder = root()): Promise<string> {
  const digest = createHash("sha256");
  for (const [name, type] of await workspace.fs.readDirectory(folder)) {
    const uri = Uri.joinPath(folder, name);
    digest.update(name);
    digest.update(type === FileType.Directory ? await filesDigest(uri) : await workspace.fs.readFile(uri));
  }
  return digest.digest("hex");
}

function assertRefused(result: Result, id: string, option: string): void {
  assert.equal(result.outcome, "failed", `${id} ${option}: ${JSON.stringify(result)}`);
  assert.equal(result.error?.code, "invalid", `${id} ${option}: ${JSON.stringify(result)}`);
  assert.ok(result.error?.message.includes(`“${option}`), `${id} ${option}: ${result.error?.message}`);
}

describe("options that are not declared so", () => {
  let proxy: Server;
  let requests = 0;

  before(async () => {
    const service = await startService({ demo: true });
    const { origin, pathname } = new URL(service.baseUrl);
    proxy = createServer((request, response) => {
      requests += 1;
      const options = { method: request.method ?? "GET", headers: request.headers };
      const onward = forward(origin + (request.url ?? ""), options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`;
    // Signed out, the options are checked before the sign-in.
    await run("projectTranslations.signOut", { confirm: false });
    assertRefused(await run("projectTranslations.push", { only: "abc", confirm: false }), "push", "only");
    const signedIn = await run("projectTranslations.signIn", {
      baseUrl,
      token: service.token,
      confirm: false,
    });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    await run("projectTranslations.listIssues", { confirm: false });
    await run("projectTranslations.refresh", { confirm: false });
    let before = -1;
    await waitFor("the service is read", async () => {
      const isQuiet = before === requests;
      before = requests;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isQuiet;
    });
  });

  after(async () => {
    await run("projectTranslations.signOut", { confirm: false });
    await commands.executeCommand("notifications.clearAll");
    proxy.close();
  });

  it("are all of the manifest's commands", () => {
    const { packageJSON } = extensions.getExtension("project-translations.project-translations") ?? {};
    const { contributes } = packageJSON as { contributes: { commands: readonly { command: string }[] } };
    const ids = contributes.commands.map(({ command }) => command);
    assert.deepEqual(ALL_COMMANDS.map(({ id }) => id as string).sort(), ids.sort());
  });

  for (const [what, confirm] of [
    ["quietly", { confirm: false }],
    ["with messages", {}],
  ] as const) {
    it(`cause no request, no change of a file and no question, ${what}`, async () => {
      const [sent, files] = [requests, await filesDigest()];
      for (const declaration of ALL_COMMANDS) {
        const { id, options } = declaration;
        const valid = { ...requiredOptionsOf(declaration), ...confirm };
        assertRefused(await run(id, { ...valid, onlyy: true }), id, "onlyy");
        for (const option of Object.keys(options)) {
          for (const value of WRONG)
            assertRefused(await run(id, { ...valid, value: undefined, [option]: value }), id, option);
        }
        assert.equal((await run(id, "text")).error?.code, "invalid", id);
      }
      const isAsked = await onPage((page) => page.locator(".quick-input-widget").isVisible());
      assert.equal(isAsked, false);
      assert.equal(await filesDigest(), files);
      assert.equal(requests, sent);
    });
  }

  it("do not overwrite a newer text, or anything else", async () => {
    const key = { locale: "nl", namespace: "cart", key: "title" };
    const sent = requests;
    for (const [name, options, option] of [
      ["setTranslation", { ...key, value: "x", version: "two" }, "version"],
      ["pull", { locales: "nl" }, "locales"],
      ["updateKey", { namespace: "cart", key: "title", tags: "urgent" }, "tags"],
      ["import", { files: "lang/nl", overwrite: "no" }, "overwrite"],
      ["listKeys", { archived: "perhaps" }, "archived"],
      ["push", { onlyy: [] }, "onlyy"],
    ] as const)
      assertRefused(await run(`projectTranslations.${name}`, { ...options, confirm: false }), name, option);
    assert.equal(requests, sent);
  });
});

describe("what commands need", () => {
  /** These say first that there is no report or suggestion, or that they always prompt. */
  const OTHER_FIRST = ["archiveUnused", "applySuggestion"];
  const needing = (...needs: readonly Requirement[]) =>
    ALL_COMMANDS.filter(
      (command) => needs.includes(command.needs) && !OTHER_FIRST.some((name) => command.id.endsWith(name)),
    );
  const codeOf = async (declaration: CommandDeclaration): Promise<string> => {
    const result = await run(declaration.id, { ...requiredOptionsOf(declaration), confirm: false });
    return `${declaration.id}: ${result.error?.code ?? result.outcome}`;
  };

  it("is a sign-in for those that say so", async () => {
    await run("projectTranslations.signOut", { confirm: false });
    const all = needing("signed-in", "write-access");
    assert.ok(all.length > 10);
    for (const each of all) assert.equal(await codeOf(each), `${each.id}: not_signed_in`);
  });

  it("is write access for those that say so", async () => {
    const { baseUrl, readToken } = await startService({ demo: true });
    const options = { baseUrl, token: readToken, confirm: false };
    assert.equal((await run("projectTranslations.signIn", options)).outcome, "done");
    for (const each of needing("write-access")) assert.equal(await codeOf(each), `${each.id}: forbidden`);
    await run("projectTranslations.signOut", { confirm: false });
  });
});
