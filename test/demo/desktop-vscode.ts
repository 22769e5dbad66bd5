/** An installed desktop VS Code with a profile of its own: the person's own settings and extensions stay out of it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../setup/managed-process.ts";
import { userSettings, type DemoSetup } from "./demo-setup.ts";

/** Opens the setup in `code` (or what the variable `CODE` names). Ends when its window is closed. */
export async function startDesktopVscode(setup: DemoSetup): Promise<ManagedProcess> {
  const code = process.env["CODE"] ?? (process.platform === "win32" ? "code.cmd" : "code");
  const data = join(setup.folder, "desktop");
  const profile = ["--user-data-dir", data, "--extensions-dir", join(setup.folder, "desktop-extensions")];
  mkdirSync(join(data, "User"), { recursive: true });
  writeFileSync(join(data, "User", "settings.json"), userSettings());
  // The command is a batch file on Windows, which only a shell starts.
  const shell = process.platform === "win32";
  const install = [...profile, ...setup.vsixes.flatMap((vsix) => ["--install-extension", vsix]), "--force"];
  const run = spawnSync(code, shell ? install.map((arg) => `"${arg}"`) : install, {
    encoding: "utf8",
    shell,
  });
  if (run.error)
    throw new SetupError(
      `An installed VS Code is needed, and "${code}" could not be started: put it on the PATH, or name it in the variable CODE.`,
    );
  if (run.status !== 0)
    throw new SetupError(`VS Code could not install the extension:\n${run.stdout}${run.stderr}`);
  return startProcess(code, [...profile, "--disable-workspace-trust", "--new-window", "--wait", setup.open]);
}
