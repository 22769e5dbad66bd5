/**
 * Starts the server of a real VS Code (from npm's code-server) in its own folder, which contains all settings, secrets,
 * extensions and temporary files and is removed with it.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureVscode } from "../../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../../setup/managed-process.ts";
import { installExtensions } from "./suites.ts";

export interface VscodeServer {
  /** `127.0.0.1:PORT` */
  readonly authority: string;
  /** The folder of settings and extension data, which is also the home folder. */
  readonly folder: string;
  /** Resets the folder to that of a new user with these machine settings, for the next window. */
  resetProfile(settings: Readonly<Record<string, unknown>>): void;
  readonly process: ManagedProcess;
}

export interface ServerOptions {
  readonly version: "newest" | "minimum";
  /** `false`: folders are opened untrusted. */
  readonly trusted: boolean;
  /** The display language, `env.language` in an extension. */
  readonly locale: string;
  /** Additional environment variables of the extension host. */
  readonly env: NodeJS.ProcessEnv;
  /** See `Environment.extensions`. */
  readonly extensions: readonly string[];
  /** Whether VS Code's own language servers are there (TypeScript, HTML, JSON …), which take long to start. */
  readonly languageServers: boolean;
}

/** Extensions of VS Code that no test needs: of other services, debuggers, task runners, notebooks and models. */
const NEEDLESS =
  /^(copilot|emmet|git.*|microsoft-authentication|debug-.*|ms-vscode\..*|grunt|gulp|jake|npm|ipynb|notebook-renderers|markdown-math|mermaid-.*|media-preview|merge-conflict|simple-browser|terminal-suggest|tunnel-forwarding)$/;

const LANGUAGE_SERVERS = /^(typescript|php|html|css|json)-language-features$/;

/** Starts a server. @throws {Error} with its output if it does not listen within 30 s */
export async function startVscodeServer({
  version,
  trusted,
  locale,
  env,
  extensions,
  languageServers,
}: ServerOptions): Promise<VscodeServer> {
  const { codeServer, node } = await ensureVscode(version);
  // A short path, since the paths of the sockets below it are limited to 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), "pt-"));
  const data = join(folder, "data");
  for (const name of ["Machine", "User"]) mkdirSync(join(data, name), { recursive: true });
  if (locale !== "en") installLanguagePack(data, locale);
  installExtensions(extensions, join(folder, "extensions"));
  const vscode = join(codeServer, "lib", "vscode");
  // Not in its folder, below which tests read all files.
  const builtIn = mkdtempSync(join(tmpdir(), "pt-built-in-"));
  linkBuiltIn(join(vscode, "extensions"), builtIn, languageServers);
  const args = [
    join(vscode, "out", "server-main.js"),
    ...["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"],
    ...["--server-data-dir", folder, "--telemetry-level", "off", "--enable-smoke-test-driver"],
    ...["--locale", locale, "--builtin-extensions-dir", builtIn],
    ...(trusted ? ["--disable-workspace-trust"] : []),
  ];
  const process = startProcess(node, args, {
    env: { ...hostEnvironment(folder), ...env },
    remove: [folder, builtIn],
  });
  const [, port] = await process.line(/listening on (\d+)/, 30);
  return {
    authority: `127.0.0.1:${port}`,
    folder,
    process,
    resetProfile(settings) {
      for (const entry of userEntries(folder)) {
        rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
      }
      writeFileSync(join(data, "Machine", "settings.json"), JSON.stringify(settings));
    },
  };
}

/** Returns what windows and their extensions left in the server's folder, without the server's own files. */
function userEntries(folder: string): readonly string[] {
  const own = new Set(["data", "extensions"]);
  const user = join("data", "User");
  return [
    ...readdirSync(folder).filter((name) => !own.has(name)),
    ...readdirSync(join(folder, user)).map((name) => join(user, name)),
  ];
}

/** Links VS Code's own extensions, and the packages that they share, without those that only take time. */
function linkBuiltIn(from: string, to: string, languageServers: boolean): void {
  for (const name of readdirSync(from))
    if (!NEEDLESS.test(name) && (languageServers || !LANGUAGE_SERVERS.test(name)))
      symlinkSync(join(from, name), join(to, name));
}

/** Installs an empty language pack: VS Code stays English, but extensions see this display language. */
export function installLanguagePack(data: string, locale: string): void {
  const words = join(data, "words.json");
  writeFileSync(words, JSON.stringify({ contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `words.${locale}` }, version: "1.0.0" }];
  const pack = { hash: `words-${locale}`, extensions, translations: { vscode: words }, label: locale };
  writeFileSync(join(data, "languagepacks.json"), JSON.stringify({ [locale]: pack }));
}

/** Returns an environment isolated from the VS Code that this may run in, without network services. */
export function hostEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // Otherwise the server queries a login shell for its environment, for up to 10 s.
    VSCODE_CLI: "1",
    EXTENSIONS_GALLERY: "{}",
    HOME: folder,
    TMPDIR: folder,
    XDG_RUNTIME_DIR: folder,
  };
}
