/**
 * § POST /imports and § GET /exports for every format: imported texts are stored when the job has succeeded, and
 * importing an export changes nothing.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FORMAT_NAMES, formatInfo, type FormatName } from "../../src/model/file-formats.ts";
import type { NewEntry } from "../../src/formats/format.ts";
import { formatOf } from "../../src/formats/supported-formats.ts";
import { printTranslationFile } from "../../src/formats/parse-and-edit-file.ts";
import { api, type Answer } from "./support/http.ts";
import { ended, imported, Walk, type Job } from "./support/keys.ts";

const service = api();
const { isLocal } = inject("target");

/** A spreadsheet needs a preset, which only a project of one's own has. */
const isSheet = (format: FormatName): boolean => formatInfo(format).family === "spreadsheet";
const formats = FORMAT_NAMES.filter((format) => isLocal || !isSheet(format));
if (formats.length < FORMAT_NAMES.length) console.log("Not imported into another service: spreadsheets.");

describe.each(formats)("%s", (format) => {
  const walk = new Walk(service);
  afterAll(() => walk.cleanUp());
  const SINGLE = "Hello, %s!";
  const PLURAL = "%d thing";
  const texts = {
    source: { [SINGLE]: "Hello, %s!", [PLURAL]: { one: "%d thing", other: "%d things" } },
    target: { [SINGLE]: 'Hallo "<%s>"\n& dag', [PLURAL]: { one: "%d ding", other: "%d dingen" } },
  } as const;

  async function file(
    side: keyof typeof texts,
  ): Promise<{ name: string; bytes: Uint8Array; locale: string }> {
    const { source, target } = await walk.locales();
    const locale = side === "source" ? source : target;
    const entries = Object.entries(texts[side]).map(([key, text]): NewEntry => {
      const own = isSheet(format) ? { namespace: walk.namespace, locale } : {};
      const said = texts.source[key as typeof SINGLE];
      return { key, context: null, ...own, text: asText(text), source: asText(said) };
    });
    const known = formatOf(format);
    if (known === undefined) throw new Error(`${format} is not written here`);
    const bytes = await printTranslationFile(known, entries, { locale, sourceLocale: source });
    return { name: `${side}${formatInfo(format).extensions[0]}`, bytes, locale };
  }

  const importedFile = (bytes: Uint8Array, name: string, locale: string, overwrite = "0"): Promise<Job> =>
    imported(
      service,
      { [name]: new Uint8Array(bytes) },
      { format, namespace: walk.namespace, locale, overwrite },
    );

  const jobs: Job[] = [];
  beforeAll(async () => {
    // XLIFF's units have one value each, so a plural key has to be known before.
    await walk.sync([{ key: PLURAL, forms: texts.source[PLURAL] }]);
    for (const side of format === "pot" ? (["source"] as const) : (["source", "target"] as const)) {
      const { bytes, name, locale } = await file(side);
      jobs.push(await importedFile(bytes, name, locale));
    }
  });

  test("creates keys from the source file and fills them from translation files", async () => {
    for (const job of jobs) expect(job).toMatchObject({ status: "succeeded", error: null });
    expect((await walk.key(SINGLE))?.source).toMatchObject({ value: texts.source[SINGLE] });
    expect((await walk.key(PLURAL))?.source).toMatchObject({ forms: texts.source[PLURAL] });
    if (format === "pot") return;
    const { target } = await walk.locales();
    expect((await walk.row(target, SINGLE)).value).toBe(texts.target[SINGLE]);
    expect((await walk.row(target, PLURAL)).forms).toMatchObject(texts.target[PLURAL]);
  });

  test("changes nothing when its export is imported", async () => {
    const profile = await profileOf(format);
    if (profile === undefined) {
      // Only of a project that this run made itself is it known which profiles it has.
      expect(isLocal).toBe(false);
      return;
    }
    const { target } = await walk.locales();
    const answer = await exported(profile, target);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^[\w-]+\/[\w.+-]+/u);
    const before = await walk.rows(target);
    const name = /filename="([^"]+)"/u.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "";
    const again = await importedFile(
      answer.bytes,
      name,
      format === "pot" ? (await walk.locales()).source : target,
      "1",
    );
    expect(again).toMatchObject({ status: "succeeded", error: null });
    expect(await walk.rows(target)).toEqual(before);
    expect((await exported(profile, target)).headers.get("etag")).toBe(answer.headers.get("etag"));
  });
});

function asText(text: string | Readonly<Record<string, string>>): NewEntry["text"] {
  return typeof text === "string" ? { value: text } : { forms: text };
}

/** The key of a profile of that format, where the record tells ("Fields of an export profile …: not shown"). */
async function profileOf(format: FormatName): Promise<string | undefined> {
  const record = (await service.request("GET", "/project")).data<{ exportProfiles?: unknown }>();
  const profiles = Array.isArray(record.exportProfiles) ? (record.exportProfiles as unknown[]) : [];
  const found = profiles.find((one) => (one as { format?: unknown } | null)?.format === format);
  const key = (found as { key?: unknown } | undefined)?.key;
  return typeof key === "string" ? key : undefined;
}

async function exported(profile: string, locale: string): Promise<Answer> {
  for (;;) {
    const answer = await service.request("GET", `/exports/${encodeURIComponent(profile)}`, {
      query: { locales: locale, missing: "omit" },
    });
    if (answer.status !== 202) return answer;
    expect((await ended(service, answer.data<Job>().id)).status).toBe("succeeded");
  }
}
