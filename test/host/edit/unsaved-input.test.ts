/** Typed text is kept until it is written or discarded, whatever the service answers. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commands, ConfigurationTarget, workspace } from "vscode";
import { startService } from "../harness/bridge-client.ts";
import {
  pickItem,
  pressInNotification,
  waitForInputValue,
  waitForInput,
  pressInInput,
  submitInput,
} from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { translationEditor } from "./translation-editor.ts";

interface Row {
  readonly key: string;
  readonly value: string | null;
  readonly forms: Record<string, string> | null;
}
type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
};
type Refusal = { readonly status: number; readonly body: object } | "cut" | null;

let service: RunningService;
let front: Server;
/** What every write gets instead of reaching the service. */
let refusal: Refusal = null;

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, options);
const editing = (key: string): Promise<Result> =>
  run("editTranslation", { namespace: "cart", key, locale: "nl" });

async function atTheService(key: string): Promise<Row | undefined> {
  const response = await fetch(`${service.baseUrl}/translations/nl?namespace=cart`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const { data } = (await response.json()) as { data: Row[] };
  return data.find((row) => row.key === key);
}

describe("unsaved input", () => {
  before(async () => {
    service = await startService({ demo: true });
    const origin = new URL(service.baseUrl).origin;
    front = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const isWrite = request.method === "PUT" || request.method === "PATCH";
        const refused = isWrite ? refusal : null;
        if (refused === "cut") {
          request.socket.destroy();
          return;
        }
        if (refused !== null) {
          response.writeHead(refused.status, { "content-type": "application/json" });
          response.end(JSON.stringify(refused.body));
          return;
        }
        const { authorization = "" } = request.headers;
        const init = {
          method: request.method ?? "GET",
          headers: { authorization, "content-type": "application/json" },
          ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
        };
        void fetch(origin + (request.url ?? ""), init).then(async (answer) => {
          response.writeHead(answer.status, { "content-type": "application/json" });
          response.end(await answer.text());
        });
      });
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`;
    const signedIn = await run("signIn", { baseUrl, token: service.token, confirm: false });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    await run("refresh", { confirm: false });
  });

  afterEach(() => {
    refusal = null;
  });

  after(() => {
    front.closeAllConnections();
    front.close();
  });

  it("is restored by Try Again", async () => {
    refusal = { status: 500, body: { message: "Being repaired." } };
    const first = editing("total");
    await waitForInput("total");
    await submitInput("Totaal van alles :amount");
    await first;
    refusal = null;
    await pressInNotification("Being repaired", "Try Again");
    await waitForInputValue("total", "Totaal van alles :amount");
    await pressInInput("Enter");
    await waitFor("it is written", async () =>
      (await atTheService("total"))?.value === "Totaal van alles :amount" ? true : undefined,
    );
  });

  for (const [why, answer] of [
    ["the connection is lost", "cut"],
    ["it is refused", { status: 422, body: { message: "No.", errors: { "translations.0.value": ["No."] } } }],
    ["the service fails", { status: 500, body: { message: "Out of order." } }],
    ["it is skipped", { status: 200, body: { data: { skipped: [{ index: 0, reason: "locked" }] } } }],
  ] as const) {
    it(`is restored when ${why}`, async () => {
      refusal = answer;
      const before = (await atTheService("subtotal"))?.value;
      const first = editing("subtotal");
      await waitForInput("subtotal");
      await submitInput(`Getypt: ${why}`);
      const failed = await first;
      assert.equal(failed.outcome, "failed");
      assert.match(failed.error?.message ?? "", /What you typed is kept\.$/u);
      assert.equal((await atTheService("subtotal"))?.value, before);
      refusal = null;
      const second = editing("subtotal");
      await waitForInputValue("subtotal", `Getypt: ${why}`);
      await pressInInput("Enter");
      assert.equal((await second).outcome, "done");
      assert.equal((await atTheService("subtotal"))?.value, `Getypt: ${why}`);
      const third = editing("subtotal");
      await waitForInputValue("subtotal", `Getypt: ${why}`);
      await submitInput("Subtotaal");
      assert.equal((await third).outcome, "done");
    });
  }

  it("is discarded by a button and kept when the input is closed", async () => {
    refusal = "cut";
    const before = (await atTheService("checkout"))?.value ?? "";
    const first = editing("checkout");
    await waitForInput("checkout");
    await submitInput("Weg ermee");
    await first;
    const second = editing("checkout");
    await waitForInputValue("checkout", "Weg ermee");
    await pressInInput("Escape");
    assert.equal((await second).outcome, "cancelled");
    await pressInNotification("What you typed for", "Discard");
    // The click reaches the extension some time after.
    await waitFor("it begins with what the service has", async () => {
      const third = editing("checkout");
      const value = await waitForInput("checkout");
      await pressInInput("Escape");
      assert.equal((await third).outcome, "cancelled");
      return value === before;
    });
  });

  it("survives an unresolved conflict", async () => {
    const first = editing("title");
    await waitForInput("title");
    const response = await fetch(`${service.baseUrl}/translations/nl`, {
      method: "PUT",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        mode: "overwrite",
        translations: [{ namespace: "cart", key: "title", value: "Van een ander" }],
      }),
    });
    assert.equal(response.status, 200);
    await submitInput("Van mij");
    await waitForInput("someone else");
    await pressInInput("Escape");
    assert.equal((await first).outcome, "cancelled");
    const second = editing("title");
    await waitForInputValue("nl · ", "Van mij");
    await pressInInput("Enter");
    await waitForInput("someone else");
    await pickItem("Keep Mine");
    assert.equal((await second).outcome, "done");
    assert.equal((await atTheService("title"))?.value, "Van mij");
  });

  it("in a document is saved byte for byte, and restored after a failure", async () => {
    const files = workspace.getConfiguration("files");
    const trims = ["insertFinalNewline", "trimFinalNewlines", "trimTrailingWhitespace"];
    for (const name of trims) await files.update(name, true, ConfigurationTarget.Global);
    try {
      const forms = { one: "eerste \n[one]\n[name]\n", other: "tweede\n\n" };
      const set = { namespace: "cart", key: "items", locale: "nl", forms, confirm: false };
      assert.equal((await run("setTranslation", set)).outcome, "done");
      refusal = { status: 500, body: { message: "Out of order." } };
      const first = editing("items");
      const editor = await translationEditor();
      const text = editor.document;
      assert.equal(text.getText(), "[one]\neerste \n\\[one]\n[name]\n\n[other]\ntweede\n\n\n");
      await editor.edit((change) => change.insert(text.positionAt("[one]\neerste ".length), "!"));
      await commands.executeCommand("workbench.action.files.save");
      assert.equal((await first).outcome, "failed");
      refusal = null;
      const second = editing("items");
      const again = await translationEditor();
      assert.match(again.document.getText(), /^\[one\]\neerste !\n/u);
      await commands.executeCommand("workbench.action.files.save");
      const result = await second;
      assert.equal(result.outcome, "done", JSON.stringify(result));
      assert.deepEqual((await atTheService("items"))?.forms, { ...forms, one: "eerste !\n[one]\n[name]\n" });
    } finally {
      for (const name of trims) await files.update(name, undefined, ConfigurationTarget.Global);
    }
  });

  it("is restored for a key's description", async () => {
    refusal = { status: 500, body: { message: "Out of order." } };
    const updating = async (): Promise<{ readonly result: Promise<Result>; readonly value: string }> => {
      const result = run("updateKey", { namespace: "cart", key: "total" });
      await waitForInput("total");
      await pickItem("Description");
      return { result, value: await waitForInput("Description") };
    };
    const first = await updating();
    await submitInput("De som van alles");
    assert.equal((await first.result).outcome, "failed");
    refusal = null;
    const second = await updating();
    assert.equal(second.value, "De som van alles");
    await pressInInput("Enter");
    assert.equal((await second.result).outcome, "done");
  });
});
