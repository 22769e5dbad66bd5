/** What commands need: trust, a client and a token that may write. */
import { expect, test } from "vitest";
import type { Requirement } from "../../../src/commands/define-command.ts";
import { CommandError } from "../../../src/commands/command-types.ts";
import type { Session } from "../../../src/database/session/session.ts";
import {
  requireLanguage,
  requireNeeds,
  requireWriteAccess,
} from "../../../src/vscode/commands/command-requirements.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { openStoredProject } from "../support/stored-project.ts";
import { workspace } from "../support/vscode-stub.ts";

const CLIENT = { name: "the client" };

/** A project whose token may write or not; `null`: nobody is signed in. */
function projectWith(canWrite: boolean | null): OpenProject {
  const open = openStoredProject();
  const signedIn = {
    kind: "signed-in",
    baseUrl: "https://example.com/v1",
    slug: "shop",
    name: "Shop",
  } as const;
  const session: Session = canWrite === null ? { kind: "signed-out" } : { ...signedIn, canWrite };
  (open.connection as unknown as { setSession(session: Session): void }).setSession(session);
  return Object.assign(open, {
    ready: Promise.resolve(),
    client: () => {
      if (canWrite === null) throw new CommandError("not_signed_in", "Nobody is signed in.");
      return CLIENT;
    },
  });
}

/** What a command with these needs gets, or the code of its failure. */
async function granted(needs: Requirement, open: OpenProject): Promise<readonly string[] | string> {
  try {
    return Object.keys(await requireNeeds(needs, () => Promise.resolve(open)));
  } catch (error) {
    if (error instanceof CommandError) return error.code;
    throw error;
  }
}

const ALL = ["open", "connection", "client"];

test.each([
  ["a token that may write", true, ["open", "connection"], ALL, ALL],
  ["a token that may only read", false, ["open", "connection"], ALL, "forbidden"],
  ["nobody signed in", null, ["open", "connection"], "not_signed_in", "not_signed_in"],
] as const)("with %s", async (_, canWrite, trusted, signedIn, write) => {
  const open = projectWith(canWrite);
  expect(await granted("window", open)).toEqual([]);
  expect(await granted("project", open)).toEqual(["open", "connection"]);
  expect(await granted("trusted-workspace", open)).toEqual(trusted);
  expect(await granted("signed-in", open)).toEqual(signedIn);
  expect(await granted("write-access", open)).toEqual(write);
});

test("in a workspace that is not trusted, and then is", async () => {
  const open = projectWith(true);
  workspace.isTrusted = false;
  expect(await granted("project", open)).toEqual(["open", "connection"]);
  for (const needs of ["trusted-workspace", "signed-in", "write-access"] as const)
    expect(await granted(needs, open)).toBe("untrusted");
  workspace.isTrusted = true;
  expect(await granted("write-access", open)).toEqual(ALL);
});

test("a command that only writes in some cases refuses a token that may only read by then", async () => {
  expect((await requireWriteAccess(projectWith(true))).client).toBe(CLIENT);
  await expect(requireWriteAccess(projectWith(false))).rejects.toThrow("is read-only");
  // The connection of when it began counts, not what was signed in to meanwhile.
  const before = projectWith(false).connection;
  await expect(requireWriteAccess(projectWith(true), before)).rejects.toThrow("is read-only");
  const { connection } = Object.assign(projectWith(true), { client: () => "that of then" });
  expect(await requireWriteAccess(projectWith(true), connection)).toMatchObject({
    connection,
    client: "that of then",
  });
});

test("an archived project is refused before anything is asked, unless it has been restored since", async () => {
  for (const isRestored of [false, true]) {
    const open = projectWith(true);
    const { session } = open;
    const connection = open.connection as unknown as {
      setSession(session: Session): void;
      refresher: Promise<object>;
    };
    connection.setSession({ kind: "refused", baseUrl: "https://example.com/v1", reason: "archived" });
    const refresh = (): Promise<void> =>
      Promise.resolve(isRestored ? connection.setSession(session) : undefined);
    connection.refresher = Promise.resolve({ refresh });
    expect(await granted("project", open)).toEqual(["open", "connection"]);
    expect(await granted("signed-in", open)).toEqual(isRestored ? ALL : "forbidden");
    if (!isRestored)
      await expect(requireWriteAccess(open)).rejects.toMatchObject({ details: { reason: "archived" } });
  }
});

test("what a command needs is known once it is known whether somebody is signed in", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = Object.assign(projectWith(null), { ready: promise });
  const asked = granted("write-access", open);
  await new Promise((done) => setImmediate(done));
  Object.assign(open, projectWith(true));
  resolve();
  expect(await asked).toEqual(ALL);
});

test("a language is refused once the languages are known and it is none of them", () => {
  const of = (...locales: readonly string[]) =>
    ({
      stats: { languages: locales.map((locale) => ({ locale, isSource: locale === "en" })) },
    }) as unknown as OpenProject;
  expect(() => requireLanguage({ stats: null } as unknown as OpenProject, "fr")).not.toThrow();
  expect(() => requireLanguage(of(), "fr")).not.toThrow();
  for (const locale of ["en", "nl"]) expect(() => requireLanguage(of("en", "nl"), locale)).not.toThrow();
  expect(() => requireLanguage(of("en", "nl"), "fr")).toThrow("The project has no language fr.");
});
