/** The command line in the fixture's app, signed in to the local service through a proxy that a test can make fail. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { keyHash } from "../../../src/model/key-hash.ts";
import { type CommandLineRun, runCommandLine } from "./command-line.ts";
import { type Fault, FaultProxy } from "./fault-proxy.ts";
import { FIXTURE_PROJECT_FILE, openFixtureProject, type FixtureProject } from "./fixture-project.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli.mjs", import.meta.url));
export const PROJECT_FILE = "project-translations.json";

/** Variables of the environment; `undefined` removes one. */
type Environment = Readonly<Record<string, string | undefined>>;

export interface SignedInProgram {
  readonly shop: FixtureProject;
  readonly proxy: FaultProxy;
  /** The folder of the app. */
  readonly app: string;
  /** Runs a command in this process. */
  readonly run: (args: readonly string[], env?: Environment, signal?: AbortSignal) => Promise<CommandLineRun>;
  /** Starts the program as a process of its own, which can be interrupted. */
  readonly start: (args: readonly string[]) => {
    readonly ended: Promise<Omit<CommandLineRun, "status"> & { readonly status: number | null }>;
    readonly interrupt: () => void;
  };
  readonly close: () => Promise<void>;
}

export async function openSignedInProgram(): Promise<SignedInProgram> {
  const shop = await openFixtureProject();
  const proxy = await FaultProxy.open(shop.service.baseUrl);
  await shop.write(PROJECT_FILE, JSON.stringify(FIXTURE_PROJECT_FILE));
  const signedIn = (env: Environment = {}) => ({
    LC_ALL: "C",
    PROJECT_TRANSLATIONS_URL: proxy.baseUrl,
    PROJECT_TRANSLATIONS_TOKEN: shop.service.token,
    ...env,
  });
  /** Whatever happens, the token is said nowhere. */
  const expectNoToken = <Run extends Pick<CommandLineRun, "stdout" | "stderr">>(run: Run): Run => {
    for (const secret of [shop.service.token, shop.service.readToken])
      expect(run.stdout + run.stderr).not.toContain(secret);
    return run;
  };
  return {
    shop,
    proxy,
    app: join(shop.folder, "app"),
    run: async (args, env, signal) => expectNoToken(await runCommandLine(args, signedIn(env), signal)),
    start: (args) => {
      const env = { ...process.env, ...signedIn() };
      const child = execFile(process.execPath, [PROGRAM, ...args], { env, encoding: "utf8" });
      const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
        let [stdout, stderr] = ["", ""];
        child.stdout?.on("data", (text: string) => (stdout += text));
        child.stderr?.on("data", (text: string) => (stderr += text));
        child.on("close", (status) => resolve(expectNoToken({ status, stdout, stderr })));
      });
      return { ended, interrupt: () => void child.kill("SIGINT") };
    },
    close: async () => {
      await proxy.close();
      await shop.close();
    },
  };
}

/** Writes texts of `lang/nl/cart.php` to the service; default: what that has. */
export async function translateAtService(
  shop: FixtureProject,
  texts: Readonly<Record<string, string>> = {
    title: "Je mandje",
    total: "Totaal: :amount",
    extra: "Alleen hier",
  },
): Promise<void> {
  const { client } = await shop.open();
  await client.sync({ keys: [{ namespace: "cart", key: "extra" }] });
  const items = Object.entries(texts).map(([key, value]) => {
    const name = { namespace: "cart", key, context: null };
    return { ...name, hash: keyHash(name), value, version: null };
  });
  expect((await client.writeTranslations("nl", items, "overwrite")).written).toBe(items.length);
}

/** Answers requests with an error, in the form of the service. */
export function refuse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  members: object = {},
): Fault {
  const body = Buffer.from(JSON.stringify({ message: "No.", ...members }));
  return (exchange) =>
    exchange.answer({ status, headers: { "content-type": "application/json", ...headers }, body });
}
