/** Which project a token belongs to: tokens, slugs and keys of real projects of local services. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createClient, type Client } from "../../../../src/api/client.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import { parseProject } from "../../../../src/api/undocumented-fields.ts";
import { Database } from "../../../../src/database/database.ts";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import { KnownProjects, personalProject } from "../../../../src/database/personal/known-projects.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { projectKey } from "../../../../src/database/project-state.ts";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { readProjectAccess } from "../../../../src/sync/session/verify-token.ts";
import {
  forgetToken,
  identifyProject,
  rememberToken,
} from "../../../../src/sync/session/project-identity.ts";
import { readToken, saveToken } from "../../../../src/sync/session/token-storage.ts";
import { openFixtureProject, sourceKeys, type FixtureProject } from "../../support/fixture-project.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { fastClock, recordingLog } from "../../support/node-platform.ts";

/** All services are reached through this address. */
const BASE_URL = "https://translations.example.com/v1";

let shop: FixtureProject;
/** Another project with the same slug. */
let namesake: FixtureProject;
let secrets: Map<string, string>;
let known: KnownProjects;
let asked: string[];

beforeAll(async () => {
  [shop, namesake] = [await openFixtureProject(), await openFixtureProject()];
  await namesake.write(
    "lang/en/cart.php",
    "<?php return ['basket' => 'Basket', 'pay' => 'Pay', 'ship' => 'Ship'];",
  );
  await namesake.write("lang/en.json", "{}");
  for (const each of [shop, namesake]) {
    const window = await each.open();
    await window.refresher.refresh();
    await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
  }
});
afterAll(async () => {
  await shop.close();
  await namesake.close();
});
beforeEach(() => {
  secrets = new Map();
  known = new KnownProjects(new PersonalData().database);
  asked = [];
});

const location = {
  root: "file:///app",
  baseUrl: BASE_URL,
  secrets: {
    get: async (name: string) => secrets.get(name),
    store: async (name: string, value: string) => void secrets.set(name, value),
    delete: async (name: string) => void secrets.delete(name),
  },
};

const clientOf = ({ service }: FixtureProject, token = service.token): Client =>
  createClient({
    baseUrl: service.baseUrl,
    token,
    fetch,
    clock: fastClock(),
    log: recordingLog(),
    locale: () => "en",
  });

/** Signs in with a token, which the service knows as one of its own. Returns the id of its project. */
async function signIn(
  fixture: FixtureProject,
  token: string,
  { slug = "shop", answer = false, canWrite = true } = {},
): Promise<string> {
  const client = clientOf(fixture, canWrite ? fixture.service.token : fixture.service.readToken);
  const access = await readProjectAccess(client);
  const verified = {
    ...access,
    record: { ...access.record, slug },
    baseUrl: BASE_URL,
    token,
  };
  const isSameProject = async ({ name }: { readonly name: string }): Promise<boolean> => {
    asked.push(name);
    return answer;
  };
  const id = await identifyProject({ location, verified, client, knownProjects: known, isSameProject });
  await saveToken(location, verified, id);
  known.put(BASE_URL, { id, slug, name: "Shop" });
  const cache = new Database();
  const keys = (await client.keys()).data.map(projectKey);
  new KeyRepository(cache).put(keys, 1);
  known.storeKeys(personalProject(BASE_URL, id), cache);
  cache.close();
  return id;
}

/** Earlier versions did not remember whose tokens were. */
function forgetTokens(): void {
  for (const name of secrets.keys()) if (name.startsWith("projects.")) secrets.delete(name);
}

/** Signs out; the session is ended while the token is still there. */
async function signOut(): Promise<void> {
  let isEnded = false;
  await forgetToken(location, async () => {
    isEnded = (await readToken(location)) !== null;
  });
  expect([isEnded, await readToken(location)]).toEqual([true, null]);
}

test("is the same for the very same token, after signing out and with another slug", async () => {
  const first = await signIn(shop, "token-one");
  expect(await signIn(shop, "token-one", { slug: "store" })).toBe(first);
  await signOut();
  expect(await signIn(shop, "token-one", { slug: "emporium" })).toBe(first);
  expect(asked).toEqual([]);
});

test("is the same for each token that was signed out, one after the other", async () => {
  const first = await signIn(shop, "token-one");
  await signOut();
  const second = await signIn(namesake, "token-two");
  await signOut();
  expect(second).not.toBe(first);
  expect(await signIn(shop, "token-one", { slug: "store" })).toBe(first);
  await signOut();
  expect(await signIn(namesake, "token-two", { slug: "store" })).toBe(second);
  expect(asked).toEqual([]);
});

test("is the same after signing out for a token that an earlier version signed in with", async () => {
  const first = await signIn(shop, "token-one");
  forgetTokens();
  await signOut();
  expect(await signIn(shop, "token-one", { slug: "store" })).toBe(first);
  expect(asked).toEqual([]);
});

test("is still signed in if the token's project could not be remembered", async () => {
  await signIn(shop, "token-one");
  forgetTokens();
  const store = () => Promise.reject(new Error("The keyring is locked."));
  const locked = { ...location, secrets: { ...location.secrets, store } };
  const end = vi.fn();
  await expect(forgetToken(locked, end)).rejects.toThrow("The keyring is locked.");
  expect(end).not.toHaveBeenCalled();
  expect(await readToken(location)).toMatchObject({ token: "token-one" });
});

test.each([true, false])("is recognised with a new token by its keys (may write: %s)", async (canWrite) => {
  const first = await signIn(shop, "token-one");
  expect(await signIn(shop, "token-two", { canWrite })).toBe(first);
  await signOut();
  expect(await signIn(shop, "token-three", { canWrite })).toBe(first);
  expect(asked).toEqual([]);
});

test.each([true, false])(
  "is not that of another project with the same slug (may write: %s)",
  async (canWrite) => {
    const first = await signIn(shop, "token-one");
    const second = await signIn(namesake, "token-two", { canWrite });
    expect(second).not.toBe(first);
    expect(asked).toEqual([]);
    // Both are recognised from then on.
    expect(await signIn(shop, "token-three")).toBe(first);
    expect(await signIn(namesake, "token-four")).toBe(second);
  },
);

test("is asked for when only some of the keys are there", async () => {
  const first = await signIn(shop, "token-one");
  const cache = new Database();
  const ofShop = (await clientOf(shop).keys()).data.map(projectKey);
  const others = ofShop.map((key, index) => ({ ...key, hash: `${index}`.padStart(40, "f") }));
  new KeyRepository(cache).put([...ofShop, ...others], 1);
  known.storeKeys(personalProject(BASE_URL, first), cache);
  cache.close();
  expect(await signIn(shop, "token-two")).not.toBe(first);
  expect(asked).toEqual(["Shop"]);
});

test("is that of the same slug where no keys are known, without a question: nothing could be mixed up", async () => {
  known.put(BASE_URL, { id: "empty", slug: "shop", name: "Shop" });
  expect(await signIn(shop, "token-one")).toBe("empty");
  expect(asked).toEqual([]);
});

test("is a new one for each token where the service gives no slug", async () => {
  const first = await signIn(shop, "token-one", { slug: "" });
  expect(await signIn(shop, "token-two", { slug: "" })).not.toBe(first);
  expect(await signIn(shop, "token-one", { slug: "" })).toBe(first);
  expect(asked).toEqual([]);
});

test("is asked for when the keys cannot be compared", async () => {
  const first = await signIn(shop, "token-one");
  const access = await readProjectAccess(clientOf(shop));
  const client: Client = {
    ...clientOf(shop),
    diff: () => Promise.reject(new ApiError("offline", "POST /keys/diff: no connection", {})),
  };
  const verified = { ...access, record: { ...access.record, slug: "shop" }, baseUrl: BASE_URL };
  for (const answer of [true, false]) {
    const id = await identifyProject({
      location,
      verified: { ...verified, token: `token ${answer}` },
      client,
      knownProjects: known,
      isSameProject: async ({ name }) => {
        asked.push(name);
        return answer;
      },
    });
    expect(id === first).toBe(answer);
  }
  expect(asked).toEqual(["Shop", "Shop"]);
});

/** Whether a project of which five keys are known is recognised by the answers of a service, and whether that is asked. */
async function recognise(answers: Partial<Client>): Promise<readonly [boolean, boolean]> {
  const shopBefore = { project: "known", id: "known", slug: "shop", name: "Shop" };
  const record = parseProject({ slug: "shop", name: "Shop" });
  const access = { record, stats: { contentVersion: 1, languages: [] } };
  const id = await identifyProject({
    location: { ...location, root: crypto.randomUUID() },
    verified: { ...access, canWrite: answers.keys === undefined, baseUrl: BASE_URL, token: "new" },
    client: { maxItems: { diff: 1_000 }, ...answers } as unknown as Client,
    knownProjects: { withSlug: () => [shopBefore], keys: () => ["0", "1", "2", "3", "4"] } as never,
    isSameProject: ({ name }) => Promise.resolve(asked.push(name) > 0),
  });
  return [id === "known", asked.splice(0).length > 0];
}

test("is the known one with four fifths of its keys, another with one fifth, and asked for between them", async () => {
  const [same, question, other] = [
    [true, false],
    [true, true],
    [false, false],
  ];
  for (const [missing, expected] of [same, same, question, question, other, other].entries()) {
    const isNew = ["0", "1", "2", "3", "4"].slice(0, missing);
    const diff = { new: isNew, changed: [], restored: [], unchanged: 5 - missing };
    let priority: unknown;
    const answer: Client["diff"] = (_, options) => {
      ({ priority } = options ?? {});
      return Promise.resolve(diff);
    };
    expect([await recognise({ diff: answer }), priority]).toEqual([expected, "person"]);
  }
  // An answer that cannot be read says nothing.
  expect(await recognise({ diff: () => Promise.resolve(null) })).toEqual(question);
});

test("is told by the largest page of keys, where only keys may be read", async () => {
  const limits: unknown[] = [];
  const keys: Client["keys"] = (query) => {
    limits.push(query?.limit);
    const data = ["0", "1", "2", "3", "9"].map((hash) => ({ hash }));
    return Promise.resolve({ data, meta: { nextCursor: null, limit: 5 } }) as never;
  };
  expect([await recognise({ keys }), limits]).toEqual([[true, false], [1_000]]);
});

test("is remembered for each folder, in such a way that nobody can try which token it was", async () => {
  await rememberToken(location, "token", "project");
  const [[name, stored] = ["", ""]] = secrets;
  const { key, projects } = JSON.parse(stored) as { key: string; projects: Record<string, string> };
  expect([Object.values(projects), key]).toEqual([["project"], expect.stringMatching(/^[0-9a-f]{64}$/u)]);
  await rememberToken({ ...location, root: "file:///other" }, "token", "other");
  expect([secrets.size, secrets.get(name)]).toEqual([2, stored]);
});

test("is remembered for the last fifty tokens", async () => {
  for (let number = 0; number < 60; number++)
    await rememberToken(location, `token ${number}`, `project ${number}`);
  expect(await signIn(shop, "token 59")).toBe("project 59");
  expect(await signIn(shop, "token 15")).toBe("project 15");
  // One that was entered again is among the last.
  await rememberToken(location, "token 12", "another project");
  for (let number = 60; number < 65; number++)
    await rememberToken(location, `token ${number}`, `project ${number}`);
  expect(await signIn(shop, "token 12")).toBe("another project");
});

/** Signs in with a token that may only read, to a project with so many keys; returns the id of its project. */
async function signInReading(
  first: string,
  knownKeys: (ofShop: readonly ProjectKey[]) => readonly ProjectKey[],
  totalKeys: number,
): Promise<string> {
  const client = clientOf(shop, shop.service.readToken);
  const cache = new Database();
  const ofShop = (await client.keys()).data.map(projectKey);
  new KeyRepository(cache).put(knownKeys(ofShop), 1);
  known.storeKeys(personalProject(BASE_URL, first), cache);
  cache.close();
  const access = await readProjectAccess(client);
  expect(access.canWrite).toBe(false);
  const languages = access.stats.languages.map((each) => ({ ...each, totalKeys }));
  const record = { ...access.record, slug: "shop" };
  const stats = { ...access.stats, languages };
  return identifyProject({
    location,
    verified: { ...access, record, stats, baseUrl: BASE_URL, token: "token-two" },
    client,
    knownProjects: known,
    isSameProject: async ({ name }) => {
      asked.push(name);
      return true;
    },
  });
}

const otherKeys = (ofShop: readonly ProjectKey[], copy: number): readonly ProjectKey[] =>
  ofShop.map((key, index) => ({ ...key, hash: `${copy}${index}`.padStart(40, "f") }));

test("is compared with the first page of a larger project, which has a part of the known keys", async () => {
  const first = await signIn(shop, "token-one");
  const copies = Array.from({ length: 9 }, (_, copy) => copy);
  const tenfold = (ofShop: readonly ProjectKey[]) => [
    ...ofShop,
    ...copies.flatMap((copy) => otherKeys(ofShop, copy)),
  ];
  expect([await signInReading(first, tenfold, 60), asked]).toEqual([first, []]);
});

test("is asked for when the first page of a larger project would have none of the known keys", async () => {
  const first = await signIn(shop, "token-one");
  const others = (ofShop: readonly ProjectKey[]) => otherKeys(ofShop, 0);
  expect([await signInReading(first, others, 600), asked]).toEqual([first, ["Shop"]]);
});

test("is the slug for a token that version 0.3 stored", async () => {
  const access = await readProjectAccess(clientOf(shop));
  await saveToken(location, { ...access, baseUrl: BASE_URL, token: "token-one" }, "shop");
  known.put(BASE_URL, { id: "shop", slug: "shop", name: "Shop" });
  expect(await signIn(shop, "token-one")).toBe("shop");
  await signOut();
  expect(await signIn(shop, "token-one", { slug: "store" })).toBe("shop");
});

test("is still known of a token that version 0.3 stored and that another has replaced", async () => {
  const access = await readProjectAccess(clientOf(shop));
  await saveToken(location, { ...access, baseUrl: BASE_URL, token: "token-one" }, "shop");
  await signIn(namesake, "token-two", { slug: "store" });
  expect(await signIn(shop, "token-one", { slug: "emporium" })).toBe("shop");
});

test("is stored without a token or anything that it can be told from", async () => {
  await signIn(shop, "token-one");
  await signOut();
  const stored = JSON.stringify([...secrets]);
  expect(stored).not.toContain("token-one");
  expect(stored).not.toContain(BASE_URL);
  await signIn(shop, "token-one");
  expect([...secrets].filter(([, value]) => value.includes("token-one"))).toHaveLength(1);
});
