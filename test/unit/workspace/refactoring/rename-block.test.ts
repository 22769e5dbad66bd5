/** Renames keys that are the text of a template block. */
import { expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { NameWriter } from "../../../../src/workspace/refactoring/write-key-in-code.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { options } from "../../scanners/marked.ts";

const DJANGO: readonly FrameworkName[] = ["django", "gettext"];
const JINJA: readonly FrameworkName[] = ["jinja", "gettext"];

/** The template after its first use got the name; `null`: it cannot be said there. */
function renamed(
  path: string,
  text: string,
  name: string,
  frameworks: readonly FrameworkName[],
): string | null {
  const language = usageLanguageFor(path);
  const given = options(frameworks);
  const use = language?.find(text, given)[0];
  if (language === undefined || use === undefined) throw new Error(`no use in ${text}`);
  const splice = new NameWriter(text, use, language, given).spliceFor(name);
  return splice && applySplices(text, [splice]);
}

test.each([
  [
    "{% blocktranslate with name=user.name %}Hello {{ name }}, 5%{% endblocktranslate %}",
    "Hi %(name)s, 6%%",
    "{% blocktranslate with name=user.name %}Hi {{ name }}, 6%{% endblocktranslate %}",
  ],
  [
    "{% blocktrans trimmed %}\n  One\n  two\n{% endblocktrans %}",
    "Three",
    "{% blocktrans trimmed %}\n  Three\n{% endblocktrans %}",
  ],
  [
    "{% blocktranslate count n=n %}{{ n }} day{% plural %}{{ n }} days{% endblocktranslate %}",
    "%(n)s night",
    "{% blocktranslate count n=n %}{{ n }} night{% plural %}{{ n }} days{% endblocktranslate %}",
  ],
  [
    "{% blocktranslate %}{{ a }} of {{ b }}{% endblocktranslate %}",
    "%(b)s: %(a)s",
    "{% blocktranslate %}{{ b }}: {{ a }}{% endblocktranslate %}",
  ],
  // Its tag does not have the value, or would keep one that is not said.
  ["{% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", "Hello %(user)s", null],
  ["{% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", "Hello", null],
  // What would be a tag, or is taken away where the block is trimmed.
  ["{% blocktranslate %}Hello{% endblocktranslate %}", "Hello {% x %}", null],
  ["{% blocktranslate trimmed %}Hello{% endblocktranslate %}", " Hello", null],
  // A literal in a tag.
  ['{% translate "Hello" %}', "Hi", '{% translate "Hi" %}'],
])("renames in Django %j to %j", (text, name, expected) => {
  expect(renamed("a.html", text, name, DJANGO)).toBe(expected);
});

test.each([
  [
    "a.jinja",
    "{% trans name=user.name %}Hello {{ name }}: 5%{% endtrans %}",
    "%(name)s: 6%%",
    JINJA,
    "{% trans name=user.name %}{{ name }}: 6%{% endtrans %}",
  ],
  ["a.jinja", "{% trans %}5%{% endtrans %}", "6%", JINJA, "{% trans %}6%{% endtrans %}"],
  ["a.jinja", "{% trans %}5%{% endtrans %}", "6%%", JINJA, "{% trans %}6%%{% endtrans %}"],
  ["a.twig", "{% trans %}Hello %name%{% endtrans %}", "Hi %name%", [], "{% trans %}Hi %name%{% endtrans %}"],
  // What follows would become a comment.
  ["a.twig", "{% trans %}Hello{% endtrans %}{{ 'b'|trans }}", "Hi {# a", [], null],
] as const)("renames in %s %j to %j", (path, text, name, frameworks, expected) => {
  expect(renamed(path, text, name, frameworks)).toBe(expected);
});
