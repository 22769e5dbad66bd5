/** What the program prints besides results: plans, progress, findings, and its own words. */
import { Writable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { isAtLeast, type CheckFinding, type Severity } from "../../../src/cli/check.ts";
import { programCommand } from "../../../src/cli/command.ts";
import { failureText } from "../../../src/cli/failure-text.ts";
import { formatFindings } from "../../../src/cli/format-findings.ts";
import { planLines } from "../../../src/cli/plan-lines.ts";
import { PROGRAM_TEXTS } from "../../../src/cli/program-texts.ts";
import { createProgress } from "../../../src/cli/progress.ts";
import { accessTo, hasToken } from "../../../src/cli/service-access.ts";
import { PartialResultError } from "../../../src/commands/command-types.ts";
import { importCommand, pullCommand } from "../../../src/commands/declarations/sync-commands.ts";

test("a plan has a title, headings with rows, and notes; more than two hundred rows are counted", () => {
  const row = (label: string, changes: object = {}) => ({
    icon: "",
    label,
    description: "",
    changes: [],
    isChecked: true,
    ...changes,
  });
  const many = Array.from({ length: 203 }, (_, number) => row(`row ${number}`));
  const sections = [
    { heading: "Empty: 0", rows: [] },
    {
      heading: "Two: 2",
      rows: [row("a", { description: "nl", detail: "b → c" }), row("d", { isChecked: false })],
    },
    { heading: "Many: 203", rows: many },
  ];
  const lines = planLines("Title", sections, ["Note 1", "Note 2"]);
  expect(lines.slice(0, 6)).toEqual([
    "Title",
    "Two: 2",
    "  + a · nl · b → c",
    "  - d",
    "Many: 203",
    "  + row 0",
  ]);
  expect(lines.slice(-4)).toEqual(["  + row 199", "  and 3 more", "Note 1", "Note 2"]);
  expect(planLines("Title", [{ heading: "Many", rows: many.slice(3) }], []).at(-1)).toBe("  + row 202");
});

test("progress is one line of a terminal, as wide as that, without its control characters; elsewhere nothing", () => {
  const written: string[] = [];
  const stream = (isTTY: boolean, columns = 20) =>
    Object.assign(new Writable(), {
      isTTY,
      columns,
      write: (text: string) => written.push(text),
      cursorTo: (column: number) => written.push(`to ${column}`),
      clearLine: (direction: number) => written.push(`clear ${direction}`),
    }) as unknown as typeof process.stderr;
  const progress = createProgress(stream(true));
  progress.report("Sending");
  progress.report("Sending\u001b[31m", 33.4);
  progress.report("Sending 1,000 keys to Shop");
  progress.clear();
  expect(written).toEqual(
    ["Sending…", "Sending… 33%", "Sending 1,000 keys "]
      .flatMap((text) => ["to 0", "clear 1", text])
      .concat("to 0", "clear 1"),
  );
  written.length = 0;
  const other = createProgress(stream(false));
  other.report("Sending", 1);
  other.clear();
  expect(written).toEqual([]);
  // A terminal that does not know its width.
  createProgress(stream(true, 0)).report("Sending");
  expect(written.at(-1)).toBe("Sending…");
});

const finding = (changes: Partial<CheckFinding> = {}): CheckFinding => ({
  path: "src/a, b.ts",
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 9,
  severity: "warning",
  code: "a:b",
  message: "100% wrong",
  ...changes,
});

describe("findings", () => {
  const report = (...findings: readonly CheckFinding[]) => ({ findings, folder: "/a b", version: "1.2.3" });
  test("as text have a line each, and then how many there are of each severity", () => {
    const all = [
      finding(),
      finding({ severity: "error" }),
      finding({ severity: "note" }),
      finding({ severity: "note" }),
    ];
    expect(
      formatFindings("text", report(...all))
        .split("\n")
        .slice(0, 2),
    ).toEqual(["src/a, b.ts:3:5: warning: 100% wrong [a:b]", "src/a, b.ts:3:5: error: 100% wrong [a:b]"]);
    expect(formatFindings("text", report(...all))).toMatch(/\nErrors: 1, warnings: 1, notes: 2$/u);
    expect(formatFindings("text", report())).toBe("No problems were found.");
    expect(formatFindings("github", report())).toBe("No problems were found.");
    expect(JSON.parse(formatFindings("json", report()))).toEqual({ findings: [] });
  });

  test("as commands of a workflow are escaped, and have columns on one line only", () => {
    const [one, other, counts] = formatFindings(
      "github",
      report(finding(), finding({ endLine: 4, severity: "note", message: "a\r\nb" })),
    ).split("\n");
    expect(one).toBe(
      "::warning file=src/a%2C b.ts,line=3,endLine=3,col=5,endColumn=9,title=a%3Ab::100%25 wrong",
    );
    expect(other).toBe("::notice file=src/a%2C b.ts,line=3,endLine=4,title=a%3Ab::a%0D%0Ab");
    expect(counts).toBe("Errors: 0, warnings: 1, notes: 1");
  });

  test("as SARIF name their rule by its place, and their file below the folder", () => {
    const sarif = JSON.parse(
      formatFindings("sarif", report(finding({ code: "z" }), finding(), finding({ path: "ä/b.ts" }))),
    ) as { readonly runs: readonly [Readonly<Record<string, unknown>>] };
    expect(sarif.runs[0]).toMatchObject({
      tool: { driver: { version: "1.2.3", rules: [{ id: "a:b" }, { id: "z" }] } },
      originalUriBaseIds: { SRCROOT: { uri: "file:///a%20b/" } },
      results: [
        { ruleId: "z", ruleIndex: 1, level: "warning" },
        {
          ruleId: "a:b",
          ruleIndex: 0,
          message: { text: "100% wrong" },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: "src/a%2C%20b.ts", uriBaseId: "SRCROOT" },
                region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 9 },
              },
            },
          ],
        },
        { locations: [{ physicalLocation: { artifactLocation: { uri: "%C3%A4/b.ts" } } }] },
      ],
    });
  });

  test("fail a check if they are as severe as the limit", () => {
    const severities: readonly Severity[] = ["error", "warning", "note"];
    expect(severities.map((each) => isAtLeast(each, "error"))).toEqual([true, false, false]);
    expect(severities.map((each) => isAtLeast(each, "warning"))).toEqual([true, true, false]);
  });
});

describe("arguments", () => {
  const parsed: unknown[] = [];
  const command = programCommand({
    operands: "[FOLDER]",
    options: {
      json: { type: "boolean" },
      only: { type: "string", value: "CODE", isList: true },
      format: { type: "string", choices: ["text", "json"], default: "text" },
      hidden: { type: "boolean", isHidden: true },
    },
    from: { declaration: pullCommand, names: ["locales", "missing", "ignoreEtag"] },
    run: (call) => {
      parsed.push(call);
      return Promise.resolve(7);
    },
  });
  const run = async (...args: readonly string[]) => {
    const { signal } = new AbortController();
    // What is wrong is thrown before anything begins.
    const code = await Promise.resolve().then(() => command.run(args, signal));
    return [code, parsed.pop()] as const;
  };

  test("are shown as they are given, those of the editor's command first, without what is hidden", () => {
    expect(command.usage).toBe(
      "[FOLDER] [--locales LOCALES,…] [--missing fallback|empty|omit] [--[no-]ignore-etag] [--json] [--only CODE,…] [--format text|json] [--language en|nl]",
    );
    const imports = programCommand({
      operands: "",
      options: {},
      from: { declaration: importCommand, names: ["format"] },
      run: () => Promise.resolve(0),
    });
    // So many formats are not listed.
    expect(imports.usage).toBe("[--format FORMAT] [--language en|nl]");
  });

  test("of lists may be repeated, or have commas; defaults stand where nothing is given", async () => {
    expect(
      await run("a", "--only", "x,,y", "--only", "z", "b", "--no-ignore-etag", "--locales", "nl,fr"),
    ).toEqual([
      7,
      {
        operands: ["a", "b"],
        values: expect.objectContaining({ only: ["x", "y", "z"], format: "text" }),
        declared: { ignoreEtag: false, locales: ["nl", "fr"] },
      },
    ]);
    expect((await run())[1]).toMatchObject({ operands: [], values: { only: [] }, declared: { locales: [] } });
  });

  test("that are none of the choices are refused with them", async () => {
    await expect(run("--format", "xml")).rejects.toThrow("--format is “xml”, but may only be text, json.");
    await expect(run("--language", "de")).rejects.toThrow("--language is “de”, but may only be en, nl.");
    await expect(run("--missing", "none")).rejects.toThrow(
      "--missing is “none”, but may only be fallback, empty, omit.",
    );
    await expect(run("--nonsense")).rejects.toThrow("--nonsense");
  });
});

describe("what is said of a command that did not do all of its work", () => {
  const stop = new AbortController();
  stop.abort();
  const { signal } = new AbortController();
  const stopped = stop.signal.reason as unknown;
  const partly = (cause: unknown) => new PartialResultError("Pushed: 2 created. Not done: 3.", {}, cause);

  test("is what was done before it was cancelled, or that nothing was", () => {
    expect(failureText(stopped, stop.signal)).toBe("Cancelled. Nothing was written.");
    expect(failureText(new DOMException("stopped", "AbortError"), stop.signal)).toBe(
      "Cancelled. Nothing was written.",
    );
    expect(failureText(partly(stopped), stop.signal)).toBe("Pushed: 2 created. Not done: 3.");
  });

  test("is its failure, also one that came after it was cancelled, and before that what was done", () => {
    const busy = new ApiError("busy", "for the log");
    const message = "Someone else is changing the project. Try again in a moment.";
    expect(failureText(busy, signal)).toBe(message);
    expect(failureText(busy, stop.signal)).toBe(message);
    expect(failureText(partly(busy), stop.signal)).toBe(`Pushed: 2 created. Not done: 3. ${message}`);
    // Of another signal.
    expect(failureText(new Error("odd"), stop.signal)).toContain("Something went wrong: odd.");
  });

  test("has the names of variables where the editor has a sign-in, and of the project or the files", () => {
    const { unauthorized, forbidden, readOnly, cancelled, sent } = PROGRAM_TEXTS;
    for (const text of [unauthorized(""), forbidden(""), readOnly("Shop")])
      expect(text).toMatch(/variable PROJECT_TRANSLATIONS_TOKEN to /u);
    expect(readOnly("Shop")).toMatch(/^The token for Shop is read-only\./u);
    expect(cancelled("")).toMatch(/may have been written\..*--dry-run/u);
    expect(sent("2 files")).toMatch(/^Before you cancelled, 2 files had been sent/u);
  });
});

describe("the token of the environment", () => {
  const access = (url: string, baseUrl?: string) => {
    vi.stubEnv("PROJECT_TRANSLATIONS_TOKEN", " token ");
    vi.stubEnv("PROJECT_TRANSLATIONS_URL", url);
    return accessTo(baseUrl === undefined ? {} : { baseUrl });
  };

  test("goes to the base URL of the file if the environment has its origin alone, else to its own", () => {
    expect(access("https://a.example")).toEqual({ token: "token", baseUrl: "https://a.example" });
    expect(access("https://a.example", "https://a.example/v2")).toEqual({
      token: "token",
      baseUrl: "https://a.example/v2",
    });
    expect(access("https://a.example/v1", "https://a.example/v2").baseUrl).toBe("https://a.example/v1");
    expect(access("https://a.example/v1", "no address").baseUrl).toBe("https://a.example/v1");
  });

  test("goes nowhere where the file names another origin, or its own address is none", () => {
    expect(() => access("https://a.example", "https://b.example/v1")).toThrow(
      "project-translations.json names https://b.example, but the token is for https://a.example, so nothing was sent. Correct the file, or PROJECT_TRANSLATIONS_URL and the token together.",
    );
    expect(() => access("http://a.example")).toThrow(
      "PROJECT_TRANSLATIONS_URL: The address must begin with https://",
    );
  });

  test("is none if it is blank", () => {
    vi.stubEnv("PROJECT_TRANSLATIONS_TOKEN", "  ");
    expect(hasToken()).toBe(false);
    expect(() => accessTo({})).toThrow("Set the environment variable PROJECT_TRANSLATIONS_TOKEN");
  });
});
