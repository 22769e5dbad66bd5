/** Signing in and out: what the commands resolve with, what is remembered over a reload, and what is asked of whom. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { reloadWindow, screenshot, stage, startService } from "../harness/outside.ts";

const run = (name: string, options: object = {}): Thenable<unknown> =>
  commands.executeCommand(`projectTranslations.${name}`, { confirm: false, ...options });

describe("sign in", () => {
  it("tells the project, its languages and that the token may write", async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = (await run("signIn", { baseUrl, token })) as Record<string, unknown>;
    assert.equal(result["outcome"], "done");
    await screenshot("signed-in");
  });
});
