/**
 * Programs that the formats are compared with in `npm run test:full`: gettext, PHP, an XML schema validator and a
 * spreadsheet library. Tests whose program is missing are skipped.
 */
import { spawnSync } from "node:child_process";

interface Tool {
  readonly name: string;
  readonly debian: string;
  /** A command that only succeeds when it is there. */
  readonly probe: readonly [string, ...string[]];
}

/** A Python that has openpyxl, else any. */
export const PYTHON =
  ["python3", "/usr/bin/python3"].find((command) => succeeds(command, ["-c", "import openpyxl"])) ??
  "python3";

/** By the name that tests ask for. */
export const referenceTools = {
  gettext: { name: "gettext", debian: "gettext", probe: ["msgfmt", "--version"] },
  php: {
    name: "PHP 8",
    debian: "php-cli",
    probe: ["php", "-n", "-r", "exit(PHP_VERSION_ID < 80000 ? 1 : 0);"],
  },
  xmllint: { name: "xmllint", debian: "libxml2-utils", probe: ["xmllint", "--version"] },
  python: { name: "Python 3", debian: "python3", probe: [PYTHON, "--version"] },
  openpyxl: { name: "openpyxl", debian: "python3-openpyxl", probe: [PYTHON, "-c", "import openpyxl"] },
} as const satisfies Record<string, Tool>;

export type ReferenceTool = keyof typeof referenceTools;

export function isInstalled(tool: ReferenceTool): boolean {
  const [command, ...args] = referenceTools[tool].probe;
  return succeeds(command, args);
}

const installCommand = ["apt-get", "install", "--yes", "--no-install-recommends"] as const;

/**
 * Says which tools are missing and how to get them. `install`: installs them first, which needs root on a Debian or
 * Ubuntu system.
 */
export function reportReferenceTools(install: boolean): void {
  if (install && missing().length > 0) installTools(missing().map(({ debian }) => debian));
  const rest = missing();
  if (rest.length === 0) return;
  const names = rest.map(({ name }) => name).join(", ");
  const packages = rest.map(({ debian }) => debian).join(" ");
  console.log(
    `Not installed: ${names}. Tests that compare with them are skipped.\n` +
      `On Debian and Ubuntu: \`sudo apt-get install ${packages}\`, or \`npm run test:full -- --install\` as root.`,
  );
}

function missing(): readonly Tool[] {
  return Object.values<Tool>(referenceTools).filter(
    ({ probe: [command, ...args] }) => !succeeds(command, args),
  );
}

function installTools(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(", ")} ...`);
  const [command, ...args] = [...installCommand, ...packages] as [string, ...string[]];
  if (succeeds(command, args)) return;
  succeeds("apt-get", ["update"]);
  if (!succeeds(command, args)) console.log(`It failed: ${[command, ...args].join(" ")}`);
}

function succeeds(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: "ignore", env }).status === 0;
}
