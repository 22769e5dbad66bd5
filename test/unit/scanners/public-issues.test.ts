/**
 * Cases from public issues of other tools: keys that were not found, wrongly found or wrongly bound. The tables are
 * in `reported-cases`.
 */
import { describe, expect, test } from "vitest";
import { constants } from "./reported-cases/constants.ts";
import { dynamic } from "./reported-cases/dynamic.ts";
import { gettext } from "./reported-cases/gettext.ts";
import { i18next } from "./reported-cases/i18next.ts";
import { laravel } from "./reported-cases/laravel.ts";
import { literals } from "./reported-cases/literals.ts";
import { markup } from "./reported-cases/markup.ts";
import { nextIntl } from "./reported-cases/next-intl.ts";
import { svelte } from "./reported-cases/svelte.ts";
import { twig } from "./reported-cases/twig.ts";
import { python, templates } from "./reported-cases/python.ts";
import { vue } from "./reported-cases/vue.ts";
import { wordpress } from "./reported-cases/wordpress.ts";
import { check } from "./marked.ts";

const tables = {
  literals,
  dynamic,
  constants,
  i18next,
  nextIntl,
  vue,
  svelte,
  twig,
  markup,
  laravel,
  gettext,
  python,
  templates,
  wordpress,
};

describe.each(Object.entries(tables))("public issues: %s", (_, cases) => {
  for (const [issue, what, language, marked, expected] of cases) {
    test(`${issue} ${what}`, () => check([what, language, marked, expected]));
  }
});

test("covers at least 120 distinct issues", () => {
  const issues = Object.values(tables).flatMap((cases) => cases.map(([issue]) => issue));
  for (const issue of issues) expect(issue).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
  expect(new Set(issues).size).toBe(issues.length);
  expect(issues.length).toBeGreaterThanOrEqual(120);
});
