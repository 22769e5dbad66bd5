/** The session of a project: stored tokens, and two windows of one folder. */
import { expect, test } from "vitest";
import { createClient } from "../../../../src/api/client.ts";
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
import { fastClock, recordingLog } from "../../support/node-platform.ts";

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
  await saveToken(place, verified("token-one", { slug: "shop" }), "shop");
  const before = await saved(place);
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
