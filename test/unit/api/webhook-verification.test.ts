/** Which webhook deliveries are accepted, and how they are parsed. */
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { verifyDelivery } from "../../../src/api/webhook-verification.ts";

const NOW = 1_800_000_000;

function delivered(body: string, { timestamp = String(NOW), secret = "s3cret", signature = "" } = {}) {
  const headers: Readonly<Record<string, string>> = {
    "x-service-timestamp": timestamp,
    "x-service-signature":
      signature || `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  };
  const header = (name: string): string | undefined => headers[name.toLowerCase()];
  return verifyDelivery({ header, body: new TextEncoder().encode(body) }, "s3cret", NOW * 1000);
}

const body = (event: string, data: unknown): string =>
  JSON.stringify({
    id: "d1",
    event,
    createdAt: "2026-01-01T00:00:00Z",
    project: { slug: "shop", name: "Shop" },
    data,
  });

const NOTHING = { contentVersion: null, jobId: null, aiJob: null, completed: null };

test.each([
  ["translations.updated", { contentVersion: 7, since: "x", languages: [] }, { contentVersion: 7 }],
  [
    "language.completed",
    { language: { locale: "nl", name: "Dutch", translated: 1, total: 1 } },
    { completed: { locale: "nl", name: "Dutch" } },
  ],
  ["keys.synced", { created: 1, updated: 0, restored: 0, archived: 0 }, {}],
  [
    "import.finished",
    {
      job: { id: 4, type: "import", status: "failed", error: { code: "x" } },
      import: { id: 1, locales: [], result: null },
    },
    { jobId: 4 },
  ],
  [
    "ai_job.finished",
    { job: { id: 9, locale: "nl", status: "completed", totalItems: 3, translatedItems: 2 } },
    {
      aiJob: {
        locale: "nl",
        status: "completed",
        totalItems: 3,
        translatedItems: 2,
        flaggedItems: 0,
        failedItems: 0,
      },
    },
  ],
  ["something.new", "of another shape", {}],
  ["import.finished", { job: null }, {}],
  // Of an event, only its own fields.
  ["keys.synced", { contentVersion: 7, job: { id: 4 }, language: { locale: "nl", name: "Dutch" } }, {}],
])("parses %s without relying on undocumented fields", (event, data, said) => {
  expect(delivered(body(event, data))).toEqual({
    kind: "delivery",
    delivery: { id: "d1", event, slug: "shop", ...NOTHING, ...said },
  });
});

test.each([
  ["of another secret", { secret: "other" }, "unsigned"],
  ["without a signature", { signature: "sha256=" }, "unsigned"],
  ["signed in capitals", { signature: `SHA256=${"0".repeat(64)}` }, "unsigned"],
  ["without a time", { timestamp: "" }, "unsigned"],
  ["with a time that is none", { timestamp: "soon" }, "unsigned"],
  ["301 seconds old", { timestamp: String(NOW - 301) }, "late"],
  ["301 seconds ahead", { timestamp: String(NOW + 301) }, "late"],
])("rejects a delivery %s", (_, how, reason) => {
  expect(delivered(body("keys.synced", {}), how)).toEqual({ kind: "refused", reason });
});

test("accepts a timestamp 300 seconds old", () => {
  expect(delivered(body("keys.synced", {}), { timestamp: String(NOW - 300) }).kind).toBe("delivery");
  expect(delivered(body("keys.synced", {}), { timestamp: String(NOW + 300) }).kind).toBe("delivery");
});

test("rejects a signed body that is no delivery", () => {
  for (const text of ["", "null", "[]", "{", '{"id":1}', JSON.stringify({ id: "x", event: "y" })]) {
    expect([text, delivered(text)]).toEqual([text, { kind: "refused", reason: "unreadable" }]);
  }
});

test("rejects a body with one changed byte", () => {
  const sent = body("keys.synced", { created: 1 });
  const timestamp = String(NOW);
  const signature = `sha256=${createHmac("sha256", "s3cret").update(`${timestamp}.${sent}`).digest("hex")}`;
  expect(delivered(sent, { timestamp, signature }).kind).toBe("delivery");
  expect(delivered(sent.replace("1}", "2}"), { timestamp, signature })).toEqual({
    kind: "refused",
    reason: "unsigned",
  });
});
