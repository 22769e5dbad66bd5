/** The session of a project: stored tokens, and two windows of one folder. */
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../../src/api/client.ts";
import type { OnWait } from "../../../../src/api/rate-limiter.ts";
import { parseProject } from "../../../../src/api/undocumented-fields.ts";
import { Database } from "../../../../src/database/database.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { ProjectSession } from "../../../../src/sync/session/project-session.ts";
import {
  projectIdOf,
  readToken,
  saveRecord,
  saveToken,
  type SavedToken,
  type TokenLocation,
  type VerifiedToken,
} from "../../../../src/sync/session/token-storage.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { fastClock, recordingLog } from "../../support/node-platform.ts";
import { waitUntil } from "../../support/wait-until.ts";

const BASE_URL = "https://translations.example.com/v1";

function tokenPlace(): TokenLocation & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const secrets = {
    get: async (name: string) => texts.get(name),
    store: async (name: string, text: string) => void texts.set(name, text),
    delete: async (name: string) => void texts.delete(name),
  };
  return { secrets, texts, root: "file:///app", baseUrl: BASE_URL };
}

const verified = (token: string, project: object): VerifiedToken => ({
  baseUrl: BASE_URL,
  token,
  record: parseProject({ ...project }),
  stats: { contentVersion: 1, languages: [] },
  canWrite: true,
});

async function saved(place: TokenLocation): Promise<SavedToken> {
  const token = await readToken(place);
  if (token === null) throw new Error("no token is saved");
  return token;
}

test("stays the same project after the slug changes", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop", name: "Shop" }), "id");
  const before = await saved(place);
  expect(before).toMatchObject({ slug: "shop", name: "Shop", canWrite: true, projectId: "id" });
  await saveRecord(place, before, parseProject({ slug: "store", name: "Store" }));
  const after = await saved(place);
  expect(after).toMatchObject({ slug: "store", name: "Store", token: "token-one" });
  expect(projectIdOf(after)).toBe(projectIdOf(before));
});

test("assigns a token saved by an earlier version to the project of its slug", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { projectId, ...earlier } = await saved(place);
  for (const name of place.texts.keys()) place.texts.set(name, JSON.stringify(earlier));
  expect(projectIdOf(await saved(place))).toBe(projectId);
});

test("stays the project of its first slug for a token saved by an earlier version, after the slug changes", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { projectId: _, ...earlier } = await saved(place);
  await saveRecord(place, earlier, parseProject({ slug: "store", name: "Store" }));
  const after = await saved(place);
  expect([after.slug, projectIdOf(after)]).toEqual(["store", "shop"]);
});

test("reads a token only for its base URL and folder", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  expect(await readToken({ ...place, root: "file:///other" })).toBeNull();
  expect(await readToken({ ...place, baseUrl: "https://other.example.com/v1" })).toBeNull();
  // Nor where somebody put it under another name.
  const [text] = place.texts.values();
  const other = { ...place, baseUrl: "https://other.example.com/v1" };
  await saveToken(other, { ...verified("token-two", {}), baseUrl: other.baseUrl }, "other");
  for (const name of place.texts.keys()) place.texts.set(name, text ?? "");
  expect(await readToken(other)).toBeNull();
});

/** A window with a session of its own; `sent` are the tokens with which something was sent. */
function openSession(place: TokenLocation) {
  const sent: string[] = [];
  const project = new Project("id", "App", new Database());
  const session = new ProjectSession({
    project,
    isTrusted: () => true,
    connect: ({ baseUrl, token }, { ended }) =>
      createClient({
        baseUrl,
        token,
        fetch: async () => {
          if (ended.aborted) throw new Error("ended");
          sent.push(token);
          return Response.json({ data: { contentVersion: 1, languages: [] } });
        },
        clock: fastClock(),
        log: recordingLog(),
        locale: () => "en",
      }),
  });
  return { session, project, sent, read: async () => session.applyToken(await readToken(place)) };
}

test("keeps the data when a new token of the same project replaces a refused one", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { session, project, sent, read } = openSession(place);
  await read();
  project.setStats({ contentVersion: 7, languages: [] }, { kind: "fresh", at: 1 });
  project.setSession({ kind: "refused", baseUrl: BASE_URL, reason: "unauthorized" });
  expect(session.client).toBeNull();
  await saveToken(place, verified("token-two", { slug: "shop" }), "shop");
  await read();
  expect(project.session).toMatchObject({ kind: "signed-in", slug: "shop" });
  expect(project.stats?.contentVersion).toBe(7);
  await session.client?.stats();
  expect(sent).toEqual(["token-two"]);
});

test("keeps polling an archived project and signs in once the token is accepted", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { session, project, read } = openSession(place);
  await read();
  project.setSession({ kind: "refused", baseUrl: BASE_URL, reason: "archived" });
  expect(session.client).not.toBeNull();
  session.retry();
  expect(project.session.kind).toBe("signed-in");
});

test("applies the same token again only where nothing is known of the session", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { session, project, read } = openSession(place);
  await read();
  const { client } = session;
  project.setSession({ kind: "refused", baseUrl: BASE_URL, reason: "unauthorized" });
  await read();
  expect(project.session.kind).toBe("refused");
  project.reset({ kind: "unknown", isTokenStored: true });
  await read();
  expect(project.session).toMatchObject({ kind: "signed-in", slug: "shop" });
  expect(session.client).not.toBe(client);
});

test("sends nothing with a client of an ended session", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const { session, sent, read } = openSession(place);
  await read();
  const { client } = session;
  await client?.stats();
  session.end();
  expect(session.client).toBeNull();
  await expect(client?.stats()).rejects.toMatchObject({ name: "ApiError" });
  await read();
  expect(session.client).toBeNull();
  await saveToken(place, verified("token-two", { slug: "shop" }), "shop");
  await read();
  expect(session.client).toBeNull();
  expect(sent).toEqual(["token-one"]);
});

test("shows why requests wait, as long as they do", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const answers = [
    () => Response.json({ message: "No", reason: "sync" }, { status: 409, headers: { "Retry-After": "1" } }),
    () => Response.json({ message: "No" }, { status: 429, headers: { "Retry-After": "2" } }),
  ];
  const clock = new FakeClock();
  const project = new Project("id", "App", new Database());
  const shown: (string | undefined)[] = [];
  project.onDidChange(() => {
    const kind = project.activity.waiting?.kind;
    if (kind !== shown.at(-1)) shown.push(kind);
  });
  const session = new ProjectSession({
    project,
    isTrusted: () => true,
    connect: ({ baseUrl, token }, { onWait }) =>
      createClient({
        baseUrl,
        token,
        fetch: async () =>
          answers.shift()?.() ?? Response.json({ data: { contentVersion: 1, languages: [] } }),
        clock,
        log: recordingLog(),
        locale: () => "en",
        onWait,
      }),
  });
  session.applyToken(await readToken(place));
  let isDone = false;
  const asked = session.client?.stats().then(() => {
    isDone = true;
  });
  await waitUntil(async () => {
    await clock.advance(500);
    return isDone;
  });
  await asked;
  expect(shown).toEqual(["busy", undefined, "rate-limit", undefined]);
});

test("shows until when requests wait, first of all for the service's pause, and tells of changes only", () => {
  const budget: { pausedUntil: number | null; heldUntil: number | null } = {
    pausedUntil: null,
    heldUntil: null,
  };
  const listeners = new Set<() => void>();
  const signals: AbortSignal[] = [];
  const project = new Project("id", "App", new Database());
  let onWait: OnWait = () => undefined;
  const session = new ProjectSession({
    project,
    isTrusted: () => true,
    connect: (_, options) => {
      ({ onWait } = options);
      signals.push(options.ended);
      const onDidChange = (listener: () => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      };
      return { rateLimiter: { budget, onDidChange } } as unknown as Client;
    },
  });
  const token = { baseUrl: BASE_URL, token: "one", slug: "shop", name: "Shop", canWrite: true };
  session.applyToken(token);
  const shown: unknown[] = [];
  project.onDidChange((table) => shown.push(table === "session" ? table : project.activity.waiting));
  const limits = (pausedUntil: number | null, heldUntil: number | null): void => {
    Object.assign(budget, { pausedUntil, heldUntil });
    for (const listener of listeners) listener();
  };
  const busy = { kind: "busy", reason: "sync", until: 5 } as const;
  onWait(busy);
  // What the limits say is read from them.
  onWait({ kind: "rate-limit", until: 6 });
  onWait(busy);
  limits(null, 7);
  limits(8, 7);
  limits(8, 7);
  onWait(null);
  limits(null, null);
  const limit = (until: number) => ({ kind: "rate-limit", until });
  expect(shown).toEqual([busy, null, busy, limit(7), limit(8), null]);
  // Another token that says the same of the project is another client, and no news.
  session.applyToken({ ...token, token: "two" });
  expect([signals.length, listeners.size, shown.length]).toEqual([2, 1, 6]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  session.end();
  expect([listeners.size, signals.map(({ aborted }) => aborted)]).toEqual([0, [true, true]]);
});

test("sends nothing while the folder is not trusted, and is signed out without a token", async () => {
  const place = tokenPlace();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const token = await readToken(place);
  let isTrusted = true;
  const connected: string[] = [];
  const project = new Project("id", "App", new Database());
  const session = new ProjectSession({
    project,
    isTrusted: () => isTrusted,
    connect: (of) => {
      connected.push(of.token);
      return createClient({
        ...of,
        fetch,
        clock: fastClock(),
        log: recordingLog(),
        locale: () => "en",
      });
    },
  });
  session.applyToken(token);
  expect(session.client).not.toBeNull();
  // The same token again keeps the client, with its limits.
  session.applyToken(token);
  isTrusted = false;
  expect(session.client).toBeNull();
  session.applyToken(token);
  expect(project.session).toEqual({ kind: "untrusted" });
  isTrusted = true;
  expect(session.client).toBeNull();
  session.applyToken(token);
  expect(project.session).toMatchObject({ kind: "signed-in", slug: "shop", canWrite: true });
  session.applyToken(null);
  expect([project.session, session.client]).toEqual([{ kind: "signed-out" }, null]);
  expect(connected).toEqual(["token-one", "token-one"]);
});

test("reads no token that is damaged, and saves none for another address", async () => {
  const place = tokenPlace();
  expect(await readToken(place)).toBeNull();
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const [name = ""] = place.texts.keys();
  const text = place.texts.get(name) ?? "";
  for (const damaged of ["{", "[]", text.replace('"token":', '"other":')]) {
    place.texts.set(name, damaged);
    expect(await readToken(place)).toBeNull();
  }
  const other = { ...place, baseUrl: "https://other.example.com/v1" };
  await expect(saveToken(other, verified("token-two", {}), "other")).rejects.toThrow("its own base URL");
  expect(place.texts.size).toBe(1);
});
