/** Public issues about gettext in Python, Django and Jinja. */
import type { IssueCase } from "./issue.ts";

const DJANGO = { frameworks: ["django", "gettext"] } as const;

export const python: readonly IssueCase[] = [
  [
    "python-babel/babel#594",
    "an f-string is no key",
    "python",
    `from gettext import gettext as _\ndef main():\n    foo = "foo"\n    print(_(f"Hello {foo}"))`,
    { patterns: ["Hello *"] },
  ],
  [
    "python-babel/babel#715",
    "an f-string with nothing before its value",
    "python",
    `_(f"{x}")\n_("«a»")`,
    { patterns: ["*"] },
  ],
  ["python-babel/babel#1001", "a call in an f-string", "python", `f'<label>{gettext("«Title»")}:</label>'`],
  [
    "python-babel/babel#1060",
    "a call with other quotes in an f-string",
    "python",
    `f"some string to {_('«translate»')}"`,
  ],
  [
    "python-babel/flask-babel#210",
    "a call in an f-string of three quotes",
    "python",
    `s = f"""\nSELECT * FROM aa\nit's ...\n{_("«abc»")}\nWHERE b=1\n"""`,
  ],
  [
    "python-babel/babel#1193",
    "values that are put in afterwards",
    "python",
    `_("«国际化 {} {}»").format(s1, s2)`,
  ],
  [
    "python-babel/babel#1027",
    "an f-string without values, beside another",
    "python",
    `_(f"«foo" f"bar»")`,
    { keys: ["foobar"] },
  ],
  [
    "python-babel/babel#996",
    "strings in parentheses of their own",
    "python",
    `_((\n    "«This is a very long string that should be split.\\n"\n    "It is»"\n), 'lines')`,
    { keys: ["This is a very long string that should be split.\nIt is"] },
  ],
  [
    "python-babel/babel#487",
    "a call among a call's values",
    "python",
    `_('«You have {fruit}!»', fruit=_('«an apple»'))`,
  ],
  [
    "python-babel/babel#1125",
    "a call deep in a call's values",
    "python",
    `_(\n    "«dummy»",\n    nested_call(\n        _("«deeply nested call»")\n    )\n)`,
  ],
  [
    "odoo/odoo#184173",
    "calls in a list in a call",
    "python",
    `_(\n    "«Hello %s»",\n    f(", ".join([_("«Person 1»"), _("«Person 2»")])),\n)`,
  ],
  [
    "python-babel/babel#415",
    "a literal that is a part of an expression",
    "python",
    `_('foo' + bar)\n_(bar['foo'])`,
    { patterns: ["foo*", "*"] },
  ],
  [
    "python-babel/babel#1195",
    "behind a comment, on a line of its own",
    "python",
    `StringWithMeta(\n    # NOTE: it's a test\n    string=_(\n        '«Text on a new line»'\n    ),\n)`,
  ],
  [
    "searxng/searxng#3413",
    "a text behind one that cannot be told",
    "python",
    `gettext(f"a {b}"); gettext("«c»")`,
    { patterns: ["a *"] },
  ],
];

export const templates: readonly IssueCase[] = [
  [
    "niwinz/django-jinja#255",
    "a trimmed block with a plural",
    "jinja",
    `{% trans trimmed %}\n  «#{{ invoice_count }} invoice»\n{% pluralize %}\n  #{{ invoice_count }} invoices\n{% endtrans %}`,
    { keys: ["#%(invoice_count)s invoice"], plurals: [true] },
  ],
  [
    "niwinz/django-jinja#273",
    "Django's tag in a project with Jinja",
    "html",
    `{% trans "«a»" %}{% trans %}«b»{% endtrans %}`,
    { frameworks: ["django", "jinja", "gettext"] },
  ],
  [
    "niwinz/django-jinja#314",
    "blocks of both in one file",
    "jinja",
    `{{ _("«This works»") }}\n{% trans %}«This too»{% endtrans %}\n{% blocktrans %}«And this»{% endblocktrans %}`,
  ],
  ["niwinz/django-jinja#104", "dashes in the tags", "jinja", `{% trans -%}«some text»{%- endtrans %}`],
  [
    "niwinz/django-jinja#174",
    "a macro's argument",
    "jinja",
    `{% macro test1(arg1=None) %}{% endmacro %}{{ test1(arg1=_("«test string»")) }}`,
  ],
  ["niwinz/django-jinja#175", "in an expression", "jinja", `{{ False or _("«test string»") }}`],
  [
    "niwinz/django-jinja#210",
    "the first argument of a macro",
    "jinja",
    `{{ jinja_macro(_('«Hello World»'), arg_1) }}`,
  ],
  [
    "coffin/coffin#56",
    "in an object of an argument",
    "jinja",
    `{{ form.input(f.username, width="2", attrs={'placeholder':_("«User to invite...»")}) }}`,
  ],
  [
    "pallets/jinja#172",
    "beside tags of others",
    "jinja",
    `{%trans%}«My title»{%endtrans%}{% with foo=42 %}{{foo}} {%trans%}«My foo»{%endtrans%}{% endwith %}`,
  ],
  [
    "pallets/jinja#54",
    "beside tags that are not closed",
    "jinja",
    `{% trans %}«Test»{% endtrans %}\n{% with %}`,
  ],
  [
    "python-babel/babel#93",
    "beside an empty tag and unknown ones",
    "jinja",
    `{% import "x.html" as form %}{% %}{% formfill form_data with errors %}<h1> {{ _('«Home»') }} </h1>`,
  ],
  [
    "python-babel/babel#1262",
    "a macro's default",
    "jinja",
    `{% macro test(text=_('«color»')) %}<p>{{ text }}</p>{% endmacro %}`,
  ],
  [
    "mbi/django-rosetta#122",
    "a per cent sign is two in the catalogue",
    "html",
    `{% trans "«Garantie: App ist 100% gratis!»" %}`,
    { ...DJANGO, keys: ["Garantie: App ist 100%% gratis!"] },
  ],
  [
    "python-babel/django-babel#43",
    "and in a block",
    "html",
    `{% blocktrans %}«100% of {{ a }}»{% endblocktrans %}`,
    { ...DJANGO, keys: ["100%% of %(a)s"] },
  ],
  [
    "nsupdate-info/nsupdate.info#153",
    "white space of a block, as it is and trimmed",
    "html",
    `{% blocktrans %}«\n  a\n»{% endblocktrans %}{% blocktrans trimmed %}\n  «a\n  b»\n{% endblocktrans %}`,
    { ...DJANGO, keys: ["\n  a\n", "a b"] },
  ],
];
