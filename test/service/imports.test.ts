/** § POST /imports and § GET /jobs/{jobId}: accepted and refused uploads, and how jobs end. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { strToU8, zipSync } from "fflate";
import { api, fieldsOf, TIMESTAMP } from "./support/http.ts";
import { ended, imported, upload, Walk, type Job } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
let source = "";
let target = "";
beforeAll(async () => ({ source, target } = await walk.locales()));
afterAll(() => walk.cleanUp());

/** Imports into this walk's namespace. */
const importedHere = (
  files: Parameters<typeof upload>[1],
  fields: Record<string, string> = {},
): Promise<Job> => imported(service, files, { namespace: walk.namespace, ...fields });

const json = (texts: Record<string, string>): string => JSON.stringify(texts);

describe("a successful import", () => {
  test("returns a job with all fields at the URL in Location", async () => {
    const answer = await upload(
      service,
      { "en.json": json({ job: "Text" }) },
      {
        namespace: walk.namespace,
        locale: source,
        format: "json_js",
      },
    );
    expect(answer.status).toBe(202);
    const job = answer.data<Job>();
    expect(job).toMatchObject({
      type: "import",
      id: expect.any(Number),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(["queued", "running", "succeeded"]).toContain(job.status);
    const location = new URL(answer.headers.get("location") ?? "", `${service.baseUrl}/`);
    expect(location.pathname.endsWith(`/jobs/${job.id}`)).toBe(true);
    const done = await ended(service, job.id, 100);
    expect(done).toMatchObject({
      id: job.id,
      type: "import",
      status: "succeeded",
      error: null,
      startedAt: expect.stringMatching(TIMESTAMP),
      finishedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(typeof done.result).toBe("object");
    expect(done.result).not.toBeNull();
    expect((await walk.key("job"))?.source).toMatchObject({ value: "Text" });
  });

  test("fills missing translations and keeps existing ones", async () => {
    await walk.sync([
      { key: "have", value: "1" },
      { key: "lack", value: "2" },
    ]);
    await walk.write(target, [{ key: "have", value: "Oud" }]);
    const file = { "x.json": json({ have: "Nieuw", lack: "Twee" }) };
    expect((await importedHere(file, { locale: target, format: "json_js" })).status).toBe("succeeded");
    expect((await walk.row(target, "have")).value).toBe("Oud");
    expect((await walk.row(target, "lack")).value).toBe("Twee");
    await importedHere(file, { locale: target, format: "json_js", overwrite: "1" });
    expect((await walk.row(target, "have")).value).toBe("Nieuw");
  });

  test("creates unknown keys with the tag, unless disabled", async () => {
    const fields = { locale: target, format: "json_js" };
    await importedHere({ "x.json": json({ unwanted: "X" }) }, { ...fields, createUnknownKeys: "0" });
    expect(await walk.key("unwanted")).toBeUndefined();
    await importedHere({ "x.json": json({ wanted: "X" }) }, { ...fields, tag: "from-import" });
    expect((await walk.key("wanted"))?.tags).toEqual(["from-import"]);
    expect((await walk.row(target, "wanted")).value).toBe("X");
  });

  test("detects format, language and namespace from each path", async () => {
    const answer = await upload(service, {
      [`lang/${source}/${walk.namespace}.php`]: "<?php return ['path' => ['deep' => 'Deep']];",
      [`lang/${target}/${walk.namespace}.php`]: "<?php return ['path' => ['deep' => 'Diep']];",
    });
    expect(answer.status, answer.bytes.toString()).toBe(202);
    expect((await ended(service, answer.data<Job>().id, 100)).status).toBe("succeeded");
    expect((await walk.key("path.deep"))?.source).toMatchObject({ value: "Deep" });
    expect((await walk.row(target, "path.deep")).value).toBe("Diep");
  });

  test("reads a zip of files", async () => {
    const zip = zipSync({
      [`lang/${source}/${walk.namespace}.php`]: strToU8("<?php return ['zipped' => 'Zipped'];"),
      [`lang/${target}/${walk.namespace}.php`]: strToU8("<?php return ['zipped' => 'Ingepakt'];"),
    });
    const answer = await upload(service, { "all.zip": zip });
    expect(answer.status, answer.bytes.toString()).toBe(202);
    expect((await ended(service, answer.data<Job>().id, 100)).status).toBe("succeeded");
    expect((await walk.row(target, "zipped")).value).toBe("Ingepakt");
  });

  test("changes nothing when repeated", async () => {
    const file = { "x.json": json({ again: "X" }) };
    await importedHere(file, { locale: target, format: "json_js", overwrite: "1" });
    const before = await walk.row(target, "again");
    await importedHere(file, { locale: target, format: "json_js", overwrite: "1" });
    expect((await walk.row(target, "again")).version).toBe(before.version);
  });
});

describe("an import refused immediately stores nothing", () => {
  test("contents that do not match the extension: 422 for that file", async () => {
    const before = await walk.stats();
    const good = { "good.json": json({ "refused.with": "X" }) };
    const fields = { namespace: walk.namespace, locale: target };
    const afterGood = await upload(service, { ...good, "broken.json": "{ not json" }, fields);
    expect(fieldsOf(afterGood)).toEqual(["files.1"]);
    for (const bad of [{ "text.zip": "this is no zip" }, { "binary.xlsx": "this is no spreadsheet" }])
      expect(fieldsOf(await upload(service, { ...bad, ...good }, fields))).toEqual(["files.0"]);
    expect(await walk.key("refused.with")).toBeUndefined();
    expect(await walk.stats()).toEqual(before);
  });

  test("no file, an unknown format, an invalid flag", async () => {
    const file = { "x.json": json({ a: "1" }) };
    expect(fieldsOf(await upload(service, {}, { locale: target }))[0]).toMatch(/^files/u);
    expect(fieldsOf(await upload(service, file, { locale: target, format: "docx" }))).toEqual(["format"]);
    expect(fieldsOf(await upload(service, file, { locale: target, overwrite: "perhaps" }))).toEqual([
      "overwrite",
    ]);
    expect(fieldsOf(await upload(service, file, { locale: target, createUnknownKeys: "2" }))).toEqual([
      "createUnknownKeys",
    ]);
    const wrong = { locale: "xx-none", format: "docx", overwrite: "yes" };
    expect(fieldsOf(await upload(service, file, wrong)).toSorted()).toEqual([
      "format",
      "locale",
      "overwrite",
    ]);
    expect((await service.request("POST", "/imports", { body: { files: [] } })).status).toBe(422);
  });

  test("an unsafe path in a zip: the file is refused, or the job fails with zip_slip (rules 2 and 8)", async () => {
    for (const path of ["../../evil.json", "/etc/evil.json", "a/../../evil.json"]) {
      const zip = zipSync({ [path]: strToU8(json({ evil: "X" })) });
      const answer = await upload(
        service,
        { "slip.zip": zip },
        {
          namespace: walk.namespace,
          locale: target,
          format: "json_js",
        },
      );
      if (answer.status === 422) expect(fieldsOf(answer), path).toEqual(["files.0"]);
      else expect((await ended(service, answer.data<Job>().id, 100)).error?.code, path).toBe("zip_slip");
      expect(await walk.key("evil"), path).toBeUndefined();
    }
  });
});

describe("a failing job", () => {
  test("more than 50,000 lines: too_many_lines, and nothing is written (rule 6)", async () => {
    const before = await walk.stats();
    const half = json(Object.fromEntries(Array.from({ length: 25_001 }, (_, i) => [`line.${i}`, "x"])));
    const job = await importedHere({ "x.json": half, "y.json": half }, { locale: target, format: "json_js" });
    expect(job).toMatchObject({ status: "failed", result: null, error: { code: "too_many_lines" } });
    expect(typeof job.error?.message).toBe("string");
    expect(job.finishedAt).toMatch(TIMESTAMP);
    expect(await walk.stats()).toEqual(before);
  });

  test("a spreadsheet with unmapped columns: needs_mapping (rule 4)", async () => {
    const header = `unmapped-${walk.namespace},column`;
    const job = await importedHere({ "sheet.csv": `${header}\r\na,b\r\n` });
    expect([job.status, job.error?.code]).toEqual(["failed", "needs_mapping"]);
  });
});

describe("jobs", () => {
  test.each(["999999999", "0", "-1", "abc", "1.5"])("job %s does not exist: 404", async (id) => {
    expect((await service.request("GET", `/jobs/${id}`)).status).toBe(404);
  });
});
