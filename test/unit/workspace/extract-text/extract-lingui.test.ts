/** Extracts texts where the text itself is the key, in the macros of Lingui: «…» marks the selection. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { codeFile, extract } from "./extracted.ts";

const T = 'import { t } from "@lingui/core/macro";\n';
const TRANS = 'import { Trans } from "@lingui/react/macro";\n';

test.each([
  [`${T}show(«"Save it"»)`, "Save it", `${T}show(t\`Save it\`)`],
  [
    `${T}show(«\`Hi \${name}, \${user.first}\`»)`,
    "Hi {name}, {first}",
    `${T}show(t\`Hi \${name}, \${{ first: user.first }}\`)`,
  ],
  [`${T}const a = <p title="«Save it»" />`, "Save it", `${T}const a = <p title={t\`Save it\`} />`],
  [`${TRANS}const a = <p>«Save it»</p>`, "Save it", `${TRANS}const a = <p><Trans>Save it</Trans></p>`],
  [
    `${TRANS}const a = <p>«Hi {name}!»</p>`,
    "Hi {name}!",
    `${TRANS}const a = <p><Trans>Hi {name}!</Trans></p>`,
  ],
  [
    `${T}const a = <p>«Hi {name}, {user.first}»</p>`,
    "Hi {name}, {first}",
    `${T}const a = <p>{t\`Hi \${name}, \${{ first: user.first }}\`}</p>`,
  ],
  // What is missing is imported, from the module that the file uses.
  ['show(«"Save it"»)', "Save it", `${T}show(t\`Save it\`)`],
  ["const a = <p>«Save it»</p>", "Save it", `${TRANS}const a = <p><Trans>Save it</Trans></p>`],
  [
    `import { Trans } from "@lingui/macro";\nshow(«"Save it"»)`,
    "Save it",
    `import { Trans } from "@lingui/macro";\nimport { t } from "@lingui/macro";\nshow(t\`Save it\`)`,
  ],
  [
    `import { useLingui } from "@lingui/react/macro";\nconst { t } = useLingui();\nshow(«"Save it"»)`,
    "Save it",
    `import { useLingui } from "@lingui/react/macro";\nconst { t } = useLingui();\nshow(t\`Save it\`)`,
  ],
])("%s", async (marked, text, code) => {
  expect(await extract(marked, "tsx", "lingui", null)).toEqual([text, code]);
});

test.each<[code: string, framework: FrameworkName, isMessage: true | undefined]>([
  ['const t = useExtracted(); show("Save it")', "next-intl", true],
  ['const t = useTranslations(); show("Save it")', "next-intl", undefined],
])("says whether the new code of %j contains the text itself", async (code, framework, isMessage) => {
  const options = { frameworks: new Set([framework]), functions: [] };
  const start = code.indexOf("Save it");
  const found = await extractionAt(codeFile("a.tsx", code, options), { start, end: start + 7 });
  expect([found?.text, found?.isMessage]).toEqual(["Save it", isMessage]);
});

// The import would make another function of it.
test.each(['show(«`Hi ${t({ message: "Bob" })}`»)', "const a = <p>«Hi {t`Bob`}»</p>"])(
  "refuses a value that would be another text: %s",
  async (marked) => {
    expect(await extract(marked, "tsx", "lingui", null)).toBeNull();
    expect(await extract(marked.replace("{t", "{of"), "tsx", "lingui", null)).not.toBeNull();
  },
);

test.each([
  ["#!/usr/bin/env node\n", `#!/usr/bin/env node\n${T}`],
  ["", T],
  ["'use client';\n", `'use client';\n${T}`],
])("writes the import after what begins the file: %j", async (before, after) => {
  const found = await extract(`${before}show(«"Save it"»)`, "tsx", "lingui", null);
  expect(found).toEqual(["Save it", `${after}show(t\`Save it\`)`]);
});
