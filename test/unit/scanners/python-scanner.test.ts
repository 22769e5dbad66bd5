/** Usages in Python. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const cases: readonly Case[] = [
  ["the quote of the text in it", "python", String.raw`_('«it\'s»')`, { keys: ["it's"] }],
  [
    "texts and names over line ends of Windows",
    "python",
    `from gettext import (\r\n    gettext as g,\r\n    ngettext as n\r\n)\r\ntr = gettext.gettext\r\ng("«a»") # it's\r\nn("«b»", "bs", 2)\r\ntr("«c»")\r\n_("«d\\\r\ne»"); _(f"«f\\\r\ng»"); _("«h" \\\r\n "i»")`,
    { keys: ["a", "b", "c", "de", "fg", "hi"] },
  ],
  ["a factory under another name", "python", `y = TranslatorFactory("x")\ny("«a»")`, { scopes: ["x|"] }],
  [
    "another factory under another name",
    "python",
    `y = TranslationStringFactory("x")\ny("«a»")`,
    { frameworks: ["i18next"], scopes: ["x|"] },
  ],
  [
    "strings that are templates",
    "python",
    String.raw`_(t"a{x}"); _(rt"b{x}\d"); _(tr"c{x}\d")`,
    { patterns: ["a*", "b*\\d", "c*\\d"] },
  ],
  [
    "a function of gettext from any module, where Python is not known to use it",
    "python",
    `from helpers import gettext, _\ngettext("«a»"); _("«b»")`,
    { frameworks: ["i18next"] },
  ],
  [
    "only its short name of another module",
    "python",
    `from helpers import _\n_("a")`,
    { frameworks: ["i18next"] },
  ],
  [
    "another function of a module of translations",
    "python",
    `from app.i18n import translate as _\n_("«a»")`,
    { frameworks: ["i18next"] },
  ],
  [
    "a module of translations",
    "python",
    `import app.translation\ngettext("«a»")`,
    { frameworks: ["i18next"] },
  ],
  ["another module", "python", `import app.other\ngettext("a")`, { frameworks: ["i18next"] }],
  [
    "the second factory, and one of a domain that is not known",
    "python",
    `_ = MessageFactory("x")\n__ = TranslatorFactory("y")\n_z = TranslationStringFactory(DOMAIN)\n_("«a»"); __("«b»"); _z("«c»")`,
    { scopes: ["x|", "y|", "?|"] },
  ],
  [
    "an import after that of a replacement",
    "python",
    `try:\n    from fallback import identity as _\nexcept ImportError:\n    from gettext import gettext as _\n_("«a»")`,
  ],
  [
    "f-strings and braces in f-strings",
    "python",
    `f"{f'{_("«a»")} it {{'} {_("«b»")} _('no')"; _("«c»"); f"{ {'x': _('«d»')}['x'] } _('no')"; _("«e»")`,
  ],
  [
    "three quotes with others before their end",
    "python",
    `x = """a\\""" _("no") "" _("no") """; _("«b»"); y = """"" _("no") """; _("«c»")`,
  ],
  ["an empty text before one", "python", `a = ""\n_("«b»")`],
  ["the usual name", "python", `_("«Hello»"); _('«there»')`],
  [
    "every function of the module",
    "python",
    `gettext("«a»"); ngettext("«b»", "bs", n); pgettext("c", "«d»"); npgettext("e", "«f»", "fs", n)`,
  ],
  [
    "functions with a domain",
    "python",
    `dgettext("shop", "«a»"); dngettext("shop", "«b»", "bs", n); dpgettext(DOMAIN, "c", "«d»")`,
    { scopes: ["shop|", "shop|", "?|"] },
  ],
  [
    "Django's lazy names",
    "python",
    `gettext_lazy("«a»"); ngettext_lazy("«b»", "bs"); pgettext_lazy("c", "«d»"); npgettext_lazy("e", "«f»", "fs")`,
  ],
  [
    "raw and formatted texts",
    "python",
    String.raw`_(r"«a\d»"); _(Rb"b"); _(rf"c {x}"); _(fR'd {x} e')`,
    { keys: [String.raw`a\d`], patterns: ["*", "c *", "d * e"] },
  ],
  ["the older names", "python", `ugettext("«a»"); ugettext_lazy("«b»"); ungettext("«c»", "cs", n)`],
  ["Flask-Babel", "python", `lazy_gettext("«a»"); lazy_pgettext("b", "«c»"); lazy_ngettext("«d»", "ds")`],
  [
    "an alias of an import",
    "python",
    `from django.utils.translation import gettext as tr, pgettext_lazy as pl\ntr("«a»"); pl("c", "«b»")`,
  ],
  [
    "an import with a replacement where gettext is missing",
    "python",
    `try:\n    from gettext import gettext as _\nexcept ImportError:\n    from fallback import identity as _\n_("«a»")`,
  ],
  [
    "an import over several lines",
    "python",
    `from django.utils.translation import (\n    gettext_lazy as lazy,  # noqa\n    ngettext as n,\n)\nlazy("«a»"); n("«b»", "bs", 2)`,
  ],
  [
    "an assigned alias",
    "python",
    `import gettext\ntr = gettext.gettext\nplural: Callable[..., str] = gettext.ngettext\ntr("«a»"); plural("«b»", "bs", 2)`,
  ],
  [
    "a name that is imported from elsewhere",
    "python",
    `from lodash import chain as _\nfrom lib import gettext_lazy\n_("a"); gettext_lazy("«b»")`,
  ],
  ["a module of the project's own", "python", `from nova.i18n import translate as _\n_("«a»")`],
  [
    "factories of domains",
    "python",
    `from zope.i18nmessageid import MessageFactory\n_ = MessageFactory("plone")\n_("«a»")`,
    { scopes: ["plone|"] },
  ],
  [
    "through objects",
    "python",
    `self._("«a»"); gettext.gettext("«b»"); request.localizer\\\n  .gettext("«c»")`,
  ],
  ["strings side by side", "python", `_("«a " 'b'\n  "c»")`, { keys: ["a bc"] }],
  ["strings with comments between", "python", `_("«a " # it's\n  "b»")`, { keys: ["a b"] }],
  ["strings over a continued line", "python", `_("«a" \\\n "b»")`, { keys: ["ab"] }],
  ["joined strings", "python", `_("«a" + "b»"); _("a" + x)`, { keys: ["ab"], patterns: ["a*"] }],
  ["three quotes", "python", `_("""«it's\n"so"\n»"""); _('''«b»''')`],
  [
    "escapes",
    "python",
    String.raw`_("«\u00e9\x41\101\n\t\"\q\
x»")`,
    { keys: ['éAA\n\t"\\qx'] },
  ],
  ["raw strings", "python", String.raw`_(r"«\d+\n»")`, { keys: ["\\d+\\n"] }],
  ["other prefixes", "python", `_(u"«a»"); _(U'«b»'); _(b"c")`, { patterns: ["*"] }],
  [
    "f-strings",
    "python",
    `_(f"a {x} b"); _(f"{x!r:>{w}}"); _(f"«c {{d}}»")`,
    { keys: ["c {d}"], patterns: ["a * b", "*"] },
  ],
  [
    "calls in f-strings",
    "python",
    `f"it's {_('«a»')} {n:>{w}} {_("«b»")}" + _("«c»"); f'''{_('«d»')}'''; rf"\\{_('«e»')}"`,
  ],
  [
    "characters by their names",
    "python",
    String.raw`_("a\N{BULLET}b\N{BULLET} c\x41"); _(f"d\N{BULLET}{x} {{e"); _(f"n\N{BULLET}}}o"); _(not"p"); _(r"«f\N{g}»"); _("«h\\N{i}»"); _(rf"k\N{m}n")`,
    { keys: [String.raw`f\N{g}`, String.raw`h\N{i}`], patterns: ["a* cA", "d* {e", "n*}o", "*", "k\\N*n"] },
  ],
  ["text of f-strings", "python", `f"_('a') {{_('b')}} \\N{BULLET}"; _("«c»")`],
  ["text of an f-string that is never closed", "python", `x = f"abc\n_("«a»")`],
  ["an f-string that is never closed", "python", `x = f"{a\n_("«b»")`],
  [
    "an expression of an f-string at a line's end",
    "python",
    `x = f"{a\n} _('«b»')\n_("«c»"); y = f"""{a\n} _('d') """; _("«e»")`,
  ],
  [
    "doubled braces and quotes in f-strings",
    "python",
    `f"}}{_('«a»')}{{_('b')}}"; x = f'c''d'; _("«e»"); f"""{_('«f»')} "" {_('«g»')}"""; y = f''; _("«h»")`,
  ],
  ["comments", "python", `# _("a")\n_("«b»") # it's _("c")`],
  ["strings", "python", `"_('a')"; '''_("b")\n'''; _("«c»")`],
  ["a string that is never closed", "python", `x = "abc\n_("«a»"); y = "_('b')\n_("«c»")`],
  [
    "conditionals",
    "python",
    `_("«a»" if x else "«b»"); _(x or "«c»"); _("«d»" if x else y)`,
    {
      patterns: ["*", "*"],
    },
  ],
  [
    "values that are put in too early",
    "python",
    `_("a %s" % x); _("b {}".format(x)); _(x); _(*a); _(name)`,
    { patterns: ["*", "*", "*", "*", "*"] },
  ],
  ["values that are put in afterwards", "python", `_("«a %s»") % x; _("«b {}»").format(x)`],
  ["named arguments", "python", `gettext(message="«a»"); ngettext(number=2, singular="«b»", plural="c")`],
  ["definitions", "python", `def _(text): pass\nclass gettext(Base): pass\nasync def ngettext (a): pass`],
  ["other functions that end so", "python", `my_("a"); N__("b"); x_gettext("c"); __("d")`],
  ["parentheses around", "python", `_(("«a»")); _((\n  "«b"\n  "c»"\n))`, { keys: ["a", "bc"] }],
  [
    "in other calls, lists and defaults",
    "python",
    `f(_("«a»"), [_("«b»")], c={"d": _("«e»")})\ndef g(h=_("«i»")): pass`,
  ],
  [
    "a decorator and a class body",
    "python",
    `@f(short=_("«a»"))\nclass A(B):\n    x = C(verbose_name=_("«b»"), help_text=_(\n        "«c»"\n    ))`,
  ],
];

describe("Python", () => {
  for (const given of cases) test(given[0], () => check(given));
});

test("reads contexts and counts", () => {
  const uses = find(
    "python",
    `pgettext("a", "b"); npgettext(context="c", singular="d", plural="e", number=1)`,
  );
  expect(uses.map(({ context, plural }) => [context, plural])).toEqual([
    ["a", false],
    ["c", true],
  ]);
  expect(find("python", `self.x.gettext("a")`).map(({ callee }) => callee)).toEqual(["self.x.gettext"]);
});

test("searches only files that import gettext in other projects", () => {
  const laravel = options(["laravel"]);
  expect(find("python", `_("a"); gettext("b")`, laravel)).toEqual([]);
  expect(find("python", `from gettext import gettext as _\n_("a")`, laravel)).toHaveLength(1);
  expect(find("python", `import gettext\ngettext.install("x")\n_("a")`, laravel)).toHaveLength(1);
  expect(find("python", `from helpers import _\n_("a"); gettext("b")`, laravel)).toEqual([]);
  expect(find("python", `_ = translations.gettext\n_("a")`, laravel)).toHaveLength(1);
});

test("finds a configured function", () => {
  const own = options(["laravel"], [{ name: "tr.get", key: 1, context: 0 }]);
  expect(find("python", `tr.get("menu", "a"); get("menu", "b")`, own)).toMatchObject([
    { expression: { key: "a" }, context: "menu" },
  ]);
});

test.each(["app.gettext", "translations", "app.i18n", "L10n", "localization", "app.localisation", "babel"])(
  "`_` of the module %s translates",
  (module) => {
    const code = (name: string): string => `from ${name} import tr as _\n_("a")`;
    expect(find("python", code(module))).toHaveLength(1);
    expect(find("python", code("app.texts"))).toEqual([]);
  },
);
