/** Keys in a namespace of their own, archived at the end. */
import { randomBytes } from "node:crypto";
import { expect, inject } from "vitest";
import { hashOf, type Answer, type Api } from "./http.ts";

/** § Key. */
export interface Key {
  hash: string;
  namespace: string;
  key: string;
  context: string | null;
  isPlural: boolean;
  description: string | null;
  maxLength: number | null;
  sourceHash: string | null;
  source: { value?: string | null; forms?: Record<string, string> | null };
  tags: string[];
  archived: boolean;
  updatedAt: string;
}

/** § Translation row. */
export interface Row {
  hash: string;
  namespace: string;
  key: string;
  context: string | null;
  isPlural: boolean;
  value: string | null;
  forms: Record<string, string> | null;
  isTranslated: boolean;
  isOutdated: boolean;
  issues: { rule: string; level: string; placeholder: string; form: string; suggestion: string }[];
  version: number | null;
  updatedAt: string;
}

export interface SyncResult {
  created: number;
  updated: number;
  restored: number;
  unchanged: number;
  archived: number;
  rejected: { hash: string; reason: string }[];
}

export interface Language {
  locale: string;
  name: string;
  isSource: boolean;
  totalKeys: number;
  translated: number;
  outdated: number;
  qaErrors: number;
  percent: number;
  lastTranslatedAt: string | null;
}

export interface Job {
  id: number;
  type: string;
  status: string;
  progress: { done: number; total: number } | null;
  result: unknown;
  error: { code: string; message: string } | null;
  createdAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
}

export interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number };
}

export class Walk {
  readonly api: Api;
  /** No other run has it. */
  readonly namespace = `walk-${randomBytes(5).toString("hex")}`;

  constructor(api: Api) {
    this.api = api;
  }

  hash(key: string, context = ""): string {
    return hashOf(this.namespace, key, context);
  }

  /** Syncs keys of this namespace. */
  async sync(keys: readonly Record<string, unknown>[], archive?: readonly string[]): Promise<SyncResult> {
    const answer = await this.api.request("POST", "/keys/sync", {
      body: {
        keys: keys.map((key) => ({ namespace: this.namespace, ...key })),
        ...(archive === undefined ? {} : { archive }),
      },
    });
    expect(answer.status, answer.bytes.toString()).toBe(200);
    return answer.data<SyncResult>();
  }

  /** All keys that the filters select in this namespace, active ones unless said otherwise. */
  async keys(query: Record<string, string | number> = {}): Promise<Key[]> {
    return this.#all<Key>("/keys", query);
  }

  async key(name: string, query: Record<string, string | number> = {}): Promise<Key | undefined> {
    return (await this.keys(query)).find((key) => key.key === name);
  }

  /** All rows of this namespace in one language. */
  async rows(locale: string, query: Record<string, string | number> = {}): Promise<Row[]> {
    return this.#all<Row>(`/translations/${locale}`, query);
  }

  async row(locale: string, key: string): Promise<Row> {
    const found = (await this.rows(locale)).find((row) => row.key === key);
    if (found === undefined) throw new Error(`${key} has no row in ${locale}`);
    return found;
  }

  /** Writes translations, each naming its key in both ways that there are. */
  async write(
    locale: string,
    items: readonly (Record<string, unknown> & { key: string })[],
    mode: "overwrite" | "fill_empty" = "overwrite",
  ): Promise<{ hash?: string; reason: string }[]> {
    const answer = await this.api.request("PUT", `/translations/${locale}`, {
      query: { mode },
      body: {
        mode,
        translations: items.map((item) => ({
          hash: this.hash(item.key),
          namespace: this.namespace,
          ...item,
        })),
      },
    });
    expect(answer.status, answer.bytes.toString()).toBe(200);
    return answer.data<{ skipped: { hash?: string; reason: string }[] }>().skipped;
  }

  async languages(): Promise<Language[]> {
    return (await this.stats()).languages;
  }

  async stats(): Promise<{ contentVersion: number; languages: Language[] }> {
    return (await this.api.request("GET", "/stats")).data();
  }

  /** The source language and the first target. */
  async locales(): Promise<{ source: string; target: string }> {
    const languages = await this.languages();
    const source = languages.find((language) => language.isSource)?.locale;
    const target = languages.find((language) => !language.isSource)?.locale;
    if (source === undefined || target === undefined)
      throw new Error("The walk needs a project with a source and a target language.");
    return { source, target };
  }

  /** Archives whatever is left active. */
  async cleanUp(): Promise<void> {
    const keys = await this.keys();
    if (keys.length > 0)
      await this.sync(
        [],
        keys.map((key) => key.hash),
      );
  }

  async #all<Item>(path: string, query: Record<string, string | number>): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const answer: Answer = await this.api.request("GET", path, {
        query: { namespace: this.namespace, limit: 1000, ...query, ...(cursor === null ? {} : { cursor }) },
      });
      expect(answer.status, answer.bytes.toString()).toBe(200);
      const page: Page<Item> = answer.json();
      items.push(...page.data);
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
    return items;
  }
}

/** Polls a job until it ended (§ GET /jobs: every 2 to 5 seconds is advised; a service of one's own may be asked more). */
export async function ended(
  api: Api,
  id: number,
  every = inject("target").isLocal ? 20 : 2_000,
): Promise<Job> {
  for (;;) {
    const job = (await api.request("GET", `/jobs/${id}`)).data<Job>();
    expect(["queued", "running", "succeeded", "failed"]).toContain(job.status);
    if (job.status === "succeeded" || job.status === "failed") return job;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** Uploads files by their paths (§ POST /imports). */
export function upload(
  api: Api,
  files: Files,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields)) raw.append(name, value);
  for (const [path, content] of Object.entries(files)) raw.append("files[]", new Blob([content]), path);
  return api.request("POST", "/imports", { raw });
}

/** Uploads files and waits until the job ended. */
export async function imported(...given: Parameters<typeof upload>): Promise<Job> {
  const answer = await upload(...given);
  expect(answer.status, answer.bytes.toString()).toBe(202);
  return ended(given[0], answer.data<Job>().id, 50);
}

/** Waits until a write has a later time: that of the local service is in milliseconds, others may use seconds. */
export async function laterTime(): Promise<void> {
  const least = Date.now() + (inject("target").isLocal ? 1 : 1_100);
  while (Date.now() < least) await new Promise((resolve) => setTimeout(resolve, 1));
}
