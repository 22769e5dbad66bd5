/** Uses in files that import ttag, whose functions are tags of templates. */
import { describe, test } from "vitest";
import { check, type Case } from "./marked.ts";

const gettext = { frameworks: ["gettext"] } as const;

const cases: readonly Case[] = [
  [
    "templates with values by their names",
    "javascript",
    "import { t, jt } from 'ttag';\nt`«Hello»`; t`«Hi ${name} and ${ user.names[0] }»`; jt`«a ${b}»`; x.t`«c»`; t.d`e`;",
    { ...gettext, keys: ["Hello", "Hi ${ name } and ${ user.names[0] }", "a ${ b }", "c"] },
  ],
  [
    "plurals and contexts",
    "typescript",
    "import { c, ngettext, msgid, gettext } from \"ttag\";\nngettext(msgid`«${n} time»`, `${n} times`, n); c('menu').t`«File»`; c(\"menu\").ngettext(msgid`«file»`, `files`, n); c('a').gettext('«b»'); gettext('«d»');",
    {
      ...gettext,
      keys: ["${ n } time", "File", "file", "b", "d"],
      contexts: ["-", "menu", "menu", "a", "-"],
      plurals: [true, false, true, false, false],
    },
  ],
  [
    "other names, and what another package calls so",
    "typescriptreact",
    "import { t as tt, msgid as m, ngettext } from 'ttag';\nconst a = <p>{tt`«a»`}{ngettext(m`«b»`, 'c', n)}{t('«d»')}</p>;",
    gettext,
  ],
  [
    "require, and its macro",
    "javascript",
    "const { t: T } = require('ttag');\nimport { jt } from 'ttag.macro';\nT`«a»`; jt`«b\\tc»`;",
    { ...gettext, keys: ["a", "b\tc"] },
  ],
  [
    "a text over several lines",
    "javascript",
    "import { t } from 'ttag';\nt`«\n    Hello\n      ${ name }\n  »`; t`«One\n   two»`;",
    { ...gettext, keys: ["Hello\n  ${ name }", "One\ntwo"] },
  ],
  [
    "a value that has no name, and half a template",
    "javascript",
    "import { t } from 'ttag';\nt`a ${ f(x) }`; t`b",
    { ...gettext, patterns: ["a *"] },
  ],
  ["without the import", "javascript", "t`«a»`; ngettext('«b»', 'c', n);", gettext],
];

describe("ttag", () => {
  for (const each of cases) test(each[0], () => check(each));
});
