/** Keys and translations of the alternative service: listing, diff and changes. */
import {
  php,
  errorResponse,
  sameJson,
  sha1,
  sourceHashOf,
  UNIT,
  validationError,
  type Answer,
  type Json,
  type Variant,
} from "./alternative-responses.ts";

interface StoredKey {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly isPlural: boolean;
  text: string | Record<string, string> | null;
  description: string | null;
  maxLength: number | null;
  tags: string[];
  archived: boolean;
  changed: number;
}

interface StoredText {
  text: string | Record<string, string>;
  version: number;
  changed: number;
}

export class AlternativeContent {
  readonly #variant: Variant;
  readonly keys = new Map<string, StoredKey>();
  readonly texts = new Map<string, Map<string, StoredText>>([
    ["nl", new Map()],
    ["fr", new Map()],
  ]);
  contentVersion = 7;
  /** Whether changes leave the content version unchanged. */
  isVersionFrozen = false;
  /** The number of requests for further pages that are refused with an invalid cursor. */
  expiringCursors = 0;
  #now = Date.UTC(2026, 0, 5, 10, 0, 0);

  constructor(variant: Variant) {
    this.#variant = variant;
  }

  /** Adds or replaces a key, as another user does in the service's web pages. */
  put(name: { namespace?: string; key: string }, text: string | Record<string, string> | null): StoredKey {
    const namespace = name.namespace ?? "*";
    const hash = sha1(`${namespace}${UNIT}${name.key}${UNIT}`);
    const key: StoredKey = {
      hash,
      namespace,
      key: name.key,
      context: null,
      isPlural: typeof text === "object" && text !== null,
      text,
      description: null,
      maxLength: null,
      tags: [],
      archived: false,
      changed: this.#tick(),
    };
    this.keys.set(hash, key);
    return key;
  }

  translate(locale: string, hash: string, text: string | Record<string, string>): void {
    const texts = this.texts.get(locale);
    texts?.set(hash, { text, version: (texts.get(hash)?.version ?? 40) + 2, changed: this.#tick() });
  }

  /** Archives or deletes a key: lists no longer contain it. */
  remove(hash: string): void {
    this.keys.delete(hash);
    this.#tick();
  }

  /** Advances the time, so that changes have different timestamps. */
  advanceTime(seconds: number): void {
    this.#now += seconds * 1000;
  }

  #tick(): number {
    this.#now += 10;
    if (!this.isVersionFrozen) this.contentVersion += 3;
    return this.#now;
  }

  project(): unknown {
    return {
      uuid: "0b6c",
      slug: "shop",
      name: "Webshop",
      type: "wordpress",
      source: { locale: "en" },
      languages: { en: { label: "English" }, nl: { label: "Nederlands" } },
      exportProfiles: this.#variant.exportProfiles ?? { app: { title: "App", fileFormat: "json" } },
      plan: { name: "Team" },
    };
  }

  active(): StoredKey[] {
    return [...this.keys.values()].filter((key) => !key.archived).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  stats(): unknown {
    const active = this.active();
    const entry = (locale: string, name: string): unknown => {
      const texts = this.texts.get(locale);
      const translated = active.filter((key) => texts === undefined || texts.has(key.hash)).length;
      const changed = [...(texts?.values() ?? [])].map((text) => text.changed);
      return {
        locale,
        name,
        flag: null,
        isSource: texts === undefined,
        totalKeys: active.length,
        translated,
        outdated: 0,
        qaErrors: 0,
        percent: active.length === 0 ? 100 : Math.round((100 * translated) / active.length),
        lastTranslatedAt: changed.length === 0 ? null : this.time(Math.max(...changed)),
      };
    };
    const languages = [entry("en", "English"), entry("nl", "Nederlands"), entry("fr", "Français")];
    return { contentVersion: this.contentVersion, languages, generatedAt: this.time(this.#now) };
  }

  /** Returns a timestamp in the variant's format; default: now. */
  time(at: number = this.#now): string | null {
    const iso = new Date(at).toISOString();
    if (this.#variant.times === "null") return null;
    return this.#variant.times === "seconds"
      ? iso.replace(/\.\d+Z$/u, "Z")
      : iso.replace(/\.(\d+)Z$/u, ".$1000Z");
  }

  #key(key: StoredKey): unknown {
    const source =
      key.text === null ? {} : typeof key.text === "string" ? { value: key.text } : { forms: key.text };
    return {
      id: 1,
      hash: key.hash,
      namespace: key.namespace,
      key: key.key,
      context: key.context ?? "",
      isPlural: key.isPlural,
      description: key.description,
      maxLength: key.maxLength,
      sourceHash: sourceHashOf(key.text),
      source: php(source),
      tags: key.tags,
      archived: key.archived,
      archivedBy: null,
      updatedAt: this.time(key.changed),
      screenshots: [],
    };
  }

  listKeys(query: URLSearchParams): Answer {
    const archived = query.get("archived");
    if (archived !== null && archived !== "true" && archived !== "false") return validationError("archived");
    const all = [...this.keys.values()].filter(
      (key) =>
        // The default is both.
        (archived === null || key.archived === (archived === "true")) &&
        (query.get("namespace") ?? key.namespace) === key.namespace,
    );
    return this.#page(
      all,
      query,
      (key) => key.changed,
      (key) => this.#key(key),
    );
  }

  listRows(locale: string, query: URLSearchParams): Answer {
    const texts = this.texts.get(locale);
    if (texts === undefined && locale !== "en") return errorResponse(404);
    const rows = this.active().filter((key) => (query.get("namespace") ?? key.namespace) === key.namespace);
    const changedAt = (key: StoredKey): number =>
      texts === undefined ? key.changed : (texts.get(key.hash)?.changed ?? 0);
    return this.#page(rows, query, changedAt, (key) => {
      const own = texts === undefined ? null : texts.get(key.hash);
      const text = texts === undefined ? key.text : (own?.text ?? null);
      return {
        hash: key.hash,
        namespace: key.namespace,
        key: key.key,
        context: key.context ?? "",
        isPlural: key.isPlural,
        value: typeof text === "string" ? text : null,
        forms: key.isPlural ? (typeof text === "object" && text !== null ? text : []) : null,
        isTranslated: text !== null,
        isOutdated: false,
        issues: text === null ? [] : (this.#variant.issues ?? []),
        version: own?.version ?? null,
        updatedAt: text === null ? null : this.time(changedAt(key)),
        reviewedBy: null,
      };
    });
  }

  #page(
    all: readonly StoredKey[],
    query: URLSearchParams,
    changedAt: (key: StoredKey) => number,
    shown: (key: StoredKey) => unknown,
  ): Answer {
    const since = query.get("updatedSince");
    const accepts = this.#variant.updatedSince ?? "any";
    if (since !== null && (accepts === "refused" || (accepts === "seconds" && since.includes("."))))
      return validationError("updatedSince");
    const wanted = since === null ? all : all.filter((key) => changedAt(key) > Date.parse(since));
    const cursor = query.get("cursor");
    if (cursor !== null && this.expiringCursors > 0) {
      this.expiringCursors--;
      return validationError("cursor");
    }
    const limit = Math.min(Number(query.get("limit") ?? 500), this.#variant.pageSize ?? 1000);
    const at = cursor === null ? 0 : Number(Buffer.from(cursor, "base64url").toString());
    const next = at + limit < wanted.length ? Buffer.from(String(at + limit)).toString("base64url") : null;
    const meta = { nextCursor: next, limit, total: wanted.length };
    return { body: { data: wanted.slice(at, at + limit).map(shown), meta, links: [] } };
  }

  diff(body: Json): Answer {
    const told = { fresh: [] as string[], changed: [] as string[], restored: [] as string[], same: 0 };
    for (const { hash, sourceHash } of body["keys"] as { hash: string; sourceHash: string | null }[]) {
      const key = this.keys.get(hash);
      if (key === undefined) told.fresh.push(hash);
      else if (key.archived) told.restored.push(hash);
      else if (sourceHashOf(key.text) !== sourceHash) told.changed.push(hash);
      else told.same++;
    }
    const { fresh, changed, restored, same } = told;
    switch (this.#variant.diff ?? "near") {
      case "near":
        return {
          body: {
            newKeys: fresh.map((hash) => ({ hash, position: 1 })),
            modified: changed,
            restoredHashes: restored,
            unchangedCount: same,
          },
        };
      case "counts":
        return {
          body: {
            data: { new: fresh.length, changed: changed.length, restored: restored.length, unchanged: same },
          },
        };
      case "unreadable":
        return { body: { data: { nieuw: fresh, anders: changed, terug: restored, zelfde: same } } };
    }
  }

  sync(body: Json): Answer {
    const result = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0 };
    const rejected: unknown[] = [];
    for (const item of (body["keys"] ?? []) as Json[]) {
      const namespace = (item["namespace"] as string | undefined) ?? "*";
      const context = (item["context"] as string | undefined) ?? "";
      const text = (item["forms"] ?? item["value"]) as string | Record<string, string>;
      const hash = sha1(`${namespace}${UNIT}${item["key"] as string}${UNIT}${context}`);
      const known = this.keys.get(hash);
      if (text === "FORBIDDEN") {
        rejected.push({ hash, reason: "profanity", detail: { word: 1 } });
      } else if (known === undefined) {
        const key = this.put({ namespace, key: item["key"] as string }, text);
        key.description = (item["description"] as string | undefined) ?? null;
        result.created++;
      } else if (known.isPlural !== (typeof text === "object")) {
        rejected.push({ hash, reason: "plural_changed" });
      } else {
        const before = known.archived ? "restored" : sameJson(known.text, text) ? "unchanged" : "updated";
        result[before]++;
        if (before !== "unchanged") Object.assign(known, { text, archived: false, changed: this.#tick() });
      }
    }
    for (const hash of (body["archive"] ?? []) as string[]) {
      const key = this.keys.get(hash);
      if (key === undefined || key.archived) continue;
      key.archived = true;
      result.archived++;
      this.#tick();
    }
    return { body: { data: { ...result, rejected, tookMs: 3 } } };
  }

  update(hash: string, body: Json): Answer {
    const key = this.keys.get(hash);
    if (key === undefined) return errorResponse(404);
    Object.assign(key, body, { changed: this.#tick() });
    return { body: { data: this.#key(key) } };
  }

  write(locale: string, query: URLSearchParams, body: Json): Answer {
    const texts = this.texts.get(locale);
    if (texts === undefined) return errorResponse(404);
    const mode = query.get("mode") ?? body["mode"];
    if (mode !== "overwrite" && mode !== "fill_empty") return validationError("mode");
    const skipped: { index: number; hash: string; reason: string }[] = [];
    for (const [index, item] of (body["updates"] as Json[]).entries()) {
      const hash = item[this.#variant.itemHash ?? "hash"] as string;
      const skip = (reason: string): void => void skipped.push({ index, hash, reason });
      const here = texts.get(hash);
      const key = this.keys.get(hash);
      if (key === undefined || key.archived) skip("KEY_MISSING");
      else if (item["version"] !== undefined && item["version"] !== here?.version) skip("STALE");
      else if (mode === "fill_empty" && here !== undefined) skip("OCCUPIED");
      else if (item["value"] === "LOCKED") skip("LOCKED_BY_REVIEW");
      else if (item["value"] === "") texts.delete(hash);
      else if (this.#variant.trims) this.translate(locale, hash, (item["value"] as string).trim());
      else this.translate(locale, hash, (item["forms"] ?? item["value"]) as string);
    }
    return { body: this.#skipped(skipped) };
  }

  #skipped(skipped: readonly { index: number; hash: string; reason: string }[]): unknown {
    switch (this.#variant.skipped ?? "objects") {
      case "objects":
        return {
          data: [],
          skipped: skipped.map(({ hash, reason }) => ({ keyHash: hash, reason, at: null })),
        };
      case "by-reason": {
        const reasons = Map.groupBy(skipped, ({ reason }) => reason);
        const lists = [...reasons].map(([reason, all]) => [reason, all.map(({ hash }) => hash)]);
        return { data: { skipped: php(Object.fromEntries(lists)) } };
      }
      case "by-index":
        return {
          data: {
            skipped: php(Object.fromEntries(skipped.map(({ index, reason }) => [`${index}`, reason]))),
          },
        };
      case "nested":
        return {
          data: { skipped: skipped.map(({ hash, reason }) => ({ item: { hash }, error: { code: reason } })) },
        };
      case "count":
        return { data: { written: 1, skipped: skipped.length } };
      case "absent":
        return { data: {} };
    }
  }
}
