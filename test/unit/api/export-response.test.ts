/** Exports: file, job or not modified; safe file names; HTML pages that are no export. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNameFromDisposition } from "../../../src/api/export-response.ts";
import { createClientHarness, failure, JOB, serve } from "./client-harness.ts";
import { propertyRuns } from "../support/full-run.ts";

describe("GET /exports", () => {
  test("returns a file with ETag, name and type", async () => {
    const { port, seen } = await serve(() => ({
      headers: {
        "content-type": "text/x-php; charset=utf-8",
        etag: '"abc"',
        "content-disposition": `attachment; filename="x.php"; filename*=UTF-8''taal%20%C3%A9.php`,
      },
      body: "<?php",
    }));
    const { client } = createClientHarness(port);
    const answer = await client.export("my app", {
      locales: ["nl", "pt_BR"],
      missing: "omit",
      etag: 'W/"old"',
    });
    expect(answer).toEqual({
      kind: "file",
      bytes: new TextEncoder().encode("<?php"),
      etag: '"abc"',
      fileName: "taal é.php",
      mediaType: "text/x-php",
    });
    expect(seen[0]?.path).toBe("/v1/exports/my%20app");
    expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({ locales: "nl,pt_BR", missing: "omit" });
    expect(seen[0]?.headers["if-none-match"]).toBe('W/"old"');
  });

  test("sends no parameters without options", async () => {
    const { port, seen } = await serve(() => ({ headers: { etag: '"a"' }, body: "{}" }));
    await createClientHarness(port).client.export("app", { locales: [] });
    expect(seen[0]?.query.size).toBe(0);
    expect(seen[0]?.headers["if-none-match"]).toBeUndefined();
  });

  test("accepts a 304 with or without ETag", async () => {
    const { port } = await serve((_, index) => ({
      status: 304,
      headers: index === 0 ? { etag: '"new"' } : {},
    }));
    const { client } = createClientHarness(port);
    expect(await client.export("app", { etag: '"old"' })).toEqual({ kind: "not_modified", etag: '"new"' });
    expect(await client.export("app", { etag: '"old"' })).toEqual({ kind: "not_modified", etag: '"old"' });
  });

  test("returns a job by the id in the body, whatever Location is", async () => {
    const { port } = await serve(() => ({
      status: 202,
      headers: { location: "http://169.254.169.254/jobs/1" },
      body: { data: { ...JOB, type: "export_zip" } },
    }));
    expect(await createClientHarness(port).client.export("app")).toMatchObject({
      kind: "job",
      job: { id: 12, type: "export_zip" },
    });
  });

  test("accepts JSON and HTML files", async () => {
    for (const type of ["application/json", "text/html"]) {
      const { port } = await serve(() => ({ headers: { "content-type": type, etag: '"a"' }, body: "x" }));
      expect((await createClientHarness(port).client.export("app")).kind).toBe("file");
    }
  });

  test("rejects an error page", async () => {
    const { port } = await serve(() => ({
      headers: { "content-type": "text/html" },
      body: "<html>Hotel Wifi",
    }));
    const error = await failure(createClientHarness(port).client.export("app"));
    expect([error.kind, error.field]).toEqual(["bad_response", "content-disposition"]);
    expect(error.message).toContain("text/html");
  });

  test("needs an ETag or a file name, and no type", async () => {
    const replies = [
      { "content-disposition": 'attachment; filename="a.zip"', "content-type": "" },
      { etag: '"a"', "content-type": "" },
    ];
    const { port } = await serve((_, index) => ({ headers: replies[index] ?? {}, body: "x" }));
    const { client } = createClientHarness(port);
    const file = { kind: "file", mediaType: "application/octet-stream" };
    expect(await client.export("app")).toMatchObject({ ...file, etag: null, fileName: "a.zip" });
    expect(await client.export("app")).toMatchObject({ ...file, etag: '"a"', fileName: null });
  });
});

describe("file name", () => {
  test.each([
    ['attachment; filename="shop.zip"', "shop.zip"],
    ["attachment; filename=shop.zip", "shop.zip"],
    ["attachment; filename=shop.zip; size=3", "shop.zip"],
    ["attachment; filename*=utf-8''%c3%a9.zip", "é.zip"],
    ["attachment; filename*=UTF-8''a.zip ; size=3", "a.zip"],
    ['attachment; filename="a|b?.zip"', "ab.zip"],
    ['attachment; filename="a \\"b\\".zip"', "a b.zip"],
    ["attachment; filename*=UTF-8''%E2%82%AC%20rates.zip", "€ rates.zip"],
    ["attachment; filename*=iso-8859-1'nl'caf%E9.zip; filename=cafe.zip", "café.zip"],
    ["attachment; filename*=UTF-8''%E2%82.zip; filename=plain.zip", "plain.zip"],
    ["attachment; filename*=UTF-8''bad%2.zip; filename=plain.zip", "plain.zip"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"],
    ['attachment; filename="C:\\\\Windows\\\\x.dll"', "x.dll"],
    ['attachment; filename=".."', null],
    ['attachment; filename="a/"', null],
    ['attachment; filename="a\u0000b.zip. . "', "ab.zip"],
    ['attachment; filename=""', null],
    ["attachment", null],
    ["", null],
  ])("%j", (header, name) => expect(fileNameFromDisposition(header)).toBe(name));

  test("never contains a path", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, extended) => {
        const header = extended
          ? `attachment; filename*=UTF-8''${encodeURIComponent(text.toWellFormed())}`
          : `attachment; filename="${text}"`;
        const name = fileNameFromDisposition(header);
        expect(["", ".", ".."]).not.toContain(name);
        for (const character of "/\\:\0") expect(name ?? "").not.toContain(character);
      }),
      propertyRuns(100),
    );
  });
});
