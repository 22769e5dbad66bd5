/** `project-translations check`: the bundled program, on folders on disk. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandLineRun, runCommandLine } from "../support/command-line.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli.mjs", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));
/** SARIF 2.1.0 as `@microsoft/jest-sarif` 1.0.0-beta.0 has it (MIT), without descriptions. */
const SARIF_SCHEMA = join(FIXTURES, "sarif-2.1.0.schema.json");
const FILES = {
  "package.json": '{ "dependencies": { "i18next": "25.0.0" } }',
  "locales/en/common.json": '{\n  "home": "Home",\n  "hello": "Hello {{name}}"\n}\n',
  "locales/nl/common.json": '{\n  "hello": "Hallo {{naam}}"\n}\n',
  "locales/de/common.json": '{\n  "home": "Start",\n  "home": "Haus",\n  "hello": "Hallo {{name}}"\n}\n',
  "src/a.ts": 'import i18next from "i18next";\ni18next.t("common:hello");\ni18next.t("common:hallo");\n',
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "project-translations-cli-"));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string, root = folder): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const run = (...args: readonly string[]): Promise<CommandLineRun> => runCommandLine(args);

/** Runs the program as a process of its own. */
function runProcess(...args: readonly string[]) {
  const env = { ...process.env, LC_ALL: "C" };
  return spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8", env });
}

test("finds unknown keys, wrong placeholders, missing and duplicate entries, and leaves nothing behind", () => {
  const before = readdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = runProcess("check", folder);
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^locales\/de\/common\.json:2:\d+: warning: .*home.* \[duplicate\]$/u),
    "locales/en/common.json:2:11: note: common:home (nl): untranslated [missing-translation]",
    "locales/nl/common.json:2:12: error: common:hello (nl): {{name}} is missing, {{naam}} is unknown [i18next.missing]",
    "src/a.ts:3:12: error: Unknown key “common:hallo”. Did you mean “common:hello”? [unknown-key]",
    "Errors: 2, warnings: 1, notes: 1",
    "",
  ]);
  expect(status).toBe(1);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test("proposes the keys of another package whose texts the code uses", async () => {
  const root = join(folder, "monorepo");
  const dependencies = { i18next: "25.0.0", "@acme/phrases": "workspace:*" };
  write("package.json", '{ "workspaces": ["web", "phrases"] }', root);
  write("phrases/package.json", '{ "name": "@acme/phrases", "dependencies": { "i18next": "25.0.0" } }', root);
  write("phrases/locales/en.json", '{ "booking": { "cancel": "Cancel", "title": "Booking" } }\n', root);
  write("phrases/locales/nl.json", '{ "booking": { "cancel": "Annuleren", "title": "Boeking" } }\n', root);
  write("web/package.json", JSON.stringify({ name: "web", dependencies }), root);
  write("web/locales/en.json", '{ "nav": { "account": "Account" } }\n', root);
  write("web/locales/nl.json", '{ "nav": { "account": "Account" } }\n', root);
  const code = 'import i18next from "i18next";\ni18next.t("booking.cancle");\ni18next.t("nav.acount");\n';
  write("web/src/a.ts", `${code}i18next.t("booking.cancel");\n`, root);
  expect((await run("check", root)).stdout.split("\n")).toEqual([
    "web/src/a.ts:2:12: error: Unknown key “booking.cancle”. Did you mean “booking.cancel”? [unknown-key]",
    "web/src/a.ts:3:12: error: Unknown key “nav.acount”. Did you mean “nav.account”? [unknown-key]",
    "Errors: 2, warnings: 0, notes: 0",
    "",
  ]);
  rmSync(root, { recursive: true });
});

test("a key is used if any project of the folder uses it, and only then", async () => {
  const root = join(folder, "shared");
  const dependencies = { i18next: "25.0.0", "@acme/phrases": "workspace:*" };
  write("package.json", '{ "workspaces": ["web", "phrases"] }', root);
  write("phrases/package.json", '{ "name": "@acme/phrases", "dependencies": { "i18next": "25.0.0" } }', root);
  write(
    "phrases/locales/en.json",
    '{ "booking": { "cancel": "Cancel", "title": "Booking", "own": "Own" } }\n',
    root,
  );
  write("phrases/src/a.ts", 'import i18next from "i18next";\ni18next.t("booking.own");\n', root);
  write("web/package.json", JSON.stringify({ name: "web", dependencies }), root);
  write("web/locales/en.json", '{ "nav": { "account": "Account", "old": "Old" } }\n', root);
  write(
    "web/src/a.ts",
    'import i18next from "i18next";\ni18next.t("booking.cancel");\ni18next.t("nav.account");\n',
    root,
  );
  const { stdout, status } = await run("unused", root, "--json");
  const { projects } = JSON.parse(stdout) as {
    readonly projects: readonly {
      readonly folder: string;
      readonly unused: readonly { readonly key: string }[];
    }[];
  };
  const unused = projects.map((each) => [basename(each.folder), each.unused.map(({ key }) => key)]);
  expect(Object.fromEntries(unused)).toEqual({ phrases: ["booking.title"], web: ["nav.old"] });
  expect(status).toBe(1);
  rmSync(root, { recursive: true });
});

test("the exit code says whether something was found, or the program could not run", async () => {
  expect((await run("check", folder, "--fail-on", "never")).status).toBe(0);
  expect((await run("check", folder, "--only", "missing-translation")).status).toBe(0);
  expect((await run("check", folder, "--only", "duplicate")).status).toBe(0);
  expect((await run("check", folder, "--only", "duplicate", "--fail-on", "warning")).status).toBe(1);
  const wrong = [
    ["check", folder, "--format", "xml"],
    ["check", folder, "--nonsense"],
    ["check", join(folder, "nowhere")],
    ["chek"],
  ];
  for (const args of wrong) {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(args.at(-1)?.replace(/^-*/u, "") ?? "");
  }
});

test("the formats have the same findings", async () => {
  const json = JSON.parse((await run("check", folder, "--format", "json")).stdout) as {
    readonly findings: readonly { readonly path: string; readonly line: number; readonly severity: string }[];
  };
  expect(json.findings.map(({ path, line, severity }) => [path, line, severity])).toEqual([
    ["locales/de/common.json", 2, "warning"],
    ["locales/en/common.json", 2, "note"],
    ["locales/nl/common.json", 2, "error"],
    ["src/a.ts", 3, "error"],
  ]);
  const sarif = JSON.parse((await run("check", folder, "--format", "sarif")).stdout) as {
    readonly runs: readonly {
      readonly results: readonly { readonly ruleId: string; readonly level: string }[];
    }[];
  };
  expect(sarif.runs[0]?.results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
    "duplicate warning",
    "missing-translation note",
    "i18next.missing error",
    "unknown-key error",
  ]);
  expect((await run("check", folder, "--format", "github", "--only", "unknown-key")).stdout).toContain(
    "::error file=src/a.ts,line=3,endLine=3,col=12,endColumn=24,title=unknown-key::Unknown key “common:hallo”.",
  );
});

interface JsonFinding {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

/** Finds what is wrong in a copy of the fixture: paths in the working directory would be relative to that. */
async function findingsIn(path: string): Promise<readonly JsonFinding[]> {
  const copy = join(folder, path);
  cpSync(join(FIXTURES, path), copy, { recursive: true });
  const { stdout } = await run("check", copy, "--format", "json");
  rmSync(copy, { recursive: true });
  return (JSON.parse(stdout) as { readonly findings: readonly JsonFinding[] }).findings;
}

test("finds each kind of mistake in an app of each framework", async () => {
  const byApp = Map.groupBy(await findingsIn("framework-mistakes"), ({ path }) => path.split("/")[0] ?? "");
  const codes = [...byApp].map(([app, found]) => [
    app,
    [...new Set(found.map(({ code }) => code))].toSorted(),
  ]);
  const inFiles = ["duplicate", "missing-translation", "syntax"];
  const named = (rule: string): readonly string[] => [...inFiles, rule, "unknown-key"].toSorted();
  // A message that is no key may not be extracted yet.
  const texts = (rule: string): readonly string[] => [...inFiles, rule].toSorted();
  expect(Object.fromEntries(codes)).toEqual({
    craft: named("icu.missing"),
    django: texts("printf.missing"),
    formatjs: named("icu.missing"),
    i18next: named("i18next.missing"),
    laravel: named("laravel.missing"),
    lingui: texts("icu.missing"),
    "next-intl": named("icu.missing"),
    "ngx-translate": named("i18next.missing"),
    "svelte-i18n": named("icu.missing"),
    symfony: named("symfony.missing"),
    transloco: named("i18next.missing"),
    "vue-i18n": named("icu.missing"),
    wordpress: texts("printf.type"),
  });
});

test("finds one unknown key in each of these apps, and takes none of the others for one", async () => {
  const unknown = (await findingsIn("framework-mistakes")).filter(({ code }) => code === "unknown-key");
  const apps = unknown.map(({ path }) => path.split("/")[0] ?? "");
  expect(apps).toEqual([...new Set(apps)]);
});

test("finds entries and files that cannot be read, and nothing that is ignored", async () => {
  const found = (await findingsIn("broken-files")).map(({ path, line, code }) => `${path}:${line} ${code}`);
  expect(found).toEqual([
    "src/order.js:7 unknown-key",
    "texts/de/first.json:1 encoding",
    "texts/en/first.json:1 missing-translation",
    "texts/en/first.json:1 missing-translation",
    "texts/en/second.json:1 elsewhere",
    "texts/en/second.json:1 missing-translation",
    "texts/nl/first.json:1 i18next.missing",
    "texts/nl/second.json:1 elsewhere",
  ]);
});

test("the project file's rules are followed, and its errors are found", async () => {
  write(
    "project-translations.json",
    '{ "diagnostics": { "ignore": ["common.hallo"] }, "files": [{ "path": "../x.json" }] }',
  );
  try {
    const { stdout } = await run("check", folder);
    expect(stdout).toContain("project-translations.json:1:1: error: files.0.path: unsafe_path");
    expect(stdout).not.toContain("common:hallo");
  } finally {
    rmSync(join(folder, "project-translations.json"));
  }
});

test("several folders have one report, with paths from the working directory or the folder of them all", async () => {
  const apps = mkdtempSync(join(tmpdir(), "project-translations-apps-"));
  try {
    for (const app of ["one", "two"])
      for (const [path, text] of Object.entries(FILES)) write(path, text, join(apps, app));
    const folders = [join(apps, "one"), join(apps, "two")];
    const report = (await run("check", ...folders, "--only", "unknown-key", "--format", "json")).stdout;
    const { findings } = JSON.parse(report) as { readonly findings: readonly { readonly path: string }[] };
    expect(findings.map(({ path }) => path)).toEqual(["one/src/a.ts", "two/src/a.ts"]);
    const { stdout } = spawnSync(
      process.execPath,
      [PROGRAM, "check", "one", "--only", "unknown-key", "--format", "github"],
      { encoding: "utf8", cwd: apps, env: { ...process.env, LC_ALL: "C" } },
    );
    expect(stdout).toContain("::error file=one/src/a.ts,line=3,");
    const { stdout: lines } = await run("check", ...folders, "--only", "unknown-key");
    expect(lines.split("\n").at(-2)).toBe("Errors: 2, warnings: 0, notes: 0");
  } finally {
    rmSync(apps, { recursive: true });
  }
});

test("SARIF follows its schema", async () => {
  const schema = JSON.parse(readFileSync(SARIF_SCHEMA, "utf8")) as object;
  const validate = addFormats.default(new Ajv({ strict: false, unicodeRegExp: false })).compile(schema);
  const sarif = JSON.parse((await run("check", folder, "--format", "sarif")).stdout) as object;
  expect([validate(sarif), validate.errors]).toEqual([true, null]);
  expect(validate({ ...sarif, runs: [{ tool: {} }] })).toBe(false);
});

test("with --since, finds only what the branch changed, and changes nothing of the repository", async () => {
  const repository = mkdtempSync(join(tmpdir(), "project-translations-git-"));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: repository,
      encoding: "utf8",
    });
  try {
    git("init", "--quiet", "--initial-branch", "main");
    for (const [path, text] of Object.entries(FILES)) write(path, text, join(repository, "app"));
    write("later/README.md", "Nothing to translate yet.", repository);
    git("add", "--all");
    git("commit", "--quiet", "--message", "one");
    git("checkout", "--quiet", "-b", "topic");
    const code = FILES["src/a.ts"].replace(
      /;$/mu,
      ';\n// Moves all that was there.\ni18next.t("common:new");',
    );
    write("src/a.ts", code, join(repository, "app"));
    // What is about to be committed stays that.
    git("add", "app/src/a.ts");
    const before = [git("status", "--porcelain"), readdirSync(repository, { recursive: true })];
    const temporary = mkdtempSync(join(tmpdir(), "project-translations-tmp-"));
    const since = ["check", join(repository, "app"), "--since", "main"];
    const { status, stdout, stderr } = await runCommandLine(since, { TMPDIR: temporary });
    expect([stderr, readdirSync(temporary)]).toEqual(["", []]);
    rmSync(temporary, { recursive: true });
    expect(stdout.split("\n")).toEqual([
      expect.stringContaining("src/a.ts:3:12: error: Unknown key “common:new”"),
      "Errors: 1, warnings: 0, notes: 0",
      "",
    ]);
    expect(status).toBe(1);
    expect([git("status", "--porcelain"), readdirSync(repository, { recursive: true })]).toEqual(before);
    const nowhere = await run("check", repository, "--since", "nowhere");
    expect([nowhere.status, nowhere.stdout]).toEqual([2, ""]);
    expect(nowhere.stderr).toMatch(/^The changes since “nowhere” are not known: \S/u);
    // What the branch had not begun with is new.
    for (const [path, text] of Object.entries(FILES)) write(path, text, join(repository, "new"));
    const added = await run("check", join(repository, "new"), "--since", "main");
    expect(added.stdout).toContain("\nErrors: 2, warnings: 1, notes: 1\n");
    expect(added.status).toBe(1);
    // A folder that was there, without a project.
    for (const [path, text] of Object.entries(FILES)) write(path, text, join(repository, "later"));
    const later = await run("check", join(repository, "later"), "--since", "main");
    expect([later.stdout, later.status]).toEqual([added.stdout, 1]);
  } finally {
    rmSync(repository, { recursive: true });
  }
});

test("a cache of several folders has what each of them has", async () => {
  const cache = mkdtempSync(join(tmpdir(), "project-translations-cache-"));
  const other = mkdtempSync(join(tmpdir(), "project-translations-cli-"));
  write("locales/en/common.json", FILES["locales/en/common.json"], other);
  write("locales/nl/common.json", FILES["locales/nl/common.json"], other);
  try {
    const all = (await run("check", folder, other)).stdout;
    for (let times = 0; times < 2; times++)
      expect((await run("check", folder, other, "--cache", cache)).stdout).toBe(all);
    // One for each folder, which stays.
    expect(readdirSync(cache).filter((name) => name.endsWith(".db"))).toHaveLength(2);
  } finally {
    rmSync(cache, { recursive: true });
    rmSync(other, { recursive: true });
  }
});

test("a folder in which nothing is recognised is not checked, which is no success", async () => {
  const empty = mkdtempSync(join(tmpdir(), "project-translations-empty-"));
  try {
    for (const command of ["check", "unused", "status"]) {
      const { status, stdout, stderr } = await run(command, empty);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^No translation files were recognised in .*project-translations-empty-/u);
    }
  } finally {
    rmSync(empty, { recursive: true });
  }
});

test("unused keys are found in four groups", async () => {
  const { status, stdout } = await run("unused", folder);
  expect([status, stdout]).toEqual([
    1,
    `${basename(folder)}: 1 key used, 1 unused, 0 probably unused, 0 that may be used.\nUnused:\n  common:home\n`,
  ]);
  const json = await run("unused", folder, "--json", "--fail-on", "never");
  expect(json.status).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    projects: [
      { used: 1, unused: [{ namespace: "common", key: "home" }], probablyUnused: [], undeterminable: [] },
    ],
  });
});

test("keys of patterns are listed with them, and one folder with unused keys is enough to fail", async () => {
  const other = mkdtempSync(join(tmpdir(), "project-translations-used-"));
  write("package.json", FILES["package.json"], other);
  write(
    "locales/en.json",
    '{ "nav": { "home": "Home", "about": "About", "team": "Team" }, "used": "Used" }',
    other,
  );
  const code = 'i18next.t("used");\ni18next.t("nav." + name);\nconst names = ["home"];\n';
  write("src/a.ts", `import i18next from "i18next";\n${code}`, other);
  try {
    const whole = await run("unused", other);
    expect([whole.status, whole.stdout]).toEqual([
      0,
      `${basename(other)}: 1 key used, 0 unused, 2 probably unused, 1 that may be used.\nProbably unused:\n  nav.about (nav.*)\n  nav.team (nav.*)\nMay be used:\n  nav.home (nav.*)\n`,
    ]);
    const both = await run("unused", folder, other);
    expect([both.status, both.stdout.endsWith(whole.stdout)]).toEqual([1, true]);
    expect((await run("unused", folder, other, "--fail-on", "never")).status).toBe(0);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test("a link to a folder is that folder", async () => {
  const link = join(mkdtempSync(join(tmpdir(), "project-translations-link-")), "link");
  symlinkSync(folder, link);
  try {
    const { stdout } = await run("unused", link, "--fail-on", "never");
    expect(stdout).toBe((await run("unused", folder, "--fail-on", "never")).stdout);
  } finally {
    rmSync(dirname(link), { recursive: true });
  }
});

test("without a folder, the working directory is worked on", async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect((await run("check", "--only", "unknown-key")).stdout).toBe(
      (await run("check", folder, "--only", "unknown-key")).stdout,
    );
    expect((await run("unused", "--fail-on", "never")).stdout).toMatch(
      new RegExp(`^${basename(folder)}: 1 key used`, "u"),
    );
  } finally {
    process.chdir(before);
  }
});

test("each command says how it is used", async () => {
  for (const command of ["check", "status", "unused", "push", "pull", "import"]) {
    const { status, stdout } = await run(command, "--help");
    expect([status, stdout.split(" ").slice(0, 2).join(" ")]).toEqual([0, `project-translations ${command}`]);
    expect((await run("--help")).stdout).toContain(`project-translations ${command} `);
  }
});

test("a reader that ends before the findings are written ends the program, which is no success", async () => {
  const program = spawn(process.execPath, [PROGRAM, "check", folder], { stdio: ["ignore", "pipe", "pipe"] });
  program.stdout.destroy();
  const stderr: Buffer[] = [];
  program.stderr.on("data", (part: Buffer) => stderr.push(part));
  expect(await once(program, "close")).toEqual([2, null]);
  expect(Buffer.concat(stderr).toString()).toBe("");
});

test("an older Node is told which one is needed", () => {
  const runIn = (version: string) => {
    const old = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
    const args = ["--import", `data:text/javascript,${encodeURIComponent(old)}`, PROGRAM, "--version"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return [status, stderr];
  };
  for (const version of ["18.20.8", "22.12.9"])
    expect(runIn(version)).toEqual([
      2,
      `project-translations needs Node 22.13 or newer; this is ${version}.\n`,
    ]);
  for (const version of ["22.13.0", "24.0.0"]) expect(runIn(version)).toEqual([0, ""]);
});

test("without a command, the program says all of them; a wrong one is no success", async () => {
  const [none, help, short] = [await run(), await run("--help"), await run("-h")];
  expect([none.status, help.status, short.status]).toEqual([0, 0, 0]);
  expect(none.stdout).toMatch(
    /^project-translations check \[FOLDER…\] .*\n(?:project-translations \w+ .*\n)+/u,
  );
  expect([help.stdout, short.stdout]).toEqual([none.stdout, none.stdout]);
  const wrong = await run("constructor");
  expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toBe(`There is no command “constructor”.\n\n${none.stdout}`);
  expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  // What is wrong in a command is said with its own usage.
  const { stderr } = await run("check", "--nonsense");
  expect(stderr).toMatch(/\n\nproject-translations check \[FOLDER…\] [^\n]*\n$/u);
});

test("the language is that of the arguments, else of the first variable of the environment that is set", async () => {
  const isDutch = async (env: Readonly<Record<string, string | undefined>>, ...args: readonly string[]) => {
    const { stderr } = await runCommandLine(["chek", ...args], {
      LC_ALL: "",
      LC_MESSAGES: "",
      LANG: "",
      ...env,
    });
    return stderr.startsWith("Er is geen opdracht");
  };
  expect(await isDutch({ LANG: "nl_BE.UTF-8" })).toBe(true);
  expect(await isDutch({ LANG: "nl" })).toBe(true);
  expect(await isDutch({ LC_ALL: "C", LANG: "nl_NL" })).toBe(false);
  expect(await isDutch({ LC_MESSAGES: "nl_NL", LANG: "en_US" })).toBe(true);
  expect(await isDutch({ LANG: "nlx_NL" })).toBe(false);
  expect(await isDutch({ LANG: "nl_NL" }, "--language", "en")).toBe(false);
  expect(await isDutch({}, "--language=nl")).toBe(true);
  expect(await isDutch({}, "--language", "en", "--language", "nl")).toBe(true);
});

test("several projects have all their findings, by path, line and column", async () => {
  const root = mkdtempSync(join(tmpdir(), "project-translations-order-"));
  const app = (path: string): void => {
    write(`${path}/package.json`, '{ "dependencies": { "i18next": "25.0.0" } }', root);
    write(`${path}/locales/en.json`, '{ "a": "A" }', root);
    const entries = '[{ "path": "locales/{locale}.json", "format": "json_js" }, { "path": "../x.json" }]';
    write(`${path}/project-translations.json`, `{ "files": ${entries} }`, root);
  };
  try {
    for (const path of ["b", "a"]) app(path);
    const t = (key: string): string => `i18next.t("${key}")`;
    const code = ["", "", `${t("one")}; ${t("two")};`, t("three")].join("\n");
    write("a/src/b.ts", `import i18next from "i18next";${code}\n`, root);
    write("a/src/a.ts", `import i18next from "i18next";\n\n\n\n${t("four")};\n`, root);
    const { findings } = JSON.parse((await run("check", root, "--format", "json")).stdout) as {
      readonly findings: readonly (JsonFinding & { readonly column: number; readonly severity: string })[];
    };
    expect(
      findings.map(({ path, line, column, severity }) => `${path}:${line}:${column} ${severity}`),
    ).toEqual([
      "a/project-translations.json:1:1 error",
      "a/src/a.ts:5:12 error",
      "a/src/b.ts:3:12 error",
      "a/src/b.ts:3:30 error",
      "a/src/b.ts:4:12 error",
      "b/project-translations.json:1:1 error",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("messages are in the chosen language", async () => {
  const { stdout } = await run("check", folder, "--language", "nl");
  expect(stdout).toContain("src/a.ts:3:12: error: Onbekende sleutel");
  expect(stdout).toContain("Fouten: 2, waarschuwingen: 1, opmerkingen: 1");
});
