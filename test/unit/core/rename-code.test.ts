/** A key's new name in code: in its quotes, in the constant that holds it, and never where more hangs on it. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { applySplices } from "../../../src/core/formats/edit.ts";
import { keyHash } from "../../../src/core/identity.ts";
import { KeyNames } from "../../../src/core/key-names.ts";
import { planRename } from "../../../src/core/rename.ts";
import { worldOf } from "./local-world.ts";

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

const FROM = { namespace: "*", key: "a.b", context: null };

/** The code after `a.b` became `a.c`, and how many uses are left for a person. */
async function renamed(code: string): Promise<readonly [string, number]> {
  const path = "src/app.ts";
  const { files, local } = worldOf(
    { [path]: code },
    { files: [], sourceLocale: "en", serviceLocales: ["en"] },
  );
  const frameworks = new Set(["vue-i18n" as const]);
  const plan = await planRename(
    {
      files,
      local,
      index: () =>
        Promise.resolve({
          usesOf: () => [{ path, span: { start: 0, end: 0 } }],
          usesOfName: () => [],
          patternsOf: () => [],
          usesOfPattern: () => [],
        }),
      names: KeyNames.of([{ ...FROM, hash: keyHash(sha1, FROM) }]),
      find: { frameworks, functions: [] },
      lookup: { frameworks },
      sha1,
    },
    FROM,
    { namespace: "*", key: "a.c", context: null },
  );
  if (plan.kind !== "planned") throw new Error(plan.kind);
  const [file] = plan.files;
  return [file === undefined ? code : applySplices(file.before, file.splices), plan.left.length];
}

const cases: readonly (readonly [title: string, before: string, after: string, left: number])[] = [
  ["a literal", `t("a.b"); t('x')`, `t("a.c"); t('x')`, 0],
  ["both branches", `t(x ? "a.b" : 'y')`, `t(x ? "a.c" : 'y')`, 0],
  ["a constant, once for all its uses", `const K = "a.b"; t(K); t(K)`, `const K = "a.c"; t(K); t(K)`, 0],
  [
    "a member of a constant",
    `const K = { one: "a.b", two: "x" } as const; t(K.one); t(K[y])`,
    `const K = { one: "a.c", two: "x" } as const; t(K.one); t(K[y])`,
    0,
  ],
  ["a constant of a constant", `const A = 'a.b'; const B = A; t(B)`, `const A = 'a.c'; const B = A; t(B)`, 0],
  [
    "a constant that means another key elsewhere",
    `const K = "a.b"; const { t } = useI18n(); t(K); { const t = useTranslations("shop"); t(K) }`,
    `const K = "a.b"; const { t } = useI18n(); t(K); { const t = useTranslations("shop"); t(K) }`,
    1,
  ],
  ["a key that is put together", "const P = 'a'; t(`${P}.b`)", "const P = 'a'; t(`${P}.b`)", 1],
];

test.each(cases)("%s", async (_, before, after, left) => {
  expect(await renamed(before)).toEqual([after, left]);
});
