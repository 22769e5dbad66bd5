/** A real VS Code in the browser, as a person has it: code-server, which also serves ports of this machine. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostEnvironment, installLanguagePack } from "../host/harness/vscode-server.ts";
import { SetupError, ensureVscode } from "../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../setup/managed-process.ts";
import { userSettings, type DemoSetup } from "./demo-setup.ts";
import type { ShownLanguage } from "./shown-texts.ts";

export interface BrowserVscode {
  /** Opens the sample app. */
  readonly address: string;
  readonly process: ManagedProcess;
}

/** How the window looks. */
export interface Appearance {
  readonly language: ShownLanguage;
  /** A colour theme of VS Code; `undefined`: the default one. */
  readonly theme: string | undefined;
}

/** Installs the setup's extensions into a profile of its own and starts VS Code on a free loopback port. */
export async function startBrowserVscode(
  setup: DemoSetup,
  { language, theme }: Appearance,
): Promise<BrowserVscode> {
  const { codeServer, node } = await ensureVscode("newest");
  const data = join(setup.folder, "data");
  const extensions = join(setup.folder, "extensions");
  mkdirSync(join(data, "User"), { recursive: true });
  writeFileSync(join(data, "User", "settings.json"), userSettings(theme));
  if (language !== "en") installLanguagePack(data, language);
  // Sockets lie here: a short path.
  const sockets = mkdtempSync(join(tmpdir(), "pt-"));
  const env = hostEnvironment(sockets);
  const server = join(codeServer, "lib", "vscode", "out", "server-main.js");
  const install = setup.vsixes.flatMap((vsix) => ["--install-extension", vsix]);
  const folders = ["--server-data-dir", setup.folder, "--extensions-dir", extensions];
  const run = spawnSync(node, [server, ...install, "--force", ...folders, "--accept-server-license-terms"], {
    env,
    encoding: "utf8",
  });
  if (run.status !== 0)
    throw new SetupError(`VS Code could not install the extension:\n${run.stdout}${run.stderr}`);

  const process = startProcess(
    node,
    [
      join(codeServer, "out", "node", "entry.js"),
      ...["--auth", "none", "--bind-addr", "127.0.0.1:0", "--config", join(setup.folder, "config.yaml")],
      ...[
        "--user-data-dir",
        data,
        "--extensions-dir",
        extensions,
        "--session-socket",
        join(sockets, "session.sock"),
      ],
      ...[
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-workspace-trust",
        "--disable-getting-started-override",
        "--locale",
        language,
      ],
    ],
    { env, remove: [sockets] },
  );
  const [, origin] = await process.line(/HTTP server listening on (http:\/\/[\d.:]+)/, 30);
  const what = setup.open.endsWith(".code-workspace") ? "workspace" : "folder";
  return { address: `${origin}/?${what}=${encodeURIComponent(setup.open)}`, process };
}
