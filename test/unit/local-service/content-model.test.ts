/** Keys, translations and their lists after any sequence of requests, compared with a simple model. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyHash, NO_NAMESPACE, sourceHash } from "../../../src/model/key-hash.ts";
import { isEmptyText, isForms, areTextsEqual, type Text } from "../../../src/model/translation-text.ts";
import { type Harness, start } from "./harness.ts";
import { runCount } from "../support/full-run.ts";

interface ModelTranslation {
  text: Text | null;
  version: number;
  outdated: boolean;
}

interface ModelKey {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly isPlural: boolean;
  text: Text | null;
  version: number;
  description: string | null;
  maxLength: number | null;
  readonly tags: Set<string>;
  archived: boolean;
  readonly translations: Map<string, ModelTranslation>;
}

interface SyncItem {
  readonly key: string;
  readonly namespace?: string | null;
  readonly context?: string | null;
  readonly value?: string | null;
  readonly forms?: Readonly<Record<string, string>> | null;
  readonly description?: string | null;
  readonly maxLength?: number | null;
  readonly tags?: readonly string[];
}

interface WriteItem {
  readonly name: number;
  readonly byHash: boolean;
  readonly text: Text | null;
  /** From the version there: how far off; `undefined`: none is sent. */
  readonly versionOff: number | undefined;
}

type Step =
  | { readonly do: "sync"; readonly keys: readonly SyncItem[]; readonly archive: readonly number[] }
  | {
      readonly do: "write";
      readonly locale: "nl" | "de";
      readonly mode: "overwrite" | "fill_empty";
      readonly items: readonly WriteItem[];
    }
  | {
      readonly do: "patch";
      readonly name: number;
      readonly patch: {
        readonly description?: string | null;
        readonly maxLength?: number | null;
        readonly tags?: readonly string[];
      };
    };

const NAMES = [
  { key: "a" },
  { key: "a", namespace: "shop" },
  { key: "a", context: "menu" },
  { key: "b", namespace: "shop", context: "menu" },
  { key: "c", namespace: "" },
] as const;
const hashOf = ({ key, namespace, context }: SyncItem): string =>
  keyHash({ key, namespace: namespace || NO_NAMESPACE, context: context || null });
const HASHES = NAMES.map(hashOf);

const name = fc.nat(NAMES.length - 1);
const value = fc.constantFrom("", "one", "two");
const forms = fc.constantFrom({}, { one: "1", other: "2" }, { one: "", other: "3" }, { other: "4" });
const tag = fc.constantFrom("x", "y", "z");
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(arbitrary, fc.constantFrom(null, undefined));
const syncItem: fc.Arbitrary<SyncItem> = fc
  .record({
    name,
    text: fc.oneof(
      { weight: 4, arbitrary: fc.record({ value: optional(value) }) },
      fc.record({ forms: optional(forms) }),
    ),
    description: optional(fc.constantFrom("", "d", "e")),
    maxLength: optional(fc.constantFrom(1, 50_000)),
    tags: fc.option(fc.array(tag, { maxLength: 2 }), { nil: undefined }),
  })
  .map(({ name: index, text, tags, ...rest }) => {
    return { ...NAMES[index], ...text, ...rest, ...(tags === undefined ? {} : { tags }) } as SyncItem;
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("sync" as const),
      keys: fc.array(syncItem, { maxLength: 4 }),
      archive: fc.array(name, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      locale: fc.constantFrom("nl" as const, "de" as const),
      mode: fc.constantFrom("overwrite" as const, "fill_empty" as const),
      items: fc.array(
        fc.record({
          name,
          byHash: fc.boolean(),
          text: fc.oneof(
            { weight: 3, arbitrary: value.map((text) => ({ value: text })) },
            forms.map((text) => ({ forms: text as Readonly<Record<string, string>> })),
            fc.constant(null),
          ),
          versionOff: fc.constantFrom(undefined, undefined, 0, 0, 1),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("patch" as const),
      name,
      patch: fc.record(
        {
          description: fc.constantFrom(null, "p"),
          maxLength: fc.constantFrom(null, 9),
          tags: fc.array(tag, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
);

/** The rules, for requests one after the other. */
class Model {
  readonly keys: ModelKey[] = [];
  /** Whether the last request changed anything. */
  changed = false;

  find(hash: string): ModelKey | undefined {
    return this.keys.find((key) => key.hash === hash);
  }

  sync(items: readonly SyncItem[], archive: readonly string[]): object {
    this.changed = false;
    const counts = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
    const rejected: { hash: string; reason: string }[] = [];
    const sent = new Set<string>();
    const first = items.filter((item) => {
      const hash = hashOf(item);
      if (sent.has(hash)) rejected.push({ hash, reason: "duplicate" });
      return !sent.has(hash) && sent.add(hash);
    });
    for (const item of first) {
      const text = item.forms
        ? { forms: item.forms }
        : item.value == null
          ? undefined
          : { value: item.value };
      const hash = hashOf(item);
      let key = this.find(hash);
      if (key !== undefined && text !== undefined && key.isPlural !== isForms(text)) {
        rejected.push({ hash, reason: "plural_changed" });
        continue;
      }
      const isNew = key === undefined;
      if (key === undefined) {
        key = {
          hash,
          key: item.key,
          namespace: item.namespace || NO_NAMESPACE,
          context: item.context || null,
          isPlural: text !== undefined && isForms(text),
          text: null,
          version: 0,
          description: null,
          maxLength: null,
          tags: new Set(),
          archived: false,
          translations: new Map(),
        };
        this.keys.push(key);
      }
      const before = JSON.stringify([key.description, key.maxLength, [...key.tags], sourceHash(key.text)]);
      if (text !== undefined && sourceHash(text) !== sourceHash(key.text)) {
        key.text = sourceHash(text) === null ? null : text;
        key.version++;
        for (const translation of key.translations.values()) translation.outdated = translation.text !== null;
      }
      if (item.description !== undefined) key.description = item.description;
      if (item.maxLength !== undefined) key.maxLength = item.maxLength;
      for (const each of item.tags ?? []) key.tags.add(each);
      const after = JSON.stringify([key.description, key.maxLength, [...key.tags], sourceHash(key.text)]);
      const outcome = isNew
        ? "created"
        : key.archived
          ? "restored"
          : before === after
            ? "unchanged"
            : "updated";
      key.archived = false;
      counts[outcome]++;
      this.changed ||= outcome !== "unchanged";
    }
    for (const hash of new Set(archive)) {
      const key = this.find(hash);
      if (key === undefined || key.archived || sent.has(hash)) continue;
      key.archived = true;
      counts.archived++;
      this.changed = true;
    }
    return { ...counts, rejected };
  }

  write(locale: string, mode: string, items: readonly (WriteItem & { version?: number | null })[]): object {
    this.changed = false;
    const seen = new Set<string>();
    const skipped: { hash: string; reason: string }[] = [];
    let written = 0;
    for (const { name: index, text, version } of items) {
      const hash = HASHES[index] ?? "";
      const key = this.find(hash);
      const is = key?.translations.get(locale);
      const shown = is === undefined || is.text === null ? null : is.version;
      const isEmpty = text === null || isEmptyText(text);
      const reason = seen.has(hash)
        ? "duplicate"
        : key === undefined
          ? "unknown_key"
          : key.archived
            ? "archived"
            : !isEmpty && isForms(text) !== key.isPlural
              ? "plural_changed"
              : version !== undefined && version !== shown
                ? "version_conflict"
                : mode === "fill_empty" && shown !== null
                  ? "not_empty"
                  : null;
      seen.add(hash);
      if (reason !== null || key === undefined) {
        skipped.push({ hash, reason: reason ?? "" });
        continue;
      }
      written++;
      const kept: Text | null = isEmpty
        ? null
        : isForms(text)
          ? { forms: Object.fromEntries(Object.entries(text.forms).filter(([, form]) => form !== "")) }
          : text;
      if (is === undefined && kept === null) continue;
      const isSame =
        is !== undefined &&
        !is.outdated &&
        (is.text === null || kept === null ? is.text === kept : areTextsEqual(is.text, kept));
      if (isSame) continue;
      key.translations.set(locale, { text: kept, version: (is?.version ?? 0) + 1, outdated: false });
      this.changed = true;
    }
    return { written, skipped };
  }

  patch(index: number, patch: Extract<Step, { do: "patch" }>["patch"]): ModelKey | undefined {
    this.changed = false;
    const key = this.find(HASHES[index] ?? "");
    if (key === undefined) return undefined;
    const state = (): string => JSON.stringify([key.description, key.maxLength, [...key.tags].toSorted()]);
    const before = state();
    if (patch.description !== undefined) key.description = patch.description;
    if (patch.maxLength !== undefined) key.maxLength = patch.maxLength;
    if (patch.tags !== undefined) {
      key.tags.clear();
      for (const each of patch.tags) key.tags.add(each);
    }
    this.changed = before !== state();
    return key;
  }
}

const textFields = (text: Text | null): object =>
  text === null
    ? { value: null, forms: null }
    : isForms(text)
      ? { value: null, forms: text.forms }
      : { value: text.value, forms: null };

function shownKey(of: ModelKey): object {
  const { hash, namespace, key, context, isPlural, text, description, maxLength, tags, archived } = of;
  return {
    hash,
    namespace,
    key,
    context,
    isPlural,
    description,
    maxLength,
    archived,
    source: text ?? {},
    sourceHash: sourceHash(text),
    tags: [...tags].toSorted(),
    updatedAt: expect.any(String),
  };
}

function shownRow(key: ModelKey, locale: string): Record<string, unknown> {
  const { hash, namespace, key: called, context, isPlural } = key;
  const names = {
    hash,
    namespace,
    key: called,
    context,
    isPlural,
    issues: [],
    updatedAt: expect.any(String),
  };
  if (locale === "en") {
    const isTranslated = key.text !== null;
    return {
      ...names,
      ...textFields(key.text),
      isTranslated,
      isOutdated: false,
      version: isTranslated ? key.version : null,
    };
  }
  const { text = null, version = 0, outdated = false } = key.translations.get(locale) ?? {};
  // Dutch and German need both forms.
  const isTranslated =
    text !== null && (!isForms(text) || ["one", "other"].every((form) => text.forms[form] !== undefined));
  return {
    ...names,
    ...textFields(text),
    isTranslated,
    isOutdated: outdated,
    version: text === null ? null : version,
  };
}

/** Everything that the service shows of its content, against the model. */
async function expectContent(service: Harness, model: Model): Promise<void> {
  const byName = model.keys.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const lists: readonly [query: string, has: (key: ModelKey) => boolean][] = [
    ["archived=all", () => true],
    ["archived=1", ({ archived }) => archived],
    ["", ({ archived }) => !archived],
    ["namespace=shop", ({ archived, namespace }) => !archived && namespace === "shop"],
    ["tag=x", ({ archived, tags }) => !archived && tags.has("x")],
    ["archived=all&tag=untagged", ({ tags }) => tags.size === 0],
  ];
  for (const [query, has] of lists)
    expect(await service.data("GET", `/keys?${query}`), query).toEqual(byName.filter(has).map(shownKey));
  for (const locale of ["en", "nl", "de"]) {
    const active = model.keys.filter(({ archived }) => !archived);
    const rows: readonly [query: string, has: (key: ModelKey) => boolean][] = [
      ["", () => true],
      ["status=translated", (key) => shownRow(key, locale)["isTranslated"] === true],
      ["status=untranslated", (key) => shownRow(key, locale)["isTranslated"] === false],
      ["namespace=shop", ({ namespace }) => namespace === "shop"],
      ["tag=y", ({ tags }) => tags.has("y")],
      ["tag=untagged", ({ tags }) => tags.size === 0],
    ];
    for (const [query, has] of rows)
      expect(await service.data("GET", `/translations/${locale}?${query}`), `${locale} ${query}`).toEqual(
        active.filter(has).map((key) => shownRow(key, locale)),
      );
  }
}

async function expectDiff(service: Harness, model: Model): Promise<void> {
  const other = "0".repeat(40);
  const asked = [...HASHES, other].flatMap((hash) => {
    const key = model.find(hash);
    return [null, other, sourceHash(key?.text ?? null)].map((sent) => ({ hash, sourceHash: sent }));
  });
  const expected = { new: [] as string[], changed: [] as string[], restored: [] as string[], unchanged: 0 };
  for (const { hash, sourceHash: sent } of asked) {
    const key = model.find(hash);
    if (key === undefined) expected.new.push(hash);
    else if (key.archived) expected.restored.push(hash);
    else if (sourceHash(key.text) === sent) expected.unchanged++;
    else expected.changed.push(hash);
  }
  expect(await service.data("POST", "/keys/diff", { keys: asked })).toEqual(expected);
}

test("behaves like the model for any sequence of requests", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const service = await start({ languages: [{ locale: "nl" }, { locale: "de" }] });
      const model = new Model();
      const version = async (): Promise<number> =>
        (await service.data<{ contentVersion: number }>("GET", "/stats")).contentVersion;
      let before = await version();
      for (const one of steps) {
        if (one.do === "sync") {
          const archive = one.archive.map((index) => HASHES[index] ?? "");
          expect(await service.data("POST", "/keys/sync", { keys: one.keys, archive })).toEqual(
            model.sync(one.keys, archive),
          );
        } else if (one.do === "write") {
          const items = one.items.map((item) => {
            const is = model.find(HASHES[item.name] ?? "")?.translations.get(one.locale);
            const shown = is === undefined || is.text === null ? null : is.version;
            const { versionOff } = item;
            if (versionOff === undefined) return item;
            return { ...item, version: versionOff === 0 ? shown : (shown ?? 0) + versionOff };
          });
          const translations = items.map((item) => {
            const { byHash, name: index, text } = item;
            return {
              ...(byHash ? { hash: HASHES[index] } : NAMES[index]),
              ...(text === null ? { value: null } : text),
              ...("version" in item ? { version: item.version } : {}),
            };
          });
          expect(
            await service.data("PUT", `/translations/${one.locale}?mode=${one.mode}`, { translations }),
          ).toEqual(model.write(one.locale, one.mode, items));
        } else {
          const key = model.patch(one.name, one.patch);
          const { status, body } = await service.call("PATCH", `/keys/${HASHES[one.name]}`, one.patch);
          if (key === undefined) expect(status).toBe(404);
          else expect(body.data).toEqual(shownKey(key));
        }
        const after = await version();
        expect(after).toBe(model.changed ? before + 1 : before);
        before = after;
      }
      await expectContent(service, model);
      await expectDiff(service, model);
      await service.stop();
    }),
    { numRuns: runCount(60) },
  );
});
