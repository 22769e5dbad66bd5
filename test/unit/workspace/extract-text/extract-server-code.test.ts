/** What extraction takes for a text in Python, Django and Jinja, and what the new code needs there. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extract, type ExtractLanguage } from "./extracted.ts";

const FRAMEWORKS = {
  django: ["django", "gettext"],
  jinja: ["jinja", "gettext"],
  python: ["gettext"],
} as const satisfies Record<string, readonly FrameworkName[]>;
type Project = keyof typeof FRAMEWORKS;

test.each<[marked: string, language: ExtractLanguage, project: Project]>([
  [`{{ f({«"Some key"»: 1}) }}`, "jinja", "jinja"],
  [`{{ _(«"Save it"») }}`, "jinja", "jinja"],
  [`{{ f(«"Save it", "Open it"») }}`, "jinja", "jinja"],
  [`{{ ngettext(«"Save it"», "b", 2) }}`, "jinja", "jinja"],
  [String.raw`{{ a|default:«"C:\\dir of"» }}`, "django", "django"],
  ['{{ a|default:«"Save it }}"» }}', "django", "django"],
  [`{{ a|default:"«Save it}}»"}}`, "django", "django"],
  [`{% firstofs a «"Save it"» %}`, "django", "django"],
  [`{{ a|date:«"Save it"» }}`, "django", "django"],
  ["<a title=«Save»>", "django", "django"],
  ["<script>«Save it»</script>", "django", "django"],
  [`<a title="«Say» it">`, "django", "django"],
  [`f(«b"Save it"»)`, "python", "python"],
  [`f(«f"Hi {a!r}"»)`, "python", "python"],
  [`f(«f"Hi {a:>10}"»)`, "python", "python"],
  [`f(«f"Hi {a=}"»)`, "python", "python"],
  [`__version__ = «"Save it"»`, "python", "python"],
  [`__all__ += [«"Save it"»]`, "python", "python"],
  [`f("a b" «"c d"»)`, "python", "python"],
  [`f(«"a b"» "c d")`, "python", "python"],
  [`f(«"a b"» f"c d")`, "python", "python"],
  [`class A:\n    «"Doc text"»\n`, "python", "python"],
])("no text: %s in %s", async (marked, language, project) => {
  expect(await extract(marked, language, FRAMEWORKS[project], null)).toBeNull();
});

const LAZY = "from django.utils.translation import gettext_lazy as _";
const AT_ONCE = "from django.utils.translation import gettext as _";

test.each<[marked: string, language: ExtractLanguage, project: Project, text: string, after: string]>([
  [`{{ f({"key": «"Some text"»}) }}`, "jinja", "jinja", "Some text", `{{ f({"key": _("Some text")}) }}`],
  [
    "<b>«Hi {{ user.name }} and {{ a.b }}, {{ n }}»</b>",
    "jinja",
    "jinja",
    "Hi %(name)s and %(b)s, %(n)s",
    "<b>{% trans name=user.name, b=a.b %}Hi {{ name }} and {{ b }}, {{ n }}{% endtrans %}</b>",
  ],
  [
    "{% load i18n %}<b>«Hi {{ user.name }} and {{ a.b }}, {{ n }}»</b>",
    "django",
    "django",
    "Hi %(name)s and %(b)s, %(n)s",
    "{% load i18n %}<b>{% blocktranslate with name=user.name b=a.b %}Hi {{ name }} and {{ b }}, {{ n }}{% endblocktranslate %}</b>",
  ],
  [
    `{% extends "a.html" %}<b>«Save it»</b>`,
    "django",
    "django",
    "Save it",
    `{% extends "a.html" %}\n{% load i18n %}<b>{% translate "Save it" %}</b>`,
  ],
  [
    "<b>«Tom &amp; Jerry»</b>",
    "jinja",
    "jinja",
    "Tom &amp; Jerry",
    "<b>{% trans %}Tom &amp; Jerry{% endtrans %}</b>",
  ],
  [
    `{% load i18n %}<b>«Say "hi" 5%»</b>`,
    "django",
    "django",
    `Say "hi" 5%%`,
    `{% load i18n %}<b>{% blocktranslate %}Say "hi" 5%{% endblocktranslate %}</b>`,
  ],
  [
    `{% load i18n %}<a title=«"Save it"»>`,
    "django",
    "django",
    "Save it",
    `{% load i18n %}<a title="{% translate 'Save it' %}">`,
  ],
  [
    `{% load i18n %}{% a b=="x" c=«"Save it"» %}`,
    "django",
    "django",
    "Save it",
    `{% load i18n %}{% a b=="x" c=_("Save it") %}`,
  ],
  ...["firstof a", "cycle 'x'"].map((tag): [string, "django", "django", string, string] => [
    `{% load i18n %}{% ${tag} «"Save it"» %}`,
    "django",
    "django",
    "Save it",
    `{% load i18n %}{% ${tag} _("Save it") %}`,
  ]),
  ...["default", "default_if_none", "yesno", "pluralize", "add"].map(
    (filter): [string, "django", "django", string, string] => [
      `{% load i18n %}{{ a|${filter}:«"Save it"» }}`,
      "django",
      "django",
      "Save it",
      `{% load i18n %}{{ a|${filter}:_("Save it") }}`,
    ],
  ),
  [
    `f(«f"Hi {{x}} {a}"»)`,
    "python",
    "python",
    "Hi {x} %(a)s",
    `from gettext import gettext as _\n\nf(_("Hi {x} %(a)s") % {"a": a})`,
  ],
  [
    String.raw`f(«r"a\nb c"»)`,
    "python",
    "python",
    String.raw`a\nb c`,
    `from gettext import gettext as _\n\nf(_("a\\\\nb c"))`,
  ],
  [
    `f(«"""Save it"""»)`,
    "python",
    "python",
    "Save it",
    `from gettext import gettext as _\n\nf(_("Save it"))`,
  ],
  [
    `import flask\nf(«"Save it"»)`,
    "python",
    "python",
    "Save it",
    `import flask\nfrom flask_babel import gettext as _\nf(_("Save it"))`,
  ],
  [
    `from x import gettext_lazy\nA = «"Save it"»\n`,
    "python",
    "django",
    "Save it",
    `from x import gettext_lazy\nA = gettext_lazy("Save it")\n`,
  ],
  [
    `def f():\n    pass\nA = «"Save it"»\n`,
    "python",
    "django",
    "Save it",
    `${LAZY}\n\ndef f():\n    pass\nA = _("Save it")\n`,
  ],
  [`{{ a or «"5%% off"» }}`, "jinja", "jinja", "5%% off", `{{ a or _("5%% off") }}`],
  [`_ = gettext\nA = «"Save it"»\n`, "python", "django", "Save it", `_ = gettext\nA = _("Save it")\n`],
  [
    `from x import (a,\n  b)\nimport c\nA = «"Save it"»\n`,
    "python",
    "django",
    "Save it",
    `from x import (a,\n  b)\nimport c\n${LAZY}\nA = _("Save it")\n`,
  ],
  // The first line says how the file is run, and the second may say in which encoding it is.
  [
    `#!/usr/bin/env python\n# coding: utf-8\nA = «"Save it"»\n`,
    "python",
    "django",
    "Save it",
    `#!/usr/bin/env python\n# coding: utf-8\n${LAZY}\n\nA = _("Save it")\n`,
  ],
  [
    `def f():\n    return x + «f"Hi {a}"»\n`,
    "python",
    "django",
    "Hi %(a)s",
    `${AT_ONCE}\n\ndef f():\n    return x + (_("Hi %(a)s") % {"a": a})\n`,
  ],
  [
    `async def f():\n    return «f"Hi {a}"».upper()\n`,
    "python",
    "django",
    "Hi %(a)s",
    `${AT_ONCE}\n\nasync def f():\n    return (_("Hi %(a)s") % {"a": a}).upper()\n`,
  ],
  [
    `f(«'It\\'s "x"'»)`,
    "python",
    "python",
    `It's "x"`,
    `from gettext import gettext as _\n\nf(_('It\\'s "x"'))`,
  ],
])("%s in %s", async (marked, language, project, text, after) => {
  expect(await extract(marked, language, FRAMEWORKS[project], null)).toEqual([text, after]);
});

test("escapes quotes, line ends and backslashes in Python", async () => {
  const code = await extract(`_ = gettext\nf(«"Save"»)`, "python", "gettext", 'a\r"b"\n\\');
  expect(code?.[1]).toBe(String.raw`_ = gettext${"\n"}f(_("a\r\"b\"\n\\"))`);
});
