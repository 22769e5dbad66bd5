/** `push` and `pull` on the command line, against a real local service. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keyHash } from "../../../src/model/key-hash.ts";
import { FaultProxy, type ProxiedRequest } from "../support/fault-proxy.ts";
import { FIXTURE_PROJECT_FILE } from "../support/fixture-project.ts";
import {
  openSignedInProgram,
  PROJECT_FILE,
  refuse,
  type SignedInProgram,
  translateAtService,
} from "../support/signed-in-program.ts";

let program: SignedInProgram;
let shop: SignedInProgram["shop"];
let proxy: SignedInProgram["proxy"];
let app: string;
let run: SignedInProgram["run"];
let start: SignedInProgram["start"];
beforeEach(async () => {
  program = await openSignedInProgram();
  ({ shop, proxy, app, run, start } = program);
});
afterEach(() => program.close());

const isExport = ({ path }: ProxiedRequest): boolean => path.startsWith("/exports/");

describe("push", () => {
  test("shows the plan, sends it with --yes, and then has nothing to do", async () => {
    const planned = await run(["push", app, "--dry-run"]);
    expect(planned.stderr).toBe("");
    expect(planned.stdout).toContain("Push to Shop: 6 new\nNew: 6\n  + Log out · Log out\n");
    expect(planned.status).toBe(1);
    const json = await run(["push", app, "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: "done", plan: { new: 6, changed: 0 } });
    const done = await run(["push", app, "--yes"]);
    expect(done).toEqual({ status: 0, stdout: "Pushed to Shop: 6 created.\n", stderr: "" });
    const again = await run(["push", app, "--yes", "--language", "nl"]);
    expect(again.stdout).toContain("Niets te versturen");
    expect(again.status).toBe(0);
    expect(readdirSync(app).toSorted()).toEqual(["lang", PROJECT_FILE]);
  });

  test("names what the service refused, and what could not be read, and is then not done", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/en.json", `{ "Log out": "Log out", "Save & close": `);
    await shop.edit("lang/en/cart.php", "'Your cart'", "'Our cart'");
    const rejected = [
      { hash: keyHash({ namespace: "cart", key: "title", context: null }), reason: "plural_changed" },
    ];
    const refused = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected };
    proxy.fault = ({ path }) =>
      path === "/keys/sync"
        ? (exchange) =>
            exchange.answer({
              status: 200,
              headers: { "content-type": "application/json" },
              body: Buffer.from(JSON.stringify({ data: refused })),
            })
        : undefined;
    const { status, stdout } = await run(["push", app, "--yes", "--json"]);
    const result = JSON.parse(stdout) as { readonly items: readonly object[]; readonly result: object };
    expect(status).toBe(1);
    expect(result).toMatchObject({
      outcome: "done",
      items: [{ file: "lang/en.json", key: "*" }],
      result: { rejected: [{ reason: "plural_changed" }] },
    });
    const lines = (await run(["push", app, "--yes"])).stdout.split("\n");
    expect(lines[0]).toBe("Pushed to Shop: 1 refused.");
    expect(lines[1]).toMatch(/^Keys were left out: lang\/en\.json:1:\d+: an error/u);
    expect(lines[2]).toMatch(/^cart\.title: it would switch between a single text and plural forms\./u);
    // Nothing else to send.
    await shop.edit("lang/en/cart.php", "'Our cart'", "'Your cart'");
    const nothing = await run(["push", app, "--yes"]);
    expect([nothing.status, nothing.stdout]).toEqual([2, ""]);
    expect(nothing.stderr).toMatch(/^Nothing was pushed\. Keys were left out: lang\/en\.json/u);
    // Only refused.
    await shop.write("lang/en.json", `{ "Log out": "Log out", "Save & close": "Save & close" }`);
    await shop.edit("lang/en/cart.php", "'Your cart'", "'Our cart'");
    const refusedAlone = await run(["push", app, "--yes"]);
    expect([refusedAlone.status, refusedAlone.stdout.split("\n")[0]]).toEqual([
      1,
      "Pushed to Shop: 1 refused.",
    ]);
  });

  test("sends nothing where the files name other keys than the service has", async () => {
    await run(["push", app, "--yes"]);
    const files = FIXTURE_PROJECT_FILE.files?.map((entry) => ({ ...entry, keyPrefix: "app." }));
    await shop.write(PROJECT_FILE, JSON.stringify({ ...FIXTURE_PROJECT_FILE, files }));
    proxy.takeLog();
    for (const how of ["--dry-run", "--yes"]) {
      const { status, stdout, stderr } = await run(["push", app, how]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^The key mapping looks wrong: the service knows 0 of 6 local keys\./u);
    }
    expect(proxy.takeLog().filter(({ path }) => path === "/keys/sync")).toEqual([]);
  });

  test("archives missing keys only when asked", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/en.json", `{ "Log out": "Log out" }`);
    expect((await run(["push", app, "--yes"])).stdout).toContain("Nothing to push");
    const planned = await run(["push", app, "--dry-run", "--archive-missing"]);
    expect(planned.stdout).toContain("Not in any local file, to be archived: 1\n  + Save & close");
    expect((await run(["push", app, "--yes", "--archive-missing"])).stdout).toContain("1 archived");
    // The archived key is in a file again, alone and with something to push: it is named, and nothing is left to do.
    const named = "Not pushed: archived on the service: 1 key.";
    await shop.write("lang/en.json", `{ "Log out": "Log out", "Save & close": "Save & close" }`);
    const alone = await run(["push", app, "--yes"]);
    expect([alone.status, alone.stdout.includes(named)]).toEqual([0, true]);
    await shop.write("lang/en.json", `{ "Log out": "Sign out", "Save & close": "Save & close" }`);
    const beside = await run(["push", app, "--yes"]);
    expect([beside.status, beside.stdout]).toEqual([0, `Pushed to Shop: 1 updated.\n${named}\n`]);
  });

  test("with a cache, leaves what somebody changed at the service", async () => {
    const cache = join(shop.folder, "cache");
    await run(["push", app, "--yes", "--cache", cache]);
    const { client } = await shop.open();
    await client.sync({ keys: [{ namespace: "cart", key: "title", value: "Your basket" }] });
    const left = await run(["push", app, "--yes", "--cache", cache]);
    expect(left.stdout).toContain("Not pushed: changed only on the service: 1 key.");
    expect(left.status).toBe(1);
    // What was agreed is kept there; the keys and texts of the service are not.
    const kept = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.includes(".db"),
    );
    expect(kept.length).toBeGreaterThan(0);
    for (const path of kept) expect(path).toContain(".personal.db");
  });
});

describe("pull", () => {
  const translate = async (): Promise<void> => {
    await run(["push", app, "--yes"]);
    await translateAtService(shop);
    await shop.write("lang/nl/cart.php", "<?php\n\nreturn [\n    'total' => 'Oud: :amount', // mine\n];\n");
  };

  test("shows the plan, and writes only what differs with --yes", async () => {
    await translate();
    const before = await shop.read("lang/nl/cart.php");
    const planned = await run(["pull", app, "--dry-run"]);
    expect(planned.stdout).toContain("lang/nl/cart.php");
    expect(planned.status).toBe(1);
    expect(await shop.read("lang/nl/cart.php")).toBe(before);
    const done = await run(["pull", app, "--yes", "--locales", "nl"]);
    expect(done.stderr).toBe("");
    expect(done.stdout).toMatch(
      /^Pulled from Shop: 3 translations in 1 file\.\n {2}~ lang\/nl\/cart\.php\n/u,
    );
    expect(await shop.read("lang/nl/cart.php")).toContain("'total' => 'Totaal: :amount', // mine");
    expect((await run(["pull", app, "--dry-run", "--locales", "nl", "--profile", "app"])).stdout).toContain(
      "Already up to date: all files match Shop.",
    );
  });

  test("Ctrl+C while it waits leaves the files as they are", async () => {
    await translate();
    const before = await shop.read("lang/nl/cart.php");
    const asked = Promise.withResolvers<void>();
    proxy.fault = (request) =>
      isExport(request)
        ? (exchange) => {
            exchange.hang();
            asked.resolve();
          }
        : undefined;
    const pulling = start(["pull", app, "--yes"]);
    await asked.promise;
    pulling.interrupt();
    const { status, stdout, stderr } = await pulling.ended;
    expect([status, stdout, stderr]).toEqual([2, "", "Cancelled. Nothing was written.\n"]);
    expect(await shop.read("lang/nl/cart.php")).toBe(before);
    expect(readdirSync(join(app, "lang/nl"))).toEqual(["cart.php"]);
  });

  test("completes what a killed pull had begun to write, if there is a cache", async () => {
    await run(["push", app, "--yes"]);
    const cache = join(shop.folder, "cache");
    const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
    const before = await shop.read("lang/nl/cart.php");
    const [replaced, staged] = ["<?php return ['title' => 'A'];\n", "<?php return ['title' => 'B'];\n"];
    const files = [
      { path: "lang/nl/cart.php", now: replaced, before, after: replaced },
      { path: "lang/nl/extra.php", now: before, before, after: staged },
    ];
    for (const { path, now } of files) await shop.write(path, now);
    const beside = join(app, "lang/nl/extra.php.staged");
    writeFileSync(beside, staged);
    const ended = spawnSync(process.execPath, ["--eval", ""]).pid;
    const journal = join(cache, "writing", createHash("sha1").update(app).digest("hex"));
    mkdirSync(journal, { recursive: true });
    const entries = files.map((file, index) => ({
      path: join(app, file.path),
      beside: index === 1 ? beside : join(app, "none"),
      before: digest(file.before),
      after: digest(file.after),
    }));
    writeFileSync(join(journal, "a.json"), JSON.stringify({ pid: ended, files: entries }));
    await run(["pull", app, "--dry-run", "--cache", cache]);
    expect(await shop.read("lang/nl/extra.php")).toBe(before);
    await run(["pull", app, "--yes", "--cache", cache]);
    expect(await shop.read("lang/nl/extra.php")).toBe(staged);
    expect(readdirSync(join(app, "lang/nl")).toSorted()).toEqual(["cart.php", "extra.php"]);
    expect(readdirSync(journal)).toEqual([]);
  });

  test("needs the name of the export format where the project has several, or none", async () => {
    await translate();
    const { client } = await shop.open();
    const project = await client.project();
    const [first] = project.exportProfiles;
    const answer = (exportProfiles: readonly unknown[]): void => {
      const body = Buffer.from(JSON.stringify({ data: { ...project, exportProfiles } }));
      proxy.fault = ({ path }) =>
        path === "/project"
          ? (exchange) =>
              exchange.answer({ status: 200, headers: { "content-type": "application/json" }, body })
          : undefined;
    };
    for (const profiles of [[first, { ...first, key: "other" }], []]) {
      answer(profiles);
      const { status, stdout, stderr } = await run(["pull", app, "--dry-run"]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("pull.profile");
    }
    expect((await run(["pull", app, "--dry-run", "--profile", "app"])).status).toBe(1);
  });

  test("names an export format that the service does not have", async () => {
    const { status, stderr } = await run(["pull", app, "--dry-run", "--profile", "nowhere"]);
    expect([status, stderr]).toEqual([
      2,
      "Shop has no export format “nowhere”. Set “pull.profile” in project-translations.json, or the option “profile”.\n",
    ]);
  });

  test("again compares files that were checked out since, although the service has nothing new", async () => {
    await translate();
    const cache = join(shop.folder, "cache");
    const before = await shop.read("lang/nl/cart.php");
    const pulling = ["pull", app, "--yes", "--locales", "nl", "--cache", cache];
    await run(pulling);
    const pulled = await shop.read("lang/nl/cart.php");
    expect(pulled).not.toBe(before);
    await shop.write("lang/nl/cart.php", pulled.replace("Je mandje", "Jouw mandje"));
    // Only the file changed: it is left, named, and something to do.
    const left = await run(pulling);
    expect([left.status, left.stderr]).toEqual([1, ""]);
    expect(left.stdout).toBe(
      "Nothing new to pull from Shop. Left as they are in your files: 1 translation changed only in your files.\nlang/nl/cart.php: cart.title (nl) was changed only in the file. here: Jouw mandje ↔ service: Je mandje\n",
    );
    const json: unknown = JSON.parse((await run([...pulling, "--json"])).stdout);
    expect(json).toEqual({
      outcome: "unchanged",
      items: [expect.objectContaining({ key: "title", locale: "nl", file: "lang/nl/cart.php" })],
      files: [{ path: "lang/nl/cart.php", change: "unchanged" }],
    });
    const planned = await run(pulling.with(2, "--dry-run"));
    expect(planned.status).toBe(1);
    expect(planned.stdout).toMatch(
      /^Nothing new to pull from Shop\. .*\nChanged only in your files: 1\n {2}- cart\.title · nl · /u,
    );
    // And then both changed.
    await translateAtService(shop, { title: "Hun mandje", total: "Samen: :amount" });
    const both = await run(pulling);
    expect([both.status, both.stdout.split("\n").slice(0, 2)]).toEqual([
      1,
      [
        "Pulled from Shop: 1 translation in 1 file. Left as they are in your files: 1 text changed on both sides.",
        "  ~ lang/nl/cart.php",
      ],
    ]);
    const conflict = await run([...pulling, "--json"]);
    expect(JSON.parse(conflict.stdout)).toMatchObject({ outcome: "conflict", items: [{ key: "title" }] });
    expect(await shop.read("lang/nl/cart.php")).toContain("Jouw mandje");
  });

  test("creates files that the export has and the folder has not, and says so", async () => {
    await translate();
    await shop.remove("lang/nl/cart.php");
    const { status, stdout } = await run(["pull", app, "--yes", "--locales", "nl"]);
    expect([status, stdout]).toEqual([
      0,
      "Pulled from Shop: 3 translations in 1 file.\n  + lang/nl/cart.php\n",
    ]);
  });

  test("takes the export format and what is missing from the options, else from the project file", async () => {
    await translate();
    const asked = async (args: readonly string[], file: object): Promise<readonly string[]> => {
      await shop.write(PROJECT_FILE, JSON.stringify({ ...FIXTURE_PROJECT_FILE, pull: file }));
      const found: string[] = [];
      proxy.fault = (request) => {
        if (isExport(request)) found.push(`${request.path} ${request.query.get("missing") ?? ""}`);
        return undefined;
      };
      await run(["pull", app, "--dry-run", ...args]);
      return found;
    };
    expect(await asked([], {})).toEqual(["/exports/app "]);
    expect(await asked([], { profile: "other", missing: "empty" })).toEqual(["/exports/other empty"]);
    expect(
      await asked(["--profile", "app", "--missing", "omit"], { profile: "other", missing: "empty" }),
    ).toEqual(["/exports/app omit"]);
  });

  test("fails if what the service sent cannot be applied, with what and why", async () => {
    await translate();
    await shop.write("lang/nl/cart.php", "<?php return ['title' => 'Open");
    const failed = await run(["pull", app, "--yes", "--locales", "nl", "--json"]);
    expect([failed.status, JSON.parse(failed.stdout)]).toMatchObject([
      2,
      {
        outcome: "failed",
        error: { code: "invalid", reason: "not_applied", items: [{ file: "lang/nl/cart.php", key: "" }] },
      },
    ]);
    expect(failed.stderr).toMatch(/^Nothing was pulled\. lang\/nl\/cart\.php:\d+:\d+ has an error\./u);
    const planned = await run(["pull", app, "--dry-run", "--locales", "nl"]);
    expect(planned.status).toBe(1);
    expect(planned.stdout).toMatch(
      /lang\/nl\/cart\.php:\d+:\d+ has an error\. Fix it, then pull again\.\n$/u,
    );
  });

  test("Ctrl+C is told to programs, too", async () => {
    await translate();
    const stop = new AbortController();
    proxy.fault = (request) => {
      if (isExport(request)) stop.abort();
      return undefined;
    };
    const { status, stdout, stderr } = await run(["pull", app, "--yes", "--json"], {}, stop.signal);
    expect([status, JSON.parse(stdout), stderr]).toEqual([
      2,
      { outcome: "cancelled", message: "Cancelled. Nothing was written." },
      "Cancelled. Nothing was written.\n",
    ]);
  });

  test("waits as long as the service asks for", async () => {
    await translate();
    let refused = 0;
    proxy.fault = (request) =>
      isExport(request) && refused++ === 0 ? refuse(429, { "retry-after": "1" }) : undefined;
    const { status } = await run(["pull", app, "--yes", "--locales", "nl"]);
    expect([status, refused]).toEqual([0, 2]);
  });
});

describe("Ctrl+C during a push", () => {
  /** Interrupts a push while its request of this number has no answer. @param changing that of one that is refused */
  const interruptAt = async (request: number, changing?: number) => {
    const asked = Promise.withResolvers<void>();
    const interrupted = Promise.withResolvers<void>();
    let count = 0;
    proxy.fault = ({ method, path }) => {
      if (method !== "POST" || path !== "/keys/sync") return undefined;
      if (++count === changing) return refuse(409, {}, { reason: "source_language_change" });
      if (count !== request) return undefined;
      return async (exchange) => {
        asked.resolve();
        await interrupted.promise;
        exchange.reset();
      };
    };
    const pushing = start(["push", app, "--yes", "--json"]);
    await asked.promise;
    pushing.interrupt();
    interrupted.resolve();
    const { status, stdout, stderr } = await pushing.ended;
    return { status, stderr, said: JSON.parse(stdout) as Record<string, unknown> };
  };

  test("names the keys whose request had no answer, and what is sent in none", async () => {
    const { status, stderr, said } = await interruptAt(1);
    const { outcome, message, plan, result, items } = said;
    expect([status, outcome, plan]).toMatchObject([2, "cancelled", { new: 6 }]);
    expect(result).toMatchObject({ created: 0, rejected: [] });
    expect(items).toHaveLength(6);
    expect(items).toContainEqual({
      namespace: "*",
      key: "Log out",
      context: null,
      file: "lang/en.json",
      field: "value",
      messages: ["Not sent, or not confirmed by the service."],
    });
    expect(message).toMatch(/Not done, or not confirmed: 6\..*so it may have been written/u);
    expect(stderr.trim()).toBe(message);
  });

  test.each([
    ["in earlier requests", 2, undefined],
    ["before the source language changed", 3, 2],
  ])("tells what was sent %s from what was not", async (_, request, changing) => {
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`many ${at}`, `Text ${at}`]));
    await shop.write("lang/en.json", JSON.stringify(many));
    const { said } = await interruptAt(request, changing);
    const planned = changing === undefined ? 5_005 : 5;
    expect(said).toMatchObject({ outcome: "cancelled", plan: { new: planned }, result: { created: 5_000 } });
    expect(said["items"]).toHaveLength(5);
  });
});

test("a push that fails after the source language changed tells what was stored before", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`many ${at}`, `Text ${at}`]));
  await shop.write("lang/en.json", JSON.stringify(many));
  let count = 0;
  proxy.fault = ({ method, path }) => {
    if (method !== "POST" || path !== "/keys/sync") return undefined;
    count += 1;
    if (count === 2) return refuse(409, {}, { reason: "source_language_change" });
    return count > 2 ? refuse(403) : undefined;
  };
  const { status, stdout, stderr } = await run(["push", app, "--yes", "--json"]);
  expect([status, JSON.parse(stdout)]).toMatchObject([
    2,
    { outcome: "failed", error: { code: "forbidden" }, result: { created: 5_000 } },
  ]);
  expect(stderr).toContain(
    "5,000 created. The other keys were not sent, or the service has not confirmed them.",
  );
});

describe("nothing is sent", () => {
  test("without --yes or --dry-run, or with wrong options", async () => {
    const wrong = [
      ["push", app],
      ["pull", app, "--yes", "--dry-run"],
      ["push", app, "--yes", "--token", "x"],
      ["push", app, app, "--yes"],
      ["import", "--yes"],
      ["import", join(app, "lang/en.json"), "--project", app, "--yes", "--format", "docx"],
      ["push", join(app, "nowhere"), "--yes"],
    ];
    for (const args of wrong) {
      const { status, stdout, stderr } = await run(args);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`project-translations ${args[0]}`);
    }
    expect(proxy.takeLog()).toEqual([]);
  });

  test("without a token or the address that it is for", async () => {
    for (const name of ["PROJECT_TRANSLATIONS_TOKEN", "PROJECT_TRANSLATIONS_URL"]) {
      const { status, stderr } = await run(["push", app, "--yes"], { [name]: undefined });
      expect(status).toBe(2);
      expect(stderr).toContain(name);
    }
    expect(proxy.takeLog()).toEqual([]);
  });

  test("to another origin that the project file names", async () => {
    const other = await FaultProxy.open(shop.service.baseUrl);
    try {
      await shop.write(PROJECT_FILE, JSON.stringify({ ...FIXTURE_PROJECT_FILE, baseUrl: other.baseUrl }));
      for (const args of [
        ["push", app, "--yes"],
        ["pull", app, "--dry-run"],
        ["status", app],
      ]) {
        const { status, stderr } = await run(args);
        expect(status).toBe(2);
        expect(stderr).toContain(new URL(other.baseUrl).origin);
      }
      expect([...other.takeLog(), ...proxy.takeLog()]).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("by a token that may only read, or that is refused", async () => {
    const readOnly = await run(["push", app, "--yes"], {
      PROJECT_TRANSLATIONS_TOKEN: shop.service.readToken,
    });
    expect(readOnly.status).toBe(2);
    expect(readOnly.stderr).toContain("The token for Shop is read-only.");
    const mayRead = { PROJECT_TRANSLATIONS_TOKEN: shop.service.readToken };
    const upload = await run(["import", join(app, "lang/nl"), "--project", app, "--yes"], mayRead);
    expect([upload.status, upload.stderr]).toEqual([2, readOnly.stderr]);
    // A pull only reads there.
    const pulled = await run(["pull", app, "--yes", "--locales", "nl"], mayRead);
    expect([pulled.status, pulled.stderr]).toEqual([0, ""]);
    const unknown = await run(["push", app, "--yes"], {
      PROJECT_TRANSLATIONS_TOKEN: "pts_unknown_token_123",
    });
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toBe(
      "The service does not accept the token. Set the environment variable PROJECT_TRANSLATIONS_TOKEN to another one.\n",
    );
    expect(unknown.stderr).not.toContain("pts_unknown");
    proxy.fault = () => refuse(403);
    const archived = await run(["pull", app, "--yes"]);
    expect(archived.status).toBe(2);
    expect(archived.stderr).toContain("The project is archived");
    const writes = proxy.takeLog().filter(({ method, path }) => method !== "GET" && path !== "/keys/diff");
    expect(writes).toEqual([]);
  });

  test("for a project file that cannot be read completely", async () => {
    await shop.write(PROJECT_FILE, `{ "files": [{ "path": "../x.json" }] }`);
    const { status, stderr } = await run(["push", app, "--yes"]);
    expect(status).toBe(2);
    expect(stderr).toContain("project-translations.json: files.0.path");
    expect(proxy.takeLog()).toEqual([]);
  });
});

test("does not write outside of the project", async () => {
  await run(["push", app, "--yes"]);
  await translateAtService(shop);
  rmSync(join(app, "lang/nl"), { recursive: true });
  await shop.write(PROJECT_FILE, JSON.stringify({ ...FIXTURE_PROJECT_FILE, pull: { into: ".github" } }));
  const { status } = await run(["pull", app, "--yes"]);
  expect(status).toBe(2);
  expect(existsSync(join(app, ".github"))).toBe(false);
});
