/** Usages of ttag, whose functions are template tags. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

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
    "all ways to import it",
    "javascript",
    "let { t: T } = require('ttag'); var { jt } = require('ttag/macro'); const { ngettext, msgid: m } = require('ttag.macro'); T`«a»`; jt`«b»`; ngettext(m`«c»`, 'd', n);",
    gettext,
  ],
  [
    "what has their names elsewhere",
    "javascript",
    "import { t } from 'ttag'; t`«a ${b[c.d]}»`; f(x).gettext('«e»'); t('no'); const msgid = 1; msgid(t`«g»`); t`« h »`",
    { ...gettext, keys: ["a ${ b[c.d] }", "e", "g", " h "] },
  ],
  [
    "values by their names in quotes",
    "javascript",
    `import { t } from 'ttag'; t\`«a \${b['c']} \${ d["e"] }»\``,
    { ...gettext, keys: [`a \${ b['c'] } \${ d["e"] }`] },
  ],
  [
    "methods beside contexts",
    "javascript",
    "import { c } from 'ttag'; x.gettext('«a»'); c(y).t`«b»`",
    gettext,
  ],
  [
    "a text over several lines",
    "javascript",
    "import { t } from 'ttag';\nt`«\n    Hello\n      ${ name }\n  »`; t`«One\n   two»`; t`«One two\n    three\n  four»`;",
    { ...gettext, keys: ["Hello\n  ${ name }", "One\ntwo", "One two\n  three\nfour"] },
  ],
  [
    "lines that end with CRLF, and a second import",
    "javascript",
    "import { t } from 'ttag';\r\nimport { c } from 'ttag';\r\nt`«\r\n    Hello\r\n      ${ name }\r\n  »`; c('x').jt`«b»`;",
    { ...gettext, keys: ["Hello\n  ${ name }", "b"], contexts: ["-", "x"] },
  ],
  [
    "a value that has no name, and half a template",
    "javascript",
    "import { t } from 'ttag';\nt`a ${ f(x) }`; t`b",
    { ...gettext, patterns: ["a *"] },
  ],
  [
    "half typed",
    "javascript",
    "import { t, c, ngettext, msgid } from 'ttag';\nc('a').t`«b»`.x; c(a).t`«c»`; c().t`d`; c('e').other`f`; c('g').gettext(h); ngettext(); ngettext(msgid, 'i', n); ngettext('j', 'k', n); ngettext(t`«l»`, 'm', n); t('n'); c('o').ngettext('p', 'q', n); c('r').t",
    { ...gettext, keys: ["b", "c", "l"] },
  ],
  ["without the import", "javascript", "t`«a»`; ngettext('«b»', 'c', n);", gettext],
];

describe("ttag", () => {
  for (const each of cases) test(each[0], () => check(each));

  test("what is called, from its start to its end", () => {
    const calls = ["t`a`", "c('x').ngettext(msgid`${n} b`, `c`, n)", "c('x').t`d ${e}`"];
    const code = `import { t, c, msgid } from "ttag"; ${calls.join("; ")}`;
    const found = find("javascript", code, options(["gettext"]));
    expect(found.map(({ callSpan }) => code.slice(callSpan.start, callSpan.end))).toEqual(calls);
    expect(found.map(({ callee }) => callee)).toEqual(["t", "c().ngettext", "c().t"]);
    expect(found.map(({ hasValues = false }) => hasValues)).toEqual([false, true, true]);
  });
});
