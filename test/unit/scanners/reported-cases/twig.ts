/** Public issues about Twig: filters, domains, arguments and tags. */
import type { IssueCase } from "./issue.ts";

const SYMFONY = { frameworks: ["symfony"] } as const;

export const twig: readonly IssueCase[] = [
  [
    "Haehnchen/idea-php-symfony2-plugin#662",
    "transchoice's domain comes after its count",
    "twig",
    `{{ '«key»' | transchoice(count, {'%var%': value}, 'domain') }}{{ '«key»' | trans({'%var%': value}, 'domain') }}`,
    { ...SYMFONY, scopes: ["domain|", "domain|"], plurals: [true, false] },
  ],
  [
    "Haehnchen/idea-php-symfony2-plugin#1253",
    "a filter in the count",
    "twig",
    `{{ '«too_many_requests.retry»'|transchoice(seconds|round, {}, 'security')|raw }}`,
    { ...SYMFONY, scopes: ["security|"] },
  ],
  [
    "Haehnchen/idea-php-symfony2-plugin#1874",
    "a list of values",
    "twig",
    `{{ '«loading.table.sales»'|trans([], 'messages') }}`,
    { ...SYMFONY, scopes: ["messages|"] },
  ],
  [
    "Haehnchen/idea-php-symfony2-plugin#476",
    "the template's domain, with dashes and trimmed",
    "twig",
    `{% trans_default_domain "my-domain" -%}\n<title>{{ '«page.title»'|trans }}</title>`,
    { ...SYMFONY, scopes: ["my-domain|"] },
  ],
  [
    "Haehnchen/idea-php-symfony2-plugin#293",
    "a filter behind trans",
    "twig",
    `{% trans_default_domain 'AcmeBundle' %}{{ '«form.tab.profile»'|trans|desc('Profile') }}{{ '«form.tab.mail»'|trans({}, 'Other')|desc('Mail') }}`,
    { ...SYMFONY, scopes: ["AcmeBundle|", "Other|"] },
  ],
  [
    "symfony/symfony#10859",
    "the template's domain beside a named argument",
    "twig",
    `{% trans_default_domain 'foo' %}{{ '«a»'|trans(locale='fr') }}{{ '«b»'|trans({}, domain='bar', locale='fr') }}`,
    { ...SYMFONY, scopes: ["foo|", "bar|"] },
  ],
  [
    "symfony/symfony#12414",
    "tags beside filters",
    "twig",
    `{% trans %}«trans tag»{% endtrans %}\n{{ '«trans filter»'|trans }}\n{% transchoice 1 %}«transchoice tag»{% endtranschoice %}`,
    { ...SYMFONY, plurals: [false, false, true] },
  ],
  [
    "symfony/language-tools#62",
    "a domain within a component",
    "twig",
    `<twig:Button variant="ghost">\n    {{ '«layout.base.exit»'|trans(domain: 'pages') }}\n</twig:Button>`,
    { ...SYMFONY, scopes: ["pages|"] },
  ],
  [
    "EasyCorp/EasyAdminBundle#7257",
    "a text without a domain",
    "twig",
    `{{ '«action.toggle_dropdown»'|trans }}`,
    { ...SYMFONY, scopes: ["-|"] },
  ],
  [
    "enupal/translate#26",
    "a string of another tag is no text",
    "twig",
    `{% include '_svg/arrow.svg' %}{{'«side_search»'|t}}`,
    { frameworks: ["craft"] },
  ],
];
