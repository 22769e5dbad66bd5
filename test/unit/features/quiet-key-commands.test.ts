/** Commands that write to a key, run without prompts. */
import { expect, test } from "vitest";
import { registerSetLocal } from "../../../src/features/set-local-text/set-local-text-command.ts";
import { registerUpdateKey } from "../../../src/features/update-key/update-key-command.ts";
import type { App, Command } from "../../../src/vscode/app.ts";

test.each([
  ["setLocal", registerSetLocal, { value: "x" }],
  ["updateKey", registerUpdateKey, { description: "x" }],
] as const)(
  "%s refuses a call without a key and does not look for one in the editor",
  async (_, register, options) => {
    const open = { project: { session: { kind: "signed-in", canWrite: true } }, client: () => ({}) };
    let command: Command<object, object> | undefined;
    const app = {
      projects: { choose: async () => open },
      command: (_id: string, _title: string, run: Command<object, object>) => (command = run),
    } as unknown as App;
    register(app);
    const run = { quiet: true, signal: new AbortController().signal, report: () => {}, pause: () => {} };
    await expect(async () =>
      command?.(app, { ...options, confirm: false }, run as never),
    ).rejects.toMatchObject({
      code: "invalid",
      message: "No key was given.",
    });
  },
);
