/** What follows from the result of an import: parts that are sent again, remedies, and what is said of it. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ImportFields } from "../../../src/api/endpoints.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import {
  importCommand,
  importLocalCommand,
  stopWatchingJobCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { listJobsCommand, registerActivityView } from "../../../src/features/activity-view/activity-view.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { openRefusedFile, remedyFor } from "../../../src/features/import/import-messages.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import {
  answerNextList,
  builtInCommands,
  closeEditors,
  messages,
  pickInNextList,
  Uri,
  window as shownWindow,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** The error codes of the next jobs; `none`: it succeeds, `running`: it goes on, `lost`: it cannot be asked, `refused`: there is none, `null`: as the service says. */
const codes: (string | null)[] = [];
const failing = new Map<number, string>();
/** Is called while files are uploaded. */
let onUpload: () => void = () => undefined;
beforeEach(async () => {
  codes.length = 0;
  failing.clear();
  onUpload = () => undefined;
  ({ shop, window, commands } = await openShop([registerImport, registerActivityView], {
    intercept: async (request, forward) => {
      if (request.startsWith("POST /imports") && codes[0] === "refused") {
        codes.shift();
        return Response.json({ message: "No.", errors: { "files.0": ["Not a text."] } }, { status: 422 });
      }
      if (request.startsWith("POST /imports")) onUpload();
      if ([...failing].some(([id, code]) => code === "lost" && request === `GET /jobs/${id}`))
        throw new TypeError("fetch failed");
      const answer = await forward();
      if (!/^(?:POST \/imports|GET \/jobs\/)/u.test(request) || !answer.ok) return answer;
      const { data } = (await answer.clone().json()) as { readonly data: { readonly id: number } };
      const code = request.startsWith("POST") ? codes.shift() : null;
      if (code != null) failing.set(data.id, code);
      const reason = failing.get(data.id);
      if (reason === undefined || request.startsWith("POST")) return answer;
      const progress = { done: 1, total: 4 };
      if (reason === "running")
        return Response.json({ data: { ...data, status: "running", progress, error: null } });
      if (reason === "none") return Response.json({ data: { ...data, status: "succeeded", error: null } });
      return Response.json({ data: { ...data, status: "failed", error: { code: reason, message: "Why." } } });
    },
  }));
  await shop.write("lang/fr/cart.php", "<?php\n\nreturn [\n    'title' => 'Votre panier',\n];\n");
});
afterEach(async () => {
  closeEditors();
  await shop.close();
});

/** Imports files as a person does. Returns the result, and the paths and fields of each upload. */
async function importFiles(paths: readonly string[], options: ImportFields = {}, quiet = false) {
  const sent = vi.spyOn(window.client, "import");
  const files = paths.map((path) => join(rootOf(shop), path));
  const result = await commands[quiet ? "run" : "ask"](importCommand, {
    files,
    overwrite: false,
    ...options,
  });
  const uploads = sent.mock.calls.map(([uploaded, fields]) => ({
    paths: uploaded.map(({ path }) => path),
    fields,
  }));
  sent.mockRestore();
  return { result, uploads };
}

/** The rows of Activity after that of the push. */
const results = () => commands.results.slice(1);
const BOTH = ["lang/fr/cart.php", "lang/nl/cart.php"];
const fields = { format: "laravel_php", overwrite: false };

describe("an import that is too large for one job", () => {
  test("is sent again by language, after a question", async () => {
    codes.push("too_many_lines");
    pickInNextList((items, { title, placeHolder }) => {
      expect(title).toMatch(/^The import has more than 50,000 lines/u);
      expect(placeHolder).toBe("Nothing was written.");
      expect(items.map(({ label, detail }) => [label, detail])).toEqual([
        ["$(split-horizontal) Import in 2 Parts", "fr, nl"],
        ["$(close) Cancel Import", undefined],
      ]);
      return items[0];
    });
    const { result, uploads } = await importFiles(BOTH);
    expect(result).toMatchObject({ outcome: "done", jobs: [{}, {}] });
    expect(uploads).toEqual([
      { paths: BOTH, fields },
      { paths: ["lang/fr/cart.php"], fields },
      { paths: ["lang/nl/cart.php"], fields },
    ]);
  });

  test("of one language is sent file by file", async () => {
    await shop.write("lang/nl/shop.php", "<?php\n\nreturn [\n    'title' => 'Winkel',\n];\n");
    codes.push("too_many_lines");
    pickInNextList("Import in 2 Parts");
    const { uploads } = await importFiles(["lang/nl/cart.php", "lang/nl/shop.php"]);
    expect(uploads.map(({ paths }) => paths)).toEqual([
      ["lang/nl/cart.php", "lang/nl/shop.php"],
      ["lang/nl/cart.php"],
      ["lang/nl/shop.php"],
    ]);
  });

  test.each(["Cancel Import", "no such answer"])("ends with why it failed after %s", async (answer) => {
    codes.push("too_many_lines");
    pickInNextList(answer);
    const { result, uploads } = await importFiles(BOTH);
    expect(result).toMatchObject({
      outcome: "failed",
      error: { code: "job_failed", reason: "too_many_lines" },
    });
    expect(uploads).toHaveLength(1);
    // Its job has a row of its own.
    expect(results()).toEqual([]);
  });

  test("is not divided where nobody can be asked, or where there is one file", async () => {
    for (const quiet of [true, false]) {
      codes.push("too_many_lines");
      const paths = quiet ? BOTH : ["lang/nl/cart.php"];
      const { result, uploads } = await importFiles(paths, {}, quiet);
      expect(result).toMatchObject({ outcome: "failed", error: { code: "job_failed" } });
      expect(uploads).toHaveLength(1);
    }
  });

  test("that fails in its second part says what was imported", async () => {
    codes.push("too_many_lines", null, "no_idea");
    pickInNextList("Import in 2 Parts");
    const { result } = await importFiles(BOTH);
    expect(result).toMatchObject({
      outcome: "failed",
      error: {
        code: "job_failed",
        reason: "no_idea",
        message: expect.stringContaining("Imported lang/fr/cart.php"),
      },
      jobs: [{ status: "succeeded" }],
    });
    expect(results().map(({ kind }) => kind)).toEqual(["partly"]);
  });
});

test("a file that is refused is not said to be the first one after another was imported", async () => {
  codes.push("refused");
  const first = await importFiles(["lang/nl/cart.php"]);
  expect(first.result).toMatchObject({
    error: { message: expect.stringMatching(/^Nothing was imported\. The service refused this: lang\/nl/u) },
  });
  // It has no job, and so no other row.
  expect(results()).toMatchObject([{ kind: "failed" }]);
  codes.push("too_many_lines", null, "refused");
  pickInNextList("Import in 2 Parts");
  const { result } = await importFiles(BOTH);
  expect(result).toMatchObject({ outcome: "failed", jobs: [{ status: "succeeded" }] });
  expect(JSON.stringify(result)).not.toContain("Nothing was imported");
});

test("spreadsheets that may only create keys are sent by themselves, and the other files together", async () => {
  codes.push("keys_only_mixed", "none", "none", "none");
  pickInNextList("Import in 3 Parts");
  const [one, two, ...others] = ["sheets/a.csv", "sheets/b.csv", "texts/fr.json", "texts/nl.json"];
  const all = [one, two, ...others].flatMap((path) => path ?? []);
  for (const path of all) await shop.write(path, path.endsWith("csv") ? "key,nl\na,A\n" : `{ "a": "A" }\n`);
  const { uploads } = await importFiles(all);
  expect(uploads.map(({ paths }) => paths)).toEqual([all, [one], [two], others]);
});

test("an import that is no longer followed ends, and says that it goes on at the service", async () => {
  codes.push("running");
  const imported = importFiles(["lang/nl/cart.php"]);
  await waitUntil(() => window.project.jobs.length > 0);
  const { jobs = [] } = (await commands.run(listJobsCommand, {})) as { readonly jobs?: readonly Job[] };
  expect(jobs).toMatchObject([{ type: "import", status: expect.stringMatching(/^(?:queued|running)$/u) }]);
  expect(await commands.run(stopWatchingJobCommand, {})).toEqual({ outcome: "cancelled" });
  expect(await commands.run(stopWatchingJobCommand, { job: jobs[0]?.id ?? 0 })).toEqual({ outcome: "done" });
  expect((await imported).result).toMatchObject({ outcome: "cancelled", jobs: [{ id: jobs[0]?.id }] });
  expect(messages.at(-1)?.text).toBe("The import continues on the service. You can follow it in Activity.");
  expect(await commands.run(listJobsCommand, {})).toMatchObject({ jobs: [{ id: jobs[0]?.id }] });
});

test("an import is made as it was asked for, also when it is made again without new keys", async () => {
  codes.push("key_limit_reached");
  const given = { locale: "nl", namespace: "shop", tag: "spring", overwrite: true };
  const { result, uploads } = await importFiles(["lang/nl/cart.php"], given, true);
  expect(result).toMatchObject({ error: { code: "job_failed", reason: "key_limit_reached" } });
  expect(uploads.map((upload) => upload.fields)).toEqual([expect.objectContaining(given)]);
  const [again, ...others] = commands.offered;
  expect([again?.label, others]).toEqual(["Import Without New Keys", []]);
  const sent = vi.spyOn(window.client, "import");
  await again?.act();
  await waitUntil(() => sent.mock.calls.length > 0);
  expect(sent.mock.lastCall?.[1]).toMatchObject({ ...given, createUnknownKeys: false });
  await waitUntil(() => window.project.jobs.every(({ job }) => job.status !== "running"));
});

test("an import that is cancelled before anything was sent is no failure", async () => {
  pickInNextList((items) => {
    commands.cancel();
    return items[0];
  });
  const files = [join(rootOf(shop), "lang/nl/cart.php")];
  expect(await commands.ask(importCommand, { files })).toEqual({ outcome: "cancelled" });
  expect(results()).toEqual([]);
});

test("the progress of an import is that of its own job, as long as that is followed", async () => {
  await importFiles(["lang/fr/cart.php"]);
  const before = commands.progress.length;
  const said = () => commands.progress.slice(before);
  // The first one may change again.
  onUpload = () => window.project.setJobs([...window.project.jobs]);
  codes.push("running");
  const imported = importFiles(["lang/nl/cart.php"]);
  const importing = "The service imports lang/nl/cart.php";
  await waitUntil(() => said().includes(`${importing}: 25 %`));
  const [, ...others] = new Set(said());
  expect(others.filter((text) => !/^Uploading lang\/nl\/cart\.php: \d+ %$/u.test(text))).toEqual([
    importing,
    `${importing}: 25 %`,
  ]);
  const [followed] = window.project.jobs;
  const { id = 0 } = followed?.job ?? {};
  failing.set(id, "lost");
  await waitUntil(() => said().at(-1)?.startsWith(`${importing}. Its progress is not known: `));
  const { length } = said();
  // An export that somebody pulls meanwhile.
  const exported = window.project.jobs.map((each) => ({ ...each, kind: "export" as const }));
  window.project.setJobs(exported);
  expect(said()).toHaveLength(length);
  failing.set(id, "none");
  expect((await imported).result).toMatchObject({ outcome: "done" });
  const ended = said();
  window.project.setJobs([...window.project.jobs]);
  expect(said()).toEqual(ended);
});

describe("what is imported", () => {
  const nl = () => Uri.file(join(rootOf(shop), "lang/nl/cart.php"));
  const labels = (items: readonly { readonly label: string; readonly description?: string }[]) =>
    items.map(({ label, description }) => [label, description]);

  test("is chosen among the translation files of the project", async () => {
    const sent = vi.spyOn(window.client, "import");
    pickInNextList((items) => {
      expect(labels(items)).toEqual([
        ["$(files) Translation Files of This Project…", "2 files"],
        ["$(diff-added) Only Local Translations That Are Not on the Service…", undefined],
        ["$(file) Choose Files…", undefined],
        ["$(folder) Choose a Folder…", undefined],
      ]);
      return items[0];
    });
    pickInNextList((items) => {
      expect(labels(items)).toEqual([
        ["lang/fr/cart.php", "fr · 1 text"],
        ["lang/nl/cart.php", expect.stringMatching(/^nl · \d texts$/u)],
      ]);
      return items.slice(0, 1);
    });
    pickInNextList("Keep Existing Translations");
    expect(await commands.ask(importCommand, {})).toMatchObject({ outcome: "done" });
    expect(sent.mock.calls.map(([uploaded]) => uploaded.map(({ path }) => path))).toEqual([
      ["lang/fr/cart.php"],
    ]);
    sent.mockRestore();
    expect(messages.at(-1)?.text).toMatch(/^Imported lang\/fr\/cart\.php into Test\b/u);
    pickInNextList("Translation Files");
    pickInNextList(() => []);
    expect(await commands.ask(importCommand, {})).toEqual({ outcome: "cancelled" });
  });

  test("is also a file that has the source texts beside translations, but not one without any", async () => {
    await shop.write("sheets/shop.csv", "key,en,nl\nname,Shop,Winkel\n");
    await shop.write("sheets/other.csv", "key,en\nname,Other\n");
    const file = { files: [{ path: "sheets/{namespace}.csv", format: "csv" as const }] };
    const other = await shop.open("two", { file });
    await other.refresher.refresh();
    const runner = createCommandRunner(other, rootOf(shop), [registerImport]);
    pickInNextList((items) => {
      expect(labels(items)[0]).toEqual(["$(files) Translation Files of This Project…", "1 file"]);
      return undefined;
    });
    expect(await runner.ask(importCommand, {})).toEqual({ outcome: "cancelled" });
  });

  test("is only what the service does not have, in a preview", async () => {
    const run = vi.spyOn(commands.app, "run");
    pickInNextList("Only Local Translations");
    answerNextList((preview) => {
      expect(preview.title).toMatch(/local translations are not on the service$/u);
      preview.hide();
    });
    expect(await commands.ask(importCommand, {})).toEqual({ outcome: "cancelled" });
    // Of the same project, if there are several.
    expect(run.mock.lastCall).toEqual([importLocalCommand, { folder: commands.open.root }]);
  });

  test("is a file or a folder that is chosen elsewhere, or nothing", async () => {
    const choose = vi.spyOn(shownWindow, "showOpenDialog");
    for (const [answer, isFolder] of [
      ["Choose Files…", false],
      ["Choose a Folder…", true],
    ] as const) {
      pickInNextList(answer);
      expect(await commands.ask(importCommand, {})).toEqual({ outcome: "cancelled" });
      const [options] = choose.mock.lastCall as unknown as [object];
      expect(options).toMatchObject({
        canSelectFiles: !isFolder,
        canSelectFolders: isFolder,
        canSelectMany: true,
      });
    }
    choose.mockResolvedValueOnce([nl()]);
    pickInNextList("Choose Files…");
    pickInNextList("Keep Existing Translations");
    expect(await commands.ask(importCommand, {})).toMatchObject({ outcome: "done", jobs: [{}] });
    choose.mockRestore();
    // Without a person, nothing is imported that was not named.
    expect(await commands.run(importCommand, {})).toMatchObject({ outcome: "failed" });
  });
});

describe("what may mend a failure", () => {
  const files = ["lang/nl.json", "texts.zip"].map((path) => ({
    path,
    file: `/app/${path}`,
    target: null,
    bytes: new Uint8Array(),
  }));
  const given = { locale: "nl", overwrite: true, createUnknownKeys: true };
  const remedy = (code: string | undefined, of = files) =>
    remedyFor(commands.app, code, commands.open, of, given);

  test("is the same import without new keys, or once more", () => {
    const run = vi.spyOn(commands.app, "run").mockResolvedValue({ outcome: "done" });
    for (const [code, label, more] of [
      ["key_limit_reached", "Import Without New Keys", { createUnknownKeys: false }],
      ["needs_mapping", "Try Again", {}],
    ] as const) {
      const step = remedy(code);
      expect(step?.label).toBe(label);
      void step?.act();
      const [command, options] = run.mock.lastCall ?? [];
      expect(command).toBe(importCommand);
      const { files: again, ...others } = options as { readonly files: readonly Uri[] };
      expect(again.map(({ path }) => path)).toEqual(["/app/lang/nl.json", "/app/texts.zip"]);
      expect(others).toEqual({ folder: commands.open.root, ...given, ...more });
    }
  });

  test("is to look at the zip that leaves its folder, and nothing where nothing helps", async () => {
    await remedy("zip_slip")?.act();
    const [command, uri] = builtInCommands.at(-1) ?? [];
    expect([command, (uri as Uri).path]).toEqual(["revealInExplorer", "/app/texts.zip"]);
    expect(remedy("zip_slip", files.slice(0, 1))).toBeUndefined();
    expect(remedy("no_idea")).toBeUndefined();
    expect(remedy(undefined)).toBeUndefined();
  });

  test("is to open a file that was refused, which is chosen among several", async () => {
    const refused = (...paths: readonly string[]) =>
      openRefusedFile(
        paths.map((path) => ({ path, messages: ["Not a text."] })),
        files,
      );
    const opened = () => (builtInCommands.at(-1) as readonly [string, Uri])[1].path;
    const one = refused("texts.zip");
    expect(one.label).toBe("Open File");
    await one.act();
    expect(opened()).toBe("/app/texts.zip");
    const two = refused("texts.zip", "lang/nl.json");
    expect(two.label).toBe("Show Files");
    pickInNextList((items) => {
      expect(items.map(({ label, detail }) => [label, detail])).toEqual([
        ["$(file) texts.zip", "texts.zip: Not a text."],
        ["$(file) lang/nl.json", "lang/nl.json: Not a text."],
      ]);
      return items[1];
    });
    await two.act();
    expect(opened()).toBe("/app/lang/nl.json");
    const before = builtInCommands.length;
    pickInNextList("no such answer");
    await two.act();
    expect(builtInCommands.length).toBe(before);
  });
});

describe("an import that ends while nobody waits for it", () => {
  const job = (changes: object) =>
    ({
      id: 1,
      type: "import",
      status: "succeeded",
      progress: null,
      result: null,
      error: null,
      ...changes,
    }) as Job;
  const purpose = { kind: "import" as const, subject: ["lang/nl/cart.php"] };
  const failed = job({ status: "failed", error: { code: "no_idea", message: "Why." } });
  const shown = () => messages.splice(0).map(({ kind, text }) => `${kind}: ${text}`);

  test("says what was imported, or why it was not", () => {
    messages.length = 0;
    commands.endJob({ kind: "ended", job: job({}), purpose });
    expect(shown()).toEqual(["information: Imported lang/nl/cart.php into Test."]);
    commands.endJob({ kind: "ended", job: failed, purpose });
    expect(shown()).toEqual(["warning: The import failed: Why."]);
    // Both have a row of their own; a job that is gone has none.
    expect(results()).toEqual([]);
    commands.endJob({ kind: "vanished", job: job({}), purpose });
    expect(shown()).toEqual([
      "warning: The service no longer knows this import. Check the project on the service’s website.",
    ]);
    expect(results()).toMatchObject([{ kind: "failed" }]);
  });

  test("says nothing if it was begun without prompts, and of an export somebody else does", () => {
    messages.length = 0;
    for (const end of [job({}), failed])
      commands.endJob({ kind: "ended", job: end, purpose: { ...purpose, quiet: true } });
    commands.endJob({ kind: "ended", job: job({}), purpose: { ...purpose, kind: "export" } });
    expect(shown()).toEqual([]);
  });

  test("is read from the service", async () => {
    const refreshed = vi.spyOn(window.refresher, "refresh");
    // The push refreshes in the background, too.
    const isAsked = () => refreshed.mock.calls.some(([options]) => options?.priority === "person");
    commands.endJob({ kind: "ended", job: job({}), purpose });
    await waitUntil(isAsked);
    refreshed.mockClear();
    expect((await importFiles(["lang/nl/cart.php"])).result).toMatchObject({ outcome: "done" });
    await waitUntil(isAsked);
  });
});
