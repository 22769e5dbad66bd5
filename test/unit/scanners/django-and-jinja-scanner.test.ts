/** Usages in Django and Jinja templates. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const DJANGO = { frameworks: ["django", "gettext"] } as const;
const JINJA = { frameworks: ["jinja", "gettext"] } as const;

const cases: readonly Case[] = [
  [
    "several percent signs, which Django doubles",
    "django-html",
    `{% trans "«5% of 10%»" %}{{ _("«6% of 20%»") }}`,
    { ...DJANGO, keys: ["5%% of 10%%", "6%% of 20%%"] },
  ],
  [
    "the second of comments and of raw texts",
    "html",
    `{% comment %}{% trans "no" %}{% endcomment %}{% trans "«a»" %}{%- comment -%}{% trans "no" %}{%- endcomment -%}{% trans "«b»" %}{% verbatim %}{{ _("no") }}{% endverbatim %}{{ _("«c»") }}{% verbatim %}{{ _("no") }}{% endverbatim %}{{ _("«d»") }}`,
    DJANGO,
  ],
  [
    "blocks with and without counts and contexts",
    "html",
    `{% blocktrans count n=x context "x" %}«a»{% plural %}b{% endblocktrans %}{% blocktrans %}«c»{% endblocktrans %}{% blocktrans count n=x %}«d»{% plural %}e{% endblocktrans %}{% trans "«f»" context "y" %}{% trans "«g»" %}`,
    { ...DJANGO, plurals: [true, false, true, false, false], contexts: ["x", "-", "-", "y", "-"] },
  ],
  [
    "the second value, sign and line, with line ends of Windows",
    "html",
    `{% blocktrans %}«{{ a }} of {{ b }}, 5% of 10%»{% endblocktrans %}{% blocktrans trimmed %}\r\n  «a\r\n  b\r\n\r\n  c» \r\n{% endblocktrans %}`,
    { ...DJANGO, keys: ["%(a)s of %(b)s, 5%% of 10%%", "a b c"] },
  ],
  [
    "a block that another tag ends, and the next one",
    "html",
    `{% blocktrans %}a{% endblocktranslate %}{% blocktrans %}«b»{% endblocktrans %}`,
    DJANGO,
  ],
  [
    "Jinja's second block",
    "jinja",
    `{% trans "x" %}«a»{% endtrans %}{% trans %}«b»{% endtrans %}{%- trans n=l -%}«c»{%- pluralize -%}d{%- endtrans -%}{% trans %}«e»{% endtrans %}`,
    { contexts: ["x", "-", "-", "-"], plurals: [false, false, true, false] },
  ],
  [
    "Jinja's signs beside the braces",
    "jinja",
    `{%+ trans %}«a»{%+ endtrans +%}{%- trans trimmed-%}\n «b\n  c» {%- endtrans -%}{%+trans "x"+%}«d»{%endtrans%}{% trans trimmed, n=l %} «e  f\ng» {% endtrans %}`,
    { keys: ["a", "b c", "d", "e  f g"], contexts: ["-", "-", "x", "-"] },
  ],
  [
    "blocks without a text",
    "html",
    `{% blocktrans %}{% endblocktrans %}{% blocktrans trimmed %}\n {% endblocktrans %}{% blocktrans %}«a»{% endblocktrans %}`,
    DJANGO,
  ],
  [
    "templates of Angular beside Django's",
    "html",
    `{{ '«a»' | translate }}{% trans "«b»" %}{{ '«c»' | translate }}`,
    { frameworks: ["ngx-translate", "django", "gettext"] },
  ],
  [
    "lines that are Jinja's statements",
    "jinja",
    "<ul>\n  # trans\n«Hello {{ name }}\n»  # endtrans\n% trans trimmed count=n\n  «one»\n% pluralize\n  many\n% endtrans\n## trans\nno\n## endtrans\n",
    { ...JINJA, keys: ["Hello %(name)s\n", "one"], plurals: [false, true] },
  ],
  ["lines that only look like them", "jinja", '# trans "a"\ntext {{ _("«b»") }}\n# transit\n', JINJA],
  ["none of them in Django", "html", "# trans\na {{ b }}\n# endtrans\n", DJANGO],
  ["translate and its older name", "html", `{% translate "«a»" %}{% trans '«b»' %}`, DJANGO],
  [
    "words after the text",
    "html",
    `{% trans "«a»" as b %}{% trans "«c»" noop %}{% trans "«d»"|upper %}`,
    DJANGO,
  ],
  ["a variable", "html", `{% trans title %}{% trans obj.name as b %}`, { ...DJANGO, patterns: ["*", "*"] }],
  ["white space and dashes", "html", `{%trans "«a»"%}{%-  trans  "«b»"  -%}`, DJANGO],
  ["quotes within", "html", `{% trans "«it's»" %}{% trans '«say "x"»' %}`, DJANGO],
  ["a tag in an attribute", "html", `<a title="{% trans "«a»" %}" href='{% trans '«b»' %}'>it's</a>`, DJANGO],
  [
    "a per cent sign is two in the key",
    "html",
    `{% trans "«5%»" %}{{ _("«6%»") }}{{ _(a) }}`,
    { ...DJANGO, keys: ["5%%", "6%%"], patterns: ["*"] },
  ],
  [
    "the function in a variable",
    "html",
    `{{ _("«a»") }}{{ x|default:_("«b»") }}{{ _('«c»')|upper }}`,
    DJANGO,
  ],
  [
    "the function in a tag",
    "html",
    `{% include "x" with a=_("«b»") %}{% if x == _("«c»") %}{% trans _("«d»") %}`,
    DJANGO,
  ],
  [
    "a block",
    "html",
    `{% blocktranslate %}«Hello there»{% endblocktranslate %}{% blocktrans %}«b»{% endblocktrans %}`,
    DJANGO,
  ],
  [
    "a block's values",
    "html",
    `{% blocktrans with a=b|c %}«It's {{ a }}, 5%»{% endblocktrans %}`,
    { ...DJANGO, keys: ["It's %(a)s, 5%%"] },
  ],
  [
    "a block with its white space, and trimmed",
    "html",
    `{% blocktrans %}«\n  a\n  b »{% endblocktrans %}{% blocktrans trimmed %}\n  «a\n  b» {% endblocktrans %}`,
    { ...DJANGO, keys: ["\n  a\n  b ", "a b"] },
  ],
  [
    "a counted block",
    "html",
    `{% blocktranslate count n=items|length trimmed %}«one {{ n }}»{% plural %}many {{ n }}{% endblocktranslate %}`,
    { ...DJANGO, keys: ["one %(n)s"] },
  ],
  ["a function in a block's tag", "html", `{% blocktrans with a=_("«b»") %}«c»{% endblocktrans %}`, DJANGO],
  ["a block that is not closed", "html", `{% blocktrans %}a{% if b %}c{% endif %}{% trans "«d»" %}`, DJANGO],
  [
    "comments",
    "html",
    `{# {% trans "a" %} #}{% comment "x" %}{% trans "b" %}{{ _("c") }}{% endcomment %}{% trans "«d»" %}`,
    DJANGO,
  ],
  [
    "expressions in attributes",
    "html",
    `<a title='{{ _("«a»") }}' b="{{ _('«c»') }}" d="x{{ y }}_('e')" {{ _("«f»") }}>`,
    DJANGO,
  ],
  ["HTML comments still run", "html", `<!-- {% trans "«a»" %} it's -->`, DJANGO],
  ["verbatim", "html", `{% verbatim %}{{ _("a") }}{% endverbatim %}{{ _("«b»") }}`, DJANGO],
  ["text", "html", `_("a") gettext("b") <p>it's trans "c"</p>{% trans "«d»" %}`, DJANGO],
  ["in a template by its own language", "django-html", `{% trans "«a»" %}`],

  ["Jinja's functions", "html", `{{ _("«a»") }}{{ gettext('«b»') }}{{ ngettext("«c»", "cs", n) }}`, JINJA],
  [
    "Jinja's expressions",
    "html",
    `{{ _("«a»" if x else "«b»") }}{% set y = _("«c " ~ "d»") %}{{ f(_("«e»")) }}`,
    { ...JINJA, keys: ["a", "b", "c d", "e"] },
  ],
  [
    "Jinja's block",
    "html",
    `{% trans %}«Hello {{ name }}»{% endtrans %}{% trans %}«Hi {{- name -}}»{% endtrans %}`,
    { ...JINJA, keys: ["Hello %(name)s", "Hi %(name)s"] },
  ],
  [
    "Jinja's per cent sign is two only beside a value",
    "jinja",
    `{% trans %}«5%»{% endtrans %}{% trans %}«5% {{ a }}»{% endtrans %}{{ _("«6%»") }}`,
    { keys: ["5%", "5%% %(a)s", "6%"] },
  ],
  [
    "Jinja's count, context and trimming",
    "jinja2",
    `{%- trans "fruit" n=items|length, trimmed -%}\n «one\n apple» \n{%- pluralize n -%}{{ n }} apples{%- endtrans -%}`,
    { keys: ["one apple"] },
  ],
  ["Jinja's raw text", "jinja", `{% raw %}{{ _("a") }}{% endraw %}{{ _("«b»") }}`],
];

describe("templates", () => {
  for (const given of cases) test(given[0], () => check(given));
});

test("reads contexts and counts", () => {
  const text = `{% trans "a" context "b" %}{% blocktrans context 'c' count n=n %}d{% plural %}e{% endblocktrans %}{% trans "f" context g %}`;
  const uses = find("html", text, options(["django", "gettext"]));
  expect(
    uses.map(({ context, plural, dynamicContext = false }) => [context, plural, dynamicContext]),
  ).toEqual([
    ["b", false, false],
    ["c", true, false],
    [null, false, true],
  ]);
  const [use] = find("jinja", `{% trans "fruit" %}apple{% endtrans %}`);
  expect(use).toMatchObject({ expression: { key: "apple" }, context: "fruit" });
});

test("ends a comment at its own delimiter", () => {
  const uses = find("html", `{# a #}{{ _("b") }}{% trans "c" %}{# _("d") %}`, options(["django", "gettext"]));
  expect(uses.map(({ expression }) => expression)).toMatchObject([{ key: "b" }, { key: "c" }]);
});

test("ignores plain HTML files of other projects", () => {
  const text = `{{ _("a") }}{% trans "b" %}`;
  expect(find("html", text, options())).toEqual([]);
  expect(find("html", text, options(["laravel", "vue-i18n", "gettext"]))).toEqual([]);
  expect(find("a/b.htm", text, options(["django"]))).toHaveLength(2);
});

// What Django's own tests of `makemessages` state.
test.each([
  [`{% translate "Tea" | upper context "menu" %}`, "menu|Tea"],
  [`{% translate "Tea" |upper as name context "menu" %}`, "menu|Tea"],
  [`{% translate "Tea"|add:" foo" context "menu" as name %}`, "menu|Tea"],
  [`{% translate "Tea"|add:'ûè本' as name context 'menu' %}`, "menu|Tea"],
  [`{% translate "Tea" | add:"foo" | add:2 context "menu" as name %}`, "menu|Tea"],
  [`{% translate "#: templates/a.html.py" %}`, "|#: templates/a.html.py"],
  [`{% blocktranslate count 2 context "menu" %}One{% plural %}Many{% endblocktranslate %}`, "menu|One"],
  [`{% blocktranslate context "menu" count 2 %}One{% plural %}Many{% endblocktranslate %}`, "menu|One"],
  [`{% blocktranslate with a=1 context "menu" %}Tea {{ a }}{% endblocktranslate %}`, "menu|Tea %(a)s"],
  [`{% blocktranslate %}\n  Two\n  lines.\n{% endblocktranslate %}`, "|\n  Two\n  lines.\n"],
  [`{% blocktranslate trimmed %}\n  Two\n  lines.\n{% endblocktranslate %}`, "|Two lines."],
  [`{% blocktranslate %}100% of {{ a }}{% endblocktranslate %}`, "|100%% of %(a)s"],
  [`{% translate "100% at" %}`, "|100%% at"],
])("%s", (text, found) => {
  const uses = find("html", text, options(["django", "gettext"]));
  expect(
    uses.map(
      ({ expression, context }) => `${context ?? ""}|${expression.kind === "static" ? expression.key : "*"}`,
    ),
  ).toEqual([found]);
});
