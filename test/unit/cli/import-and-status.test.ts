/** `import` and `status` on the command line, against a real local service. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSignedInProgram, refuse, type SignedInProgram } from "../support/signed-in-program.ts";

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

describe("import", () => {
  test("that is refused after a part of it was imported says so, and does not say that nothing was", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/nl.json", `{ "Log out": "Afmelden" }`);
    const files = ["lang/nl/cart.php", "lang/nl.json"].map((path) => join(app, path));
    const refused = refuse(422, {}, { errors: { "files.0": ["Is empty."] } });
    let uploads = 0;
    let refuses = 2;
    proxy.fault = ({ method, path }) =>
      method === "POST" && path === "/imports" && ++uploads === refuses ? refused : undefined;
    const { status, stderr } = await run(["import", ...files, "--project", app, "--yes"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^Imported .+ into Shop.* Not done: 1\. The service refused this: lang\/nl\/cart\.php: Is empty\. /u,
    );
    // And then the first one is.
    [uploads, refuses] = [0, 1];
    const first = await run(["import", ...files, "--project", app, "--yes"]);
    expect([first.status, first.stdout]).toEqual([2, ""]);
    expect(first.stderr).toMatch(
      /^Nothing was imported\. The service refused this: lang\/nl\.json: Is empty\. /u,
    );
  });

  test("shows the uploads, and says what was done before a failure", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/nl.json", `{ "Log out": "Afmelden" }`);
    const files = ["lang/nl/cart.php", "lang/nl.json"].map((path) => join(app, path));
    proxy.takeLog();
    const planned = await run(["import", ...files, "--project", app, "--dry-run"]);
    expect(planned.stdout).toContain("  lang/nl/cart.php");
    expect(proxy.takeLog().filter(({ path }) => path === "/imports")).toEqual([]);
    let uploads = 0;
    proxy.fault = ({ method, path }) =>
      method === "POST" && path === "/imports" && ++uploads === 2 ? refuse(403) : undefined;
    const { status, stdout, stderr } = await run(["import", ...files, "--project", app, "--yes", "--json"]);
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "failed", job: {}, error: { code: "forbidden" } });
    expect(stderr).toMatch(/^Imported .+ into Shop.*Not done: 1\./u);
  });

  test("has an upload for each format and namespace, whose files and fields the plan says", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/nl.json", `{ "Log out": "Afmelden" }`);
    await shop.write("lang/fr/cart.php", "<?php\n\nreturn ['title' => 'Votre panier'];\n");
    const importing = [
      "import",
      join(app, "lang/nl"),
      join(app, "lang/fr"),
      join(app, "lang/nl.json"),
      "--project",
      app,
    ];
    const planned = await run([...importing, "--dry-run"]);
    expect([planned.status, planned.stdout]).toEqual([
      1,
      "2 files · laravel_php\n  lang/fr/cart.php\n  lang/nl/cart.php\n1 file · laravel_json\n  lang/nl.json\n",
    ]);
    const json = await run([...importing, "--dry-run", "--json", "--no-overwrite", "--namespace", "shop"]);
    const fields = { overwrite: false, namespace: "shop" };
    expect(JSON.parse(json.stdout)).toEqual({
      outcome: "done",
      uploads: [
        { files: ["lang/fr/cart.php", "lang/nl/cart.php"], fields: { format: "laravel_php", ...fields } },
        { files: ["lang/nl.json"], fields: { format: "laravel_json", ...fields } },
      ],
    });
    const done = await run([...importing, "--yes"]);
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toMatch(/^Imported 3 files into Shop(?:: [^\n]+)?\.\n$/u);
    const again = await run([...importing, "--yes", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "done", job: {}, jobs: [{}, {}] });
  });

  test("that is stopped while a job runs says what was imported, what goes on and what was not sent", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/nl.json", `{ "Log out": "Afmelden" }`);
    const stop = new AbortController();
    proxy.fault = ({ path }) => {
      if (!path.startsWith("/jobs/")) return undefined;
      stop.abort();
      return (exchange) => exchange.hang();
    };
    const files = ["lang/nl/cart.php", "lang/nl.json"].map((path) => join(app, path));
    const importing = ["import", ...files, "--project", app, "--yes", "--json"];
    const { status, stdout, stderr } = await run(importing, {}, stop.signal);
    expect([status, stderr]).toEqual([
      2,
      "The import continues on the service. Not sent: lang/nl/cart.php.\n",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "cancelled", job: {}, jobs: [{}] });
  });

  test("Ctrl+C while the service does not answer an upload says what may happen, and ends", async () => {
    await run(["push", app, "--yes"]);
    await shop.write("lang/nl.json", `{ "Log out": "Afmelden" }`);
    const asked = Promise.withResolvers<void>();
    proxy.fault = ({ method, path }) =>
      method === "POST" && path === "/imports"
        ? (exchange) => {
            exchange.hang();
            asked.resolve();
          }
        : undefined;
    const importing = start(["import", join(app, "lang/nl.json"), "--project", app, "--yes"]);
    await asked.promise;
    importing.interrupt();
    // The proxy answers nothing before the test ends.
    const { status, stdout, stderr } = await importing.ended;
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^(?:Before you cancelled, lang\/nl\.json had been sent|Cancelled)/u);
    expect(stderr).not.toContain("Activity");
  });

  test("refuses what it cannot tell the language of", async () => {
    await shop.write("texts.json", `{ "a": "b" }`);
    const { status, stderr } = await run(["import", join(app, "texts.json"), "--project", app, "--dry-run"]);
    expect(status).toBe(2);
    expect(stderr).toContain("What language is texts.json?");
  });
});

test("status is that of the service if there is a token, else that of the files", async () => {
  await run(["push", app, "--yes"]);
  const ofService = await run(["status", app]);
  expect(ofService.stdout).toMatch(
    /^Shop · From the service\.\n.*source, 6 keys · just now\n.*Nederlands \(nl\) · 0%\n.*Français \(fr\) · 0%\n$/u,
  );
  const ofFiles = await run(["status", app, "--json"], { PROJECT_TRANSLATIONS_TOKEN: undefined });
  expect(JSON.parse(ofFiles.stdout)).toMatchObject({
    projects: [{ of: "files", languages: [{ totalKeys: 7 }, {}] }],
  });
});

test("status counts QA errors and warnings of the files, and says several folders one after the other", async () => {
  await shop.write(
    "lang/nl/cart.php",
    "<?php\n\nreturn ['total' => 'Totaal: :bedrag', 'title' => 'Je :mandje'];\n",
  );
  const other = join(shop.folder, "other");
  cpSync(app, other, { recursive: true });
  const { status, stdout } = await run(["status", app, other, "--of", "files"]);
  expect(status).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.filter((line) => !line.startsWith("  "))).toEqual([
    "app · From the local files.",
    "other · From the local files.",
    "",
  ]);
  expect(lines[2]).toMatch(/^ {2}Nederlands \(nl\) · .*1 QA error · 1 QA warning/u);
  const { projects } = JSON.parse((await run(["status", app, "--of", "files", "--json"])).stdout) as {
    readonly projects: readonly [{ readonly languages: readonly object[] }];
  };
  expect(projects[0]).toMatchObject({ folder: app, project: "app", of: "files" });
  expect(projects[0].languages).toEqual([
    expect.objectContaining({ locale: "en", isSource: true, qaErrors: 0 }),
    expect.objectContaining({ locale: "nl", qaErrors: 1 }),
  ]);
  expect(proxy.takeLog()).toEqual([]);
});
