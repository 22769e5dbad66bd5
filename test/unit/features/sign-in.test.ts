/** Sign In with a token of the options, and whether another token is taken as one of the same project. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { signInCommand } from "../../../src/commands/declarations/session-commands.ts";
import type { KnownProject } from "../../../src/database/personal/known-projects.ts";
import { registerSignIn } from "../../../src/features/sign-in/sign-in-command.ts";
import type { Projects } from "../../../src/vscode/projects/project-registry.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { openShop } from "../support/open-shop.ts";
import { pickInNextList } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let commands: CommandRunner;
/** What was answered for the project that the folder was signed in to before. */
let isSame: boolean | undefined;
beforeEach(async () => {
  isSame = undefined;
  ({ shop, commands } = await openShop([registerSignIn], { isPushed: false }));
  const signIn: Projects["signIn"] = async (_open, _verified, isSameProject) => {
    isSame = await isSameProject({ id: "1", slug: "test", name: "Test" } as KnownProject);
  };
  Object.assign(commands.app.projects, { signIn });
  Object.assign(commands.app.log, { redact: () => undefined });
});
afterEach(() => shop.close());

const options = () => ({ baseUrl: shop.service.baseUrl, token: shop.service.token });

test("without prompts it is another project, so that nothing is mixed", async () => {
  expect(await commands.run(signInCommand, options())).toMatchObject({ outcome: "done", canWrite: true });
  expect(isSame).toBe(false);
});

test("otherwise the user says whether it is the same project, or does not sign in", async () => {
  for (const [answer, expected] of [
    ["The same project", true],
    ["Another project", false],
  ] as const) {
    pickInNextList((items, { placeHolder }) => {
      expect(placeHolder).toBe(
        "This folder was signed in to “Test” with another token. Is it the same project?",
      );
      return items.find(({ label }) => label === answer);
    });
    expect(await commands.ask(signInCommand, options())).toMatchObject({ outcome: "done" });
    expect(isSame).toBe(expected);
  }
  isSame = undefined;
  pickInNextList("no such answer");
  expect(await commands.ask(signInCommand, options())).toMatchObject({ outcome: "cancelled" });
  expect(isSame).toBeUndefined();
});

test("a token that the service does not accept signs in nowhere", async () => {
  const refused = await commands.run(signInCommand, { ...options(), token: "wrong" });
  expect(refused).toMatchObject({ outcome: "failed", error: { code: "unauthorized" } });
  expect(isSame).toBeUndefined();
  for (const given of [{}, { token: " " }])
    expect(await commands.run(signInCommand, { baseUrl: shop.service.baseUrl, ...given })).toMatchObject({
      outcome: "failed",
      error: { code: "invalid", errors: { token: [expect.any(String)] } },
    });
  // An address with a space behind it is the same.
  const spaced = { ...options(), baseUrl: ` ${shop.service.baseUrl}/ ` };
  expect(await commands.run(signInCommand, spaced)).toMatchObject({ outcome: "done" });
});
