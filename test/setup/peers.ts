/**
 * Programs of others that the formats are compared with: gettext, PHP, an XML schema checker and a spreadsheet
 * library. `npm test` installs them where it can (Debian, as root); elsewhere it says what is missing.
 */
import { spawnSync } from "node:child_process";

/** Debian package of each, and a command that only succeeds when it is there. */
const PEERS = {
  msgfmt: { debian: "gettext", probe: ["msgfmt", "--version"] },
  php: { debian: "php-cli", probe: ["php", "-n", "-r", "exit(PHP_VERSION_ID < 80000 ? 1 : 0);"] },
  xmllint: { debian: "libxml2-utils", probe: ["xmllint", "--version"] },
  openpyxl: { debian: "python3-openpyxl", probe: ["/usr/bin/python3", "-c", "import openpyxl"] },
} as const;

/** Installs those that are missing. Out: a sentence for each that is missing still. */
export function installPeers(): readonly string[] {
  const missing = (): (typeof PEERS)[keyof typeof PEERS][] =>
    Object.values(PEERS).filter(({ probe: [command, ...args] }) => !succeeds(command, args));
  const packages = missing().map(({ debian }) => debian);
  if (packages.length > 0 && process.getuid?.() === 0 && succeeds("apt-get", ["--version"])) {
    console.error(`Installing ${packages.join(", ")} ...`);
    const install = ["install", "--yes", "--no-install-recommends", ...packages];
    if (!succeeds("apt-get", install)) {
      succeeds("apt-get", ["update"]);
      succeeds("apt-get", install);
    }
  }
  return missing().map(
    ({ debian, probe: [command] }) =>
      `${command} is missing: install the Debian package ${debian} (apt-get install ${debian}), or what has it on this system.`,
  );
}

function succeeds(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: "ignore", env }).status === 0;
}
