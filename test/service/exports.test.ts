/** § GET /exports/{profileKey}: the file, its ETag, and every form of If-None-Match. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api, fieldsOf, type Answer } from "./support/http.ts";
import { ended, Walk, type Job } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
let source = "";
let target = "";
let profile = "";

/** The file of the profile; a 202 is followed as the document says. */
async function file(
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  for (;;) {
    const answer = await service.request("GET", `/exports/${encodeURIComponent(profile)}`, {
      query,
      headers,
    });
    if (answer.status !== 202) return answer;
    expect(answer.headers.get("location")).not.toBeNull();
    expect((await ended(service, answer.data<Job>().id)).status).toBe("succeeded");
  }
}

beforeAll(async () => {
  ({ source, target } = await walk.locales());
  const record = (await service.request("GET", "/project")).data<{ exportProfiles: unknown[] }>();
  const first = record.exportProfiles[0] as { key?: string } | string | undefined;
  const key = typeof first === "string" ? first : first?.key;
  if (key === undefined) throw new Error("The walk needs a project with an export profile that has a `key`.");
  profile = key;
  await walk.sync([
    { key: "exported", value: "Exported" },
    { key: "untranslated", value: "Only in the source" },
  ]);
  await walk.write(target, [{ key: "exported", value: "Uitgevoerd" }]);
});
afterAll(() => walk.cleanUp());

describe("an exported file", () => {
  test("has a media type, a strong ETag (its SHA-256) and a file name", async () => {
    const answer = await file({ locales: target });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^[\w-]+\/[\w.+-]+/u);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment;.*filename/u);
    const digest = createHash("sha256").update(answer.bytes);
    const tag = answer.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/u);
    expect([
      digest.copy().digest("hex"),
      digest.copy().digest("base64"),
      digest.digest("base64url"),
    ]).toContain(tag.slice(1, -1));
  });

  test("has an ETag that changes only with its content", async () => {
    const tag = async (): Promise<string | null> => (await file({ locales: target })).headers.get("etag");
    const first = await tag();
    await service.request("PATCH", `/keys/${walk.hash("exported")}`, {
      body: { description: "seen by nobody" },
    });
    expect(await tag()).toBe(first);
    await walk.write(target, [{ key: "exported", value: "Uitgevoerd!" }]);
    expect(await tag()).not.toBe(first);
    await walk.write(target, [{ key: "exported", value: "Uitgevoerd" }]);
    expect(await tag()).toBe(first);
  });

  test("depends on `locales` and `missing`", async () => {
    const of = async (query: Record<string, string>): Promise<string | null> =>
      (await file(query)).headers.get("etag");
    expect(await of({ locales: target })).not.toBe(await of({ locales: source }));
    expect(await of({ locales: target, missing: "fallback" })).not.toBe(
      await of({ locales: target, missing: "omit" }),
    );
    expect(await of({ locales: `${source},${target}` })).not.toBe(await of({ locales: target }));
  });
});

describe("If-None-Match", () => {
  const tagOf = async (): Promise<string> => (await file({ locales: target })).headers.get("etag") ?? "";
  const matching: [string, (tag: string) => string][] = [
    ["the tag", (tag) => tag],
    ["the tag as a weak one", (tag) => `W/${tag}`],
    ["a list with it", (tag) => `"other", W/"more", ${tag}`],
    ["a list with it as a weak one", (tag) => `W/${tag},"other"`],
    ["a list with a space before the comma", (tag) => `${tag} , "other"`],
    ["a list with a comma in a tag", (tag) => `"with, comma",${tag}`],
    ["a star", () => "*"],
  ];
  test.each(matching)("%s: 304 with the ETag and no body", async (_, header) => {
    const tag = await tagOf();
    const answer = await file({ locales: target }, { "if-none-match": header(tag) });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, tag]);
  });

  const others: [string, (tag: string) => string][] = [
    ["another tag", () => '"other"'],
    ["a list of others", () => '"other", W/"more"'],
    ["others with a comma in a tag", () => '"a,b", "c"'],
    ["the tag after a letter", (tag) => `x${tag}`],
    ["the tag without quotes", (tag) => tag.slice(1, -1)],
    ["the tag in other letters", (tag) => tag.toUpperCase().replace(/[A-F]/u, "a")],
    ["nothing", () => ""],
  ];
  test.each(others)("%s: the file", async (_, header) => {
    const tag = await tagOf();
    expect((await file({ locales: target }, { "if-none-match": header(tag) })).status).toBe(200);
  });
});

describe("invalid requests", () => {
  test("an unknown profile: 404", async () => {
    expect((await service.request("GET", "/exports/no-such-profile")).status).toBe(404);
  });
  test("an unknown value of `missing`: 422", async () => {
    expect(fieldsOf(await file({ missing: "sometimes" }))).toEqual(["missing"]);
  });
  test("`locales` longer than 1,000 characters: 422", async () => {
    expect(fieldsOf(await file({ locales: `${target},`.repeat(400) }))).toEqual(["locales"]);
  });
});
