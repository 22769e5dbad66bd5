/**
 * `npm run test:host`: runs every suite of test/host in a real VS Code, here VS Code's server with a headless browser
 * as its window. Prints a line for each test and ends with `N passed, N failed`.
 *
 * `npm run test:host -- [SUITE...] [--grep REGEXP] [--minimum] [--untrusted] [--verbose] [--no-build]`
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { orSay } from "../../setup/ensure.mjs";
import { leave, onTheWayOut } from "../../setup/way-out.ts";
import { openBridge } from "./bridge.ts";
import { openBrowser, windowAddress, type OpenBrowser } from "./browser.ts";
import { buildAll } from "../../setup/build.ts";
import { findSuites, layOut, type Suite } from "./suites.ts";
import { startVscodeServer } from "./vscode-server.ts";
import { bridgeVariable, type TestResult } from "./wire.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: "string" },
    minimum: { type: "boolean", default: false },
    untrusted: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});

/** A window that says nothing for so long has died. */
const patience = 120_000;

const results = await orSay(async () => {
  if (!options["no-build"]) buildAll();
  const suites = findSuites(positionals);
  const browser = await openBrowser();
  onTheWayOut(() => browser.close());
  const all: TestResult[] = [];
  for (const suite of suites) {
    console.log(`\n${suite.name}`);
    all.push(...(await runSuite(options.untrusted ? { ...suite, trusted: false } : suite, browser)));
  }
  return all;
});
const failed = results.filter((it) => !it.passed).length;
if (results.length === 0) console.log("No test ran.");
console.log(`\n${results.length - failed} passed, ${failed} failed`);
await leave(failed > 0 || results.length === 0 ? 1 : 0);

/** Runs one suite in a window of its own. What goes wrong around the tests is a failed test too. */
async function runSuite(suite: Suite, browser: OpenBrowser): Promise<readonly TestResult[]> {
  const laid = await layOut(suite);
  const context = await browser.person();
  const page = await context.newPage();
  const bridge = await openBridge({
    grep: options.grep ?? null,
    service: join(laid.extension, "dist", "service.mjs"),
    shots: laid.shots,
    page: () => page,
    onResult: print,
  });
  const server = await startVscodeServer({
    version: options.minimum ? "minimum" : "newest",
    settings: suite.settings,
    trusted: suite.trusted,
    locale: suite.locale,
    env: { [bridgeVariable]: bridge.url },
    remove: [laid.folder],
  });
  const close = async () => {
    await context.close();
    await bridge.close();
    await server.process.stop();
  };
  const forget = onTheWayOut(close);

  const said: string[] = [];
  const hear = (line: string) => {
    said.push(line);
    if (options.verbose) console.log(`    ${line}`);
  };
  const exit = new Promise<string>((resolve) => {
    void page.exposeFunction("codeAutomationLog", (type: string, args: readonly unknown[]) =>
      hear(`host ${type}: ${args.map(String).join(" ")}`),
    );
    void page.exposeFunction("codeAutomationExit", (code: number) =>
      resolve(`the extension host ended (${code})`),
    );
    void server.process.ended.then((code) =>
      resolve(`the server of VS Code ended (${code}):\n${server.process.output().slice(-3000)}`),
    );
    page.on("crash", () => resolve("the page crashed"));
    setInterval(
      () => bridge.silence() > patience && resolve(`nothing was heard for ${patience / 1000} s`),
      1000,
    ).unref();
  });
  const remote = (path: string) => `vscode-remote://${server.authority}${path}`;
  await page.goto(
    windowAddress(server.authority, laid.workspace, {
      extensionDevelopmentPath: remote(laid.extension),
      extensionTestsPath: remote(laid.module),
    }),
    { waitUntil: "commit" },
  );
  const why = await exit;

  const outcome = [...bridge.results];
  if (!bridge.ended) {
    const heard = options.verbose ? [] : said.map((line) => line.split("\n")[0]).slice(-15);
    const printed = server.process.output().split("\n").slice(-15);
    const tail = ["", ...heard, ...printed].join("\n");
    await page.screenshot({ path: `${laid.shots}/died.png` }).catch(() => {});
    const death = {
      title: `${suite.name}: the run`,
      passed: false,
      milliseconds: 0,
      error: `did not come to its end: ${why}${tail}`,
    };
    print(death);
    outcome.push(death);
  }
  forget();
  await close();
  return outcome;
}

function print({ title, passed, milliseconds, error }: TestResult): void {
  console.log(`  ${passed ? "✓" : "✗"} ${title} (${milliseconds} ms)`);
  if (error !== undefined) console.log(error.replace(/^/gm, "      "));
}
