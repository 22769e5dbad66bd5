/** Further public issues about Svelte, Symfony with Twig, Python and Jinja. */
import type { IssueCase } from "./issue.ts";

const SVELTE = { frameworks: ["svelte-i18n"] } as const;
const SYMFONY = { frameworks: ["symfony"] } as const;
const PYTHON = { frameworks: ["gettext"] } as const;
const JINJA = { frameworks: ["jinja", "gettext"] } as const;

export const markup: readonly IssueCase[] = [
  [
    "kaisermann/svelte-i18n#24",
    "values for the text",
    "svelte",
    `{$_('«page_indicator»', { values: { currentPage: 1, totalPages: 10 } })}`,
    SVELTE,
  ],
  [
    "kaisermann/svelte-i18n#86",
    "named slots",
    "svelte",
    `<h3 slot="header">{$_('«dialog.title»')}</h3>\n<p slot="body">{$_('«dialog.body»')}</p>`,
    SVELTE,
  ],
  [
    "kaisermann/svelte-i18n#196",
    "a sentence with placeholders",
    "svelte",
    `{$_('«Copyright {year} {name}»', {values: {year: 2022, name: 'Some name'}})}`,
    SVELTE,
  ],
  [
    "symfony/symfony#20135",
    "a domain in PHP",
    "php",
    `<?php echo $view['translator']->trans( '«other-domain-test»', [], 'not_messages' );`,
    SYMFONY,
  ],
  [
    "symfony/symfony#48633",
    "values without a domain",
    "php",
    `<?php $this->translator->trans('«FOO»', ['%bar%' => 'BAR']);`,
    SYMFONY,
  ],
  [
    "twigphp/Twig#998",
    "domains of a filter",
    "twig",
    `{{ '«a»'|trans({}) }}{{ '«b»'|trans({}, 'tableHeaders') }}{{ var|trans }}`,
    { ...SYMFONY, scopes: ["-|", "tableHeaders|"], patterns: ["*"] },
  ],
  [
    "schmittjoh/JMSTranslationBundle#239",
    "a translator out of the container",
    "php",
    `<?php $translator = $this->get('translator');\n$message = $translator->trans('«FavTrans.No_trans_found»');`,
    SYMFONY,
  ],
  [
    "python-babel/babel#565",
    "an expression that Jinja cannot read elsewhere",
    "jinja",
    `<th>{{_('«Filename»')}}\n<small>({{ (files | filter:search).length }} files)</small></th>`,
    JINJA,
  ],
  [
    "pallets/jinja#365",
    "a text before a with",
    "jinja",
    `{% trans %}«Hello»{% endtrans %}\n{% with page=self %}{% endwith %}`,
    JINJA,
  ],
  [
    "niwinz/django-jinja#131",
    "values for the text",
    "jinja",
    `{{ _('«Hello %(name)s»', name=user.name) }}`,
    JINJA,
  ],
  [
    "niwinz/django-jinja#138",
    "both sides of and and or",
    "jinja",
    `{{ bool and _("«Translate me 1»") or _("«Translate me 2»") }}`,
    JINJA,
  ],
  [
    "frappe/frappe#26778",
    "a commented call is none",
    "python",
    `from frappe import _\n_("«success»")\n# _("failure")`,
    PYTHON,
  ],
];
