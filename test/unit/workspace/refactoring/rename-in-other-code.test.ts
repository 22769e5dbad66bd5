/** Renames a key of a shared package in the code of another project of the window. */
import { expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { ChangedNames } from "../../../../src/workspace/refactoring/key-names-after-change.ts";
import { renameInOtherCode } from "../../../../src/workspace/refactoring/rename-in-other-code.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { createLocalProject } from "../local-files/local-project.ts";

const path = "src/app.ts";

function named(namespace: string, key: string) {
  const name = { namespace, key, context: null };
  return { ...name, hash: keyHash(name) };
}

interface Case {
  readonly namespace?: string;
  /** Keys of the other project itself. */
  readonly own?: readonly (readonly [namespace: string, key: string])[];
  readonly isUnambiguous?: boolean;
  /** The file that has the usage. */
  readonly usedIn?: string;
}

async function renamed(
  code: string,
  { namespace = "shared", own = [], isUnambiguous = true, usedIn = path }: Case = {},
): Promise<{ readonly code: string; readonly remaining: number }> {
  const { files } = createLocalProject(
    { [path]: code },
    { files: [], sourceLocale: "en", serviceLocales: ["en"] },
  );
  const [from, to] = [named(namespace, "old"), named(namespace, "new")];
  const before = createKeyNames([from, named(namespace, "other")]);
  const frameworks = new Set(["i18next"] as const);
  const { files: edited, remaining } = await renameInOtherCode(
    {
      files,
      find: { frameworks, functions: [] },
      lookup: { frameworks },
      usages: {
        usagesOfName: ({ key }) => (key === "old" ? [{ path: usedIn, span: { start: 0, end: 0 } }] : []),
        importsOf: () => null,
      },
      names: createKeyNames(own.map(([ofNamespace, key]) => named(ofNamespace, key))),
      isUnambiguous: () => isUnambiguous,
    },
    { changes: [{ from, to }], before, after: new ChangedNames(before, [from.hash], [to]) },
  );
  const [file] = edited;
  return {
    code: file === undefined ? code : applySplices(file.before, file.splices),
    remaining: remaining.length,
  };
}

const CODE = `import { t } from "i18next";\nt("shared:old"); t("shared:other"); t("old");`;

test("replaces the usages that mean the key", async () => {
  const code = CODE.replace("shared:old", "shared:new");
  expect(await renamed(CODE)).toEqual({ code, remaining: 0 });
  expect(await renamed(CODE, { own: [["app", "old"]] })).toEqual({ code, remaining: 0 });
});

test("leaves the namespace of the project with the code alone, with the key or without it", async () => {
  for (const key of ["old", "else"])
    expect(await renamed(CODE, { own: [["shared", key]] })).toEqual({ code: CODE, remaining: 0 });
});

test("reports usages that may mean the key of a third project", async () => {
  expect(await renamed(CODE, { isUnambiguous: false })).toEqual({ code: CODE, remaining: 1 });
  // Since it was searched, the file has only other keys.
  const other = CODE.replace("shared:old", "shared:other");
  expect(await renamed(other, { isUnambiguous: false })).toEqual({ code: other, remaining: 0 });
});

test("reports usages of a key without a namespace", async () => {
  const code = `import { t } from "i18next";\nt("old");`;
  expect(await renamed(code, { namespace: "*" })).toEqual({ code, remaining: 1 });
  expect(await renamed(code, { namespace: "*", own: [["*", "old"]] })).toEqual({ code, remaining: 0 });
  expect(await renamed(code, { namespace: "*", own: [["*", "other"]] })).toEqual({ code, remaining: 1 });
});

test("reports a usage that cannot be rewritten", async () => {
  const code = "import { t } from \"i18next\";\nconst P = 'shared:'; t(`${P}old`);";
  expect(await renamed(code)).toEqual({ code, remaining: 1 });
});

test("says that code could not be read, and changes nothing of it", async () => {
  expect(await renamed(CODE, { usedIn: "src/gone.ts" })).toEqual({ code: CODE, remaining: 1 });
});
