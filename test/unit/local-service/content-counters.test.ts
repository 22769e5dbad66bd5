/** Counters, versions and outdated marks after any sequence of writes, compared with a simple model. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { start } from "./harness.ts";
import { runCount } from "../support/full-run.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Row {
  readonly hash: string;
  readonly key: string;
  readonly value: string | null;
  readonly isTranslated: boolean;
  readonly isOutdated: boolean;
  readonly issues: { readonly level: string }[];
  readonly version: number | null;
}

interface Model {
  source: string;
  archived: boolean;
  readonly translations: Map<string, { value: string; outdated: boolean }>;
}

type Step =
  | { readonly do: "sync"; readonly key: number; readonly value: string }
  | { readonly do: "archive"; readonly key: number }
  | {
      readonly do: "write";
      readonly key: number;
      readonly locale: string;
      readonly value: string;
      readonly fill: boolean;
    };

const key = fc.nat(4);
const value = fc.constantFrom("", "a", "b :x", "c :y", "d :x");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("sync" as const), key, value: value.filter((text) => text !== "") }),
  fc.record({ do: fc.constant("archive" as const), key }),
  fc.record({
    do: fc.constant("write" as const),
    key,
    locale: fc.constantFrom("nl", "de"),
    value,
    fill: fc.boolean(),
  }),
);

test("keeps rows and progress equal to the model for any sequence of requests", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const service = await start({ type: "laravel", languages: [{ locale: "nl" }, { locale: "de" }] });
      const model = new Map<number, Model>();
      const hashes = new Map<number, string>();
      for (const one of steps) {
        const known = model.get(one.key);
        if (one.do === "sync") {
          await service.data("POST", "/keys/sync", { keys: [{ key: `k${one.key}`, value: one.value }] });
          if (known === undefined)
            model.set(one.key, { source: one.value, archived: false, translations: new Map() });
          else {
            if (known.source !== one.value)
              for (const text of known.translations.values()) text.outdated = true;
            known.source = one.value;
            known.archived = false;
          }
          const rows = await service.data<Row[]>("GET", "/translations/en");
          for (const row of rows) hashes.set(Number(row.key.slice(1)), row.hash);
        } else if (one.do === "archive") {
          const hash = hashes.get(one.key);
          if (hash !== undefined) await service.data("POST", "/keys/sync", { archive: [hash] });
          if (known !== undefined) known.archived = true;
        } else {
          const { skipped } = await service.data<{ skipped: { reason: string }[] }>(
            "PUT",
            `/translations/${one.locale}`,
            {
              mode: one.fill ? "fill_empty" : "overwrite",
              translations: [{ key: `k${one.key}`, value: one.value }],
            },
          );
          const has = known?.translations.has(one.locale) === true;
          const reason =
            known === undefined
              ? "unknown_key"
              : known.archived
                ? "archived"
                : one.fill && has
                  ? "not_empty"
                  : undefined;
          expect(skipped.map((item) => item.reason)).toEqual(reason === undefined ? [] : [reason]);
          if (reason !== undefined || known === undefined) continue;
          if (one.value === "") known.translations.delete(one.locale);
          else known.translations.set(one.locale, { value: one.value, outdated: false });
        }
      }
      const { languages } = await service.data<{ languages: Record<string, unknown>[] }>("GET", "/stats");
      const active = [...model.values()].filter((one) => !one.archived);
      for (const locale of ["nl", "de"]) {
        const rows = await service.data<Row[]>("GET", `/translations/${locale}`);
        const texts = active.flatMap((one) => one.translations.get(locale) ?? []);
        expect(
          rows
            .filter((row) => row.isTranslated)
            .map((row) => row.value ?? "")
            .toSorted(),
        ).toEqual(texts.map((text) => text.value).toSorted());
        expect(rows.every((row) => row.isTranslated === (row.version !== null))).toBe(true);
        expect(languages.find((language) => language["locale"] === locale)).toMatchObject({
          totalKeys: active.length,
          translated: texts.length,
          outdated: texts.filter((text) => text.outdated).length,
          qaErrors: rows.flatMap((row) => row.issues).filter((issue) => issue.level === "error").length,
        });
      }
      await service.stop();
    }),
    { numRuns: runCount(25) },
  );
});

test("never reuses a version after a translation was cleared", async () => {
  const service = await start({ languages: [{ locale: "nl" }] });
  await service.data("POST", "/keys/sync", { keys: [{ key: "a", value: "A" }] });
  const write = async (text: string, version?: number | null): Promise<unknown> => {
    const item = version === undefined ? { key: "a", value: text } : { key: "a", value: text, version };
    const { skipped } = await service.data<{ skipped: { reason: string }[] }>("PUT", "/translations/nl", {
      translations: [item],
    });
    return skipped[0]?.reason ?? (await service.data<Row[]>("GET", "/translations/nl"))[0]?.version;
  };
  expect(await write("x", null)).toBe(1);
  expect(await write("y", null)).toBe("version_conflict");
  expect(await write("", 1)).toBe(null);
  expect(await write("x")).toBe(3);
  expect(await write("z", 1)).toBe("version_conflict");
  expect(await write("x", 3)).toBe(3);
});

test("filters rows by tag, and counts removing a tag as a change of the key", async () => {
  const service = await start({ languages: [{ locale: "nl" }] });
  const keys = [
    { key: "a", value: "A", tags: ["x", "y"] },
    { key: "b", value: "B", tags: ["y"] },
    { key: "c", value: "C" },
  ];
  await service.data("POST", "/keys/sync", { keys });
  const names = async (query: string): Promise<string[]> =>
    (await service.data<{ key: string }[]>("GET", `/translations/nl?${query}`)).map(({ key }) => key);
  expect(await names("tag=x")).toEqual(["a"]);
  expect(await names("tag=y")).toEqual(["a", "b"]);
  interface Key {
    readonly hash: string;
    readonly tags: readonly string[];
    readonly updatedAt: string;
  }
  const [before] = await service.data<Key[]>("GET", "/keys");
  await waitUntil(() => Date.now() > Date.parse(before!.updatedAt));
  await service.data("PATCH", `/keys/${before!.hash}`, { tags: ["y"] });
  const [after] = await service.data<Key[]>("GET", "/keys");
  expect(after?.tags).toEqual(["y"]);
  expect(Date.parse(after!.updatedAt)).toBeGreaterThan(Date.parse(before!.updatedAt));
});

test("changes the content once when a translation is cleared twice", async () => {
  const service = await start({ languages: [{ locale: "nl" }] });
  await service.data("POST", "/keys/sync", { keys: [{ key: "a", value: "A" }] });
  const written = async (value: string): Promise<number> => {
    await service.data("PUT", "/translations/nl", { translations: [{ key: "a", value }] });
    return (await service.data<{ contentVersion: number }>("GET", "/stats")).contentVersion;
  };
  const first = await written("a");
  expect([await written(""), await written("")]).toEqual([first + 1, first + 1]);
});

test("warnings are issues of a translation, and not counted as errors", async () => {
  const service = await start({ type: "laravel", languages: [{ locale: "nl" }] });
  const keys = ["wrong", "odd", "right"].map((key) => ({ key, value: ":count items" }));
  await service.data("POST", "/keys/sync", { keys });
  const translations = [
    { key: "wrong", value: "Items" },
    { key: "odd", value: ":count items :more" },
    { key: "right", value: ":count items" },
  ];
  await service.data("PUT", "/translations/nl", { translations });
  const rows = await service.data<{ issues: { level: string }[] }[]>("GET", "/translations/nl");
  expect(rows.map(({ issues }) => issues.map(({ level }) => level))).toEqual([["error"], ["warning"], []]);
  const stats = await service.data<{ languages: { qaErrors: number }[] }>("GET", "/stats");
  expect(stats.languages.map(({ qaErrors }) => qaErrors)).toEqual([0, 1]);
});
