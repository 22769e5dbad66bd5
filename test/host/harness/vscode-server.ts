/**
 * Starts the server half of a real VS Code (npm's code-server carries it) in a folder of its own: settings, secrets,
 * extensions and temporary files all lie there, and go with it.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureVscode } from "../../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../../setup/managed-process.ts";
import { installExtensions } from "./suites.ts";

export interface VscodeServer {
  /** `127.0.0.1:PORT` */
  readonly authority: string;
  /** Where settings and extensions' own files lie: the home folder, too. */
  readonly folder: string;
  /** Makes the folder that of a new user, with these settings of the machine, for the next window. */
  setUp(settings: Readonly<Record<string, unknown>>): void;
  readonly process: ManagedProcess;
}

export interface ServerOptions {
  readonly version: "newest" | "minimum";
  /** `false`: folders are opened untrusted. */
  readonly trusted: boolean;
  /** The display language, `env.language` in an extension. */
  readonly locale: string;
  /** What the extension host finds in its environment, beside the usual. */
  readonly env: NodeJS.ProcessEnv;
  /** As `Environment.extensions`. */
  readonly extensions: readonly string[];
}

/** Starts one; rejects with what it printed when it does not listen within half a minute. */
export async function startVscodeServer({
  version,
  trusted,
  locale,
  env,
  extensions,
}: ServerOptions): Promise<VscodeServer> {
  const { codeServer, node } = await ensureVscode(version);
  // A short path: sockets lie below it, and their paths may have 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), "pt-"));
  const data = join(folder, "data");
  for (const name of ["Machine", "User"]) mkdirSync(join(data, name), { recursive: true });
  if (locale !== "en") speak(data, locale);
  installExtensions(extensions, join(folder, "extensions"));
  const args = [
    join(codeServer, "lib", "vscode", "out", "server-main.js"),
    ...["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms"],
    ...["--server-data-dir", folder, "--telemetry-level", "off", "--enable-smoke-test-driver"],
    ...["--locale", locale],
    ...(trusted ? ["--disable-workspace-trust"] : []),
  ];
  const process = startProcess(node, args, {
    env: { ...hostEnvironment(folder), ...env },
    remove: [folder],
  });
  const [, port] = await process.line(/listening on (\d+)/, 30);
  return {
    authority: `127.0.0.1:${port}`,
    folder,
    process,
    setUp(settings) {
      for (const entry of userEntries(folder)) {
        rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
      }
      writeFileSync(join(data, "Machine", "settings.json"), JSON.stringify(settings));
    },
  };
}

/** What windows and their extensions leave in the server's folder; not what the server itself works with. */
function userEntries(folder: string): readonly string[] {
  const own = new Set(["data", "extensions"]);
  const user = join("data", "User");
  return [
    ...readdirSync(folder).filter((name) => !own.has(name)),
    ...readdirSync(join(folder, user)).map((name) => join(user, name)),
  ];
}

/** A language pack without a word in it: VS Code itself stays English, extensions are told the language. */
function speak(data: string, locale: string): void {
  const words = join(data, "words.json");
  writeFileSync(words, JSON.stringify({ contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `words.${locale}` }, version: "1.0.0" }];
  const pack = { hash: `words-${locale}`, extensions, translations: { vscode: words }, label: locale };
  writeFileSync(join(data, "languagepacks.json"), JSON.stringify({ [locale]: pack }));
}

/** The environment of a VS Code that knows nothing of the one this may run in, and calls nobody. */
export function hostEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // Else the server asks a login shell for its environment, for up to ten seconds.
    VSCODE_CLI: "1",
    EXTENSIONS_GALLERY: "{}",
    HOME: folder,
    TMPDIR: folder,
    XDG_RUNTIME_DIR: folder,
  };
}
