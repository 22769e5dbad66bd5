/** Commands in a window that is not told of any change on disk: they work on what is there when they run. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { workspace } from "vscode";
import { runCommand, runSuccessfully } from "../harness/documents.ts";

const pathOf = (path: string): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", path);
const MAIL = "packages/mail-texts";
const TEXTS = "packages/texts";
const INDEX = `${MAIL}/src/locales/en/index.ts`;

function write(path: string, text: string): void {
  mkdirSync(dirname(pathOf(path)), { recursive: true });
  writeFileSync(pathOf(path), text);
}

const read = (path: string): string => readFileSync(pathOf(path), "utf8");

interface Named {
  readonly namespace: string;
  readonly key: string;
}

/** The unused keys of a project, as `namespace:key`. */
async function unused(project: string): Promise<readonly string[]> {
  const result = await runSuccessfully("findUnused", { folder: pathOf(project) });
  const groups = [result["unused"], result["probablyUnused"]] as readonly (readonly Named[])[];
  return groups
    .flat()
    .map(({ namespace, key }) => `${namespace}:${key}`)
    .sort();
}

/** Runs the work with other contents of files, which it may write too; `null`: without the file. */
async function withFiles(
  files: Readonly<Record<string, string | null>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = new Map<string, string | null>();
  const put = (path: string, text: string | null): void => {
    if (text === null) rmSync(pathOf(path), { force: true });
    else write(path, text);
  };
  for (const path of Object.keys(files)) {
    try {
      before.set(path, read(path));
    } catch {
      before.set(path, null);
    }
  }
  try {
    for (const [path, text] of Object.entries(files)) put(path, text);
    await work();
  } finally {
    for (const [path, text] of before) put(path, text);
  }
}

describe("commands without file system events", () => {
  it("find the usages of keys whose modules are composed otherwise", async () => {
    assert.deepEqual(await unused(MAIL), []);
    const index = read(INDEX);
    const empty = { [INDEX]: "" };
    await withFiles(empty, async () => {
      // What the app loads cannot be said of such a module.
      assert.deepEqual(await unused(MAIL), [
        "mail/index:subject",
        "mail/index:unsubscribe",
        "mail/reminder:tomorrow",
      ]);
    });
    assert.equal(read(INDEX), index);
    assert.deepEqual(await unused(MAIL), []);
    const later = {
      [INDEX]: `import later from "./later.js";\n${index.replace("{ mail }", "{ mail, later }")}`,
    };
    await withFiles(later, async () => {
      assert.deepEqual(await unused(MAIL), [], "a part is missing");
      await withFiles(
        { [`${MAIL}/src/locales/en/later.ts`]: 'export default { title: "Later" };\n' },
        async () => assert.deepEqual(await unused(MAIL), ["translation:later.title"]),
      );
      assert.deepEqual(await unused(MAIL), [], "the part is deleted");
    });
    assert.deepEqual(await unused(MAIL), []);
  });

  it("find no key to remove that a part composed otherwise has", async () => {
    const before = await runSuccessfully("listKeys", { folder: pathOf(MAIL) });
    const hashes = (before["keys"] as readonly { readonly hash: string }[]).map(({ hash }) => hash);
    const mail = `${MAIL}/src/locales/en/mail/reminder.ts`;
    const text = read(mail);
    await withFiles({ [INDEX]: read(INDEX).replace("{ mail }", "{ letters: mail }") }, async () => {
      const result = await runCommand("removeUnused", { folder: pathOf(MAIL), hashes });
      assert.equal(result["outcome"], "unchanged", JSON.stringify(result));
      assert.equal(read(mail), text);
    });
  });

  it("search the code of packages as their manifests say", async () => {
    assert.deepEqual(await unused(TEXTS), ["translation:old_banner"]);
    await withFiles({ "apps/web/package.json": '{ "name": "@observatory/web" }' }, async () => {
      assert.ok((await unused(TEXTS)).includes("translation:tonight.cloudy"));
    });
    assert.deepEqual(await unused(TEXTS), ["translation:old_banner"]);
    const added = {
      "apps/desk/package.json":
        '{ "name": "@observatory/desk", "dependencies": { "@observatory/texts": "*", "i18next": "*" } }',
      "apps/desk/src/banner.ts": 'import { t } from "i18next";\nexport const banner = t("old_banner");\n',
    };
    await withFiles(added, async () => assert.deepEqual(await unused(TEXTS), []));
    assert.deepEqual(await unused(TEXTS), ["translation:old_banner"]);
  });

  it("count links in texts that were just written", async () => {
    const path = `${TEXTS}/locales/en/translation.json`;
    const texts = JSON.parse(read(path)) as { readonly tonight: { readonly title: string } };
    const linked = { ...texts, tonight: { ...texts.tonight, title: "$t(old_banner)" } };
    await withFiles({ [path]: JSON.stringify(linked, null, 2) }, async () =>
      assert.deepEqual(await unused(TEXTS), []),
    );
    assert.deepEqual(await unused(TEXTS), ["translation:old_banner"]);
  });

  it("find references and write keys in a layout that was just added", async () => {
    const added = {
      [`${TEXTS}/more/locales/en/extra.json`]: '{\n  "heading": "Extra"\n}\n',
      [`${TEXTS}/more/locales/nl/extra.json`]: '{\n  "heading": "Extra"\n}\n',
      "apps/web/src/extra.ts": 'import { t } from "i18next";\nexport const extra = t("extra:heading");\n',
    };
    await withFiles(added, async () => {
      const name = { folder: pathOf(TEXTS), namespace: "extra", key: "heading" };
      const { uses } = await runSuccessfully("findUses", name);
      assert.deepEqual(
        (uses as readonly { readonly path: string }[]).map(({ path }) => path),
        ["../../apps/web/src/extra.ts"],
      );
      const { file } = await runSuccessfully("setLocal", { ...name, locale: "nl", value: "Meer" });
      assert.equal(file, "more/locales/nl/extra.json");
    });
  });

  it("read the options of frameworks again", async () => {
    const name = { folder: pathOf(TEXTS), namespace: "extra", key: "heading" };
    const uses = async (): Promise<readonly string[]> => {
      const found = await runSuccessfully("findUses", name);
      return (found["uses"] as readonly { readonly path: string }[]).map(({ path }) => path);
    };
    const code = {
      [`${TEXTS}/locales/en/extra.json`]: '{\n  "heading": "Extra"\n}\n',
      "apps/web/src/extra.ts": 'import { t } from "i18next";\nexport const extra = t("heading");\n',
    };
    const options = 'import i18next from "i18next";\nvoid i18next.init({ defaultNS: "extra" });\n';
    await withFiles(code, async () => {
      assert.deepEqual(await uses(), []);
      await withFiles({ "apps/web/src/i18n.ts": options }, async () =>
        assert.deepEqual(await uses(), ["../../apps/web/src/extra.ts"]),
      );
      assert.deepEqual(await uses(), []);
    });
  });
});
