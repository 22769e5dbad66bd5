/** Extracts texts from code: «…» marks the selection. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { describe, expect, test } from "vitest";
import { proposeKeyName, slugOf } from "../../../../src/workspace/extract-text/suggest-key-name.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { codeFile, extract, type ExtractLanguage } from "./extracted.ts";

describe("extract", () => {
  test.each<[string, ExtractLanguage, FrameworkName, string, string]>([
    ["return «'Your cart'»;", "php", "laravel", "Your cart", "return __('shop.new');"],
    ["return '«It\\'s late»';", "php", "laravel", "It's late", "return __('shop.new');"],
    [
      'echo «"Hello $user->name, {$cart->count()} items"»;',
      "php",
      "laravel",
      "Hello :name, :count items",
      "echo __('shop.new', ['name' => $user->name, 'count' => $cart->count()]);",
    ],
    ["echo «'Save'»;", "php", "wordpress", "Save", "echo __( 'shop.new' );"],
    ['echo «"Hi $name"»;', "php", "wordpress", "Hi %1$s", "echo sprintf( __( 'shop.new' ), $name );"],
    [
      "<p>«Hello {{ $user->name }}!»</p>",
      "blade",
      "laravel",
      "Hello :name!",
      "<p>{{ __('shop.new', ['name' => $user->name]) }}</p>",
    ],
    ["<p>\n  «Two\n  lines» </p>", "blade", "laravel", "Two lines", "<p>\n  {{ __('shop.new') }} </p>"],
    ['<a title="«Go on»">', "blade", "laravel", "Go on", "<a title=\"{{ __('shop.new') }}\">"],
    ["{{ ucfirst(«'save'») }}", "blade", "laravel", "save", "{{ ucfirst(__('shop.new')) }}"],
    ["const a = «'Save all'»;", "javascript", "i18next", "Save all", "const a = t('shop.new');"],
    [
      "const a = «`Hi ${name}, ${a.total} more`»;",
      "javascript",
      "i18next",
      "Hi {{name}}, {{total}} more",
      'const a = t("shop.new", { name, total: a.total });',
    ],
    ["<b>«Save»</b>", "javascript", "i18next", "Save", '<b>{t("shop.new")}</b>'],
    [
      "<b>«Hello {user.name}!»</b>",
      "javascript",
      "next-intl",
      "Hello {name}!",
      '<b>{t("shop.new", { name: user.name })}</b>',
    ],
    ['<b title=«"Save"» />', "javascript", "i18next", "Save", '<b title={t("shop.new")} />'],
    [
      "<template><p>«Hi {{ name }}»</p></template>",
      "vue",
      "vue-i18n",
      "Hi {name}",
      '<template><p>{{ $t("shop.new", { name }) }}</p></template>',
    ],
    [
      "<script>let name;</script><p>«Hi {name}!»</p>",
      "svelte",
      "svelte-i18n",
      "Hi {name}!",
      '<script>let name;</script><p>{$t("shop.new", { values: { name } })}</p>',
    ],
    [
      "<script>const a = «'Save'»; $_('b')</script>",
      "svelte",
      "svelte-i18n",
      "Save",
      "<script>const a = $_('shop.new'); $_('b')</script>",
    ],
    ['<b title="«Save»">', "svelte", "svelte-i18n", "Save", '<b title={$t("shop.new")}>'],
    ['<b title="«Save\n  all»">', "svelte", "svelte-i18n", "Save all", '<b title={$t("shop.new")}>'],
    [
      "<p>«Hi {{ user.name }}!»</p>",
      "twig",
      "symfony",
      "Hi %name%!",
      "<p>{{ 'shop.new'|trans({ '%name%': user.name }) }}</p>",
    ],
    ["{{ «'Save'»|upper }}", "twig", "symfony", "Save", "{{ 'shop.new'|trans|upper }}"],
    ['<b title="«Save»">', "twig", "symfony", "Save", "<b title=\"{{ 'shop.new'|trans }}\">"],
    [
      "<p>«Hi {{ name }}»</p>",
      "twig",
      "craft",
      "Hi {name}",
      "<p>{{ 'shop.new'|t('site', { name: name }) }}</p>",
    ],
    [
      "<p>«Hi {{ name }}»</p>",
      "twig",
      "laravel",
      "Hi :name",
      "<p>{{ trans('shop.new', { 'name': name }) }}</p>",
    ],
    ["<p>«Hi {{ name }}»</p>", "twig", "wordpress", "Hi %1$s", "<p>{{ __('shop.new')|format(name) }}</p>"],
    [
      '<template><p title="«Save»"/></template>',
      "vue",
      "vue-i18n",
      "Save",
      "<template><p :title=\"$t('shop.new')\"/></template>",
    ],
    [
      "<script>\nconst a = «'Save'»;\n</script>",
      "vue",
      "vue-i18n",
      "Save",
      "<script>\nconst a = t('shop.new');\n</script>",
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });

  test.each<[string, ExtractLanguage]>([
    ["return «$cart->title()»;", "php"],
    ["<p>«One <b>two</b> three»</p>", "blade"],
    ["{{ «$name» }}", "blade"],
    ["define(«'Some name'», 1);", "php"],
    ["\\define(«'Some name'», 1);", "php"],
    ["\\Illuminate\\Support\\trans(«'Some name'»);", "php"],
    ["include «'some name'»;", "php"],
    ["const «name» = 1;", "javascript"],
    ["const a = «'123'»;", "javascript"],
    ["<p>«»</p>", "blade"],
  ])("offers nothing for %s", async (marked, language) => {
    expect(await extract(marked, language, "laravel")).toBeNull();
  });
});

describe("extract with texts as keys", () => {
  const DJANGO = ["django", "gettext"] as const;
  const IMPORTED = "from django.utils.translation import gettext as _\n";

  test.each<[string, ExtractLanguage, readonly FrameworkName[], string, string]>([
    ["echo «'Save'»;", "php", ["wordpress"], "Save", "echo __( 'Save', 'shop' );"],
    [
      'echo «"Hi $name"»;',
      "php",
      ["wordpress"],
      "Hi %1$s",
      "echo sprintf( __( 'Hi %1$s', 'shop' ), $name );",
    ],
    ["a = «'Save'»;", "javascript", ["wordpress"], "Save", "a = __( 'Save', 'shop' );"],
    ["<b>«It's late»</b>", "javascript", ["wordpress"], "It's late", `<b>{__( "It's late", "shop" )}</b>`],
    [
      "a = «`Hi ${b}`»;",
      "javascript",
      ["wordpress"],
      "Hi %1$s",
      `a = sprintf( __( "Hi %1$s", "shop" ), b );`,
    ],
    ["a = «'Save'»;", "javascript", ["gettext"], "Save", "a = gettext('Save');"],
    [
      "a = «`Hi ${b.c}`»;",
      "javascript",
      DJANGO,
      "Hi %(c)s",
      `a = interpolate(gettext("Hi %(c)s"), { c: b.c }, true);`,
    ],
    [`${IMPORTED}a = «"Save"»\n`, "python", DJANGO, "Save", `${IMPORTED}a = _("Save")\n`],
    [`${IMPORTED}a = '«It\\'s 5%»'\n`, "python", DJANGO, "It's 5%", `${IMPORTED}a = _('It\\'s 5%')\n`],
    [
      `${IMPORTED}f(«f"Hi {user.name}, {n}%"», x)`,
      "python",
      DJANGO,
      "Hi %(name)s, %(n)s%%",
      `${IMPORTED}f(_("Hi %(name)s, %(n)s%%") % {"name": user.name, "n": n}, x)`,
    ],
    [
      `${IMPORTED}a = «f'Hi {n}'».upper()`,
      "python",
      DJANGO,
      "Hi %(n)s",
      `${IMPORTED}a = (_('Hi %(n)s') % {'n': n}).upper()`,
    ],
    [
      `${IMPORTED}a = «f"Total:{n}"»`,
      "python",
      DJANGO,
      "Total:%(n)s",
      `${IMPORTED}a = _("Total:%(n)s") % {"n": n}`,
    ],
    [
      `${IMPORTED}a = «f"Hi {who(a=1)}"»`,
      "python",
      DJANGO,
      "Hi %(who)s",
      `${IMPORTED}a = _("Hi %(who)s") % {"who": who(a=1)}`,
    ],
    [`${IMPORTED}a = «"""One\ntwo"""»`, "python", DJANGO, "One\ntwo", `${IMPORTED}a = _("One\\ntwo")`],
    [
      `import os\n\n\ndef f():\n    return «"Save"»\n`,
      "python",
      DJANGO,
      "Save",
      `import os\n${IMPORTED}\n\ndef f():\n    return _("Save")\n`,
    ],
    [
      `from a import (\n    b,\n)\n\nclass A(b):\n    name = «"Save"»\n`,
      "python",
      DJANGO,
      "Save",
      `from a import (\n    b,\n)\nfrom django.utils.translation import gettext_lazy as _\n\nclass A(b):\n    name = _("Save")\n`,
    ],
    [
      `class A:\n    name = «"Save"»\n\ndef f():\n    pass\n`,
      "python",
      DJANGO,
      "Save",
      `from django.utils.translation import gettext_lazy as _\n\nclass A:\n    name = _("Save")\n\ndef f():\n    pass\n`,
    ],
    [
      `"""Doc."""\nprint(«"Save"»)`,
      "python",
      ["gettext"],
      "Save",
      `"""Doc."""\nfrom gettext import gettext as _\n\nprint(_("Save"))`,
    ],
    [
      `from gettext import gettext\nprint(«"Save"»)`,
      "python",
      ["gettext"],
      "Save",
      `from gettext import gettext\nprint(gettext("Save"))`,
    ],
    ["<b>«Save»</b>", "django", DJANGO, "Save", `{% load i18n %}\n<b>{% translate "Save" %}</b>`],
    [
      `{% extends "a" %}\n<b>«Save»</b>`,
      "django",
      DJANGO,
      "Save",
      `{% extends "a" %}\n{% load i18n %}\n<b>{% translate "Save" %}</b>`,
    ],
    [
      "{% load i18n %}<b>«Hi {{ user.name|title }}, {{ n }} at 5%»</b>",
      "django",
      DJANGO,
      "Hi %(title)s, %(n)s at 5%%",
      "{% load i18n %}<b>{% blocktranslate with title=user.name|title %}Hi {{ title }}, {{ n }} at 5%{% endblocktranslate %}</b>",
    ],
    [
      `{% load i18n %}<a title="«5% off»">`,
      "django",
      DJANGO,
      "5%% off",
      `{% load i18n %}<a title="{% translate '5% off' %}">`,
    ],
    [
      `{% load i18n %}{{ a|default:«"None"» }}`,
      "django",
      DJANGO,
      "None",
      `{% load i18n %}{{ a|default:_("None") }}`,
    ],
    [
      `{% load i18n %}{% firstof a «"Nobody here"»%}`,
      "django",
      DJANGO,
      "Nobody here",
      `{% load i18n %}{% firstof a _("Nobody here")%}`,
    ],
    [`{{ a or «"None"»}}`, "jinja", ["jinja", "gettext"], "None", `{{ a or _("None")}}`],
    // HTML is a template of Angular where the project has it, too.
    [
      "<b>«Save it»</b>",
      "angular",
      [...DJANGO, "ngx-translate"],
      "Save it",
      "<b>{{ 'Save it' | translate }}</b>",
    ],
    [`<b>«Say "hi"»</b>`, "jinja", ["jinja", "gettext"], `Say "hi"`, `<b>{{ _("Say \\"hi\\"") }}</b>`],
    [
      "<b>«Hi {{ user.name }}»</b>",
      "jinja",
      ["jinja", "gettext"],
      "Hi %(name)s",
      "<b>{% trans name=user.name %}Hi {{ name }}{% endtrans %}</b>",
    ],
  ])("%s in %s with %s", async (marked, language, frameworks, text, after) => {
    const domains = frameworks.includes("wordpress") ? ["shop"] : [];
    expect(await extract(marked, language, frameworks, null, domains)).toEqual([text, after]);
  });

  test.each<[string, ExtractLanguage]>([
    [`_(«"Save"»)`, "python"],
    [`a = «f"{n:>10} items"»`, "python"],
    [`a = «f"{n!r} items"»`, "python"],
    [`a = «f"{n=} items"»`, "python"],
    [`a = «f"{ } items"»`, "python"],
    [`a = «"one " "two"»`, "python"],
    [`a = «"one "» "two"`, "python"],
    [`a = «b"bytes"»`, "python"],
    [`«name» = 1`, "python"],
    [`# «a comment»`, "python"],
    ["{% translate «'Save'» %}", "django"],
    ["{% blocktranslate %}«Save»{% endblocktranslate %}", "django"],
    ["<b>«Hi {% if a %}b{% endif %}»</b>", "django"],
    ["<b «class»>", "django"],
    ["<script>a = '«Save»'</script>", "django"],
    ["{{ «name» }}", "django"],
    ["{# «Save» #}", "jinja"],
  ])("offers nothing for %s", async (marked, language) => {
    expect(await extract(marked, language, DJANGO)).toBeNull();
  });
});

describe("the proposed key name", () => {
  const needs = {
    neighbours: [],
    isTaken: () => false,
    namespaces: new Set<string>(),
    path: "",
    isText: false,
  };
  const name = (namespace: string, key: string) => ({ namespace, key, context: null });

  test("uses the first words without placeholders and accents", () => {
    expect(slugOf("Élan: :count naïve things for {{name}} and more words")).toBe("elan_naive_things_for");
    expect(slugOf("…")).toBe("text");
  });

  test("is placed next to the other keys of the file", () => {
    const neighbours = [name("mail", "hi"), name("cart", "title"), name("cart", "total")];
    expect(proposeKeyName("Save all", { ...needs, neighbours })).toEqual(name("cart", "save_all"));
    const inNamespace = [name("shop", "dialog.ok"), name("shop", "dialog.no")];
    expect(proposeKeyName("Save all", { ...needs, neighbours: inNamespace })).toEqual(
      name("shop", "save_all"),
    );
    const dotted = [name("*", "cart.title"), name("*", "cart.total")];
    expect(proposeKeyName("Save all", { ...needs, neighbours: dotted })).toEqual(name("*", "cart.save_all"));
  });

  test("starts with the file's name if the file has no keys yet", () => {
    const namespaces = new Set(["checkout", "cart"]);
    const path = "resources/views/checkout/done.blade.php";
    expect(proposeKeyName("Thanks", { ...needs, namespaces, path })).toEqual(name("checkout", "thanks"));
    expect(proposeKeyName("Thanks", { ...needs, path: "src/CartPage.tsx" })).toEqual(
      name("*", "cartpage.thanks"),
    );
  });

  test("starts with the namespace nearest to the file, the first one, or a name made of the file's", () => {
    const of = (path: string, ...namespaces: readonly string[]) =>
      proposeKeyName("Thanks", { ...needs, path, namespaces: new Set(namespaces) });
    expect(of("cart/checkout/done.ts", "cart", "checkout")).toEqual(name("checkout", "thanks"));
    expect(of("views/checkout.blade.php", "cart", "checkout")).toEqual(name("checkout", "thanks"));
    expect(of("views/done.ts", "shop", "cart")).toEqual(name("cart", "thanks"));
    expect(of("views/done.ts", "shop", "*")).toEqual(name("*", "done.thanks"));
    expect(of("views/Cart_page.blade.php")).toEqual(name("*", "cart-page.thanks"));
  });

  test("is as the code's namespace and prefix say, also where that name is taken", () => {
    const nameOf = (written: string, namespace: string) => name("shop", `${namespace}.menu.${written}`);
    const isTaken = ({ key }: { readonly key: string }) => key === "cart.menu.save";
    const neighbours = [name("cart", "title")];
    expect(proposeKeyName("Save", { ...needs, neighbours, nameOf, isTaken })).toEqual(
      name("shop", "cart.menu.save2"),
    );
  });

  test("is made unique if taken, and is the text itself where texts are keys", () => {
    const isTaken = ({ key }: { readonly key: string }) => key === "x.save" || key === "x.save2";
    expect(proposeKeyName("Save", { ...needs, path: "x.ts", isTaken }).key).toBe("x.save3");
    expect(proposeKeyName("Save all", { ...needs, isText: true })).toEqual(name("*", "Save all"));
  });

  test("uses the namespace of the text domain, or that of the file's other texts", () => {
    const texts = { ...needs, isText: true };
    const two = new Set(["shop", "django"]);
    expect(proposeKeyName("Save", { ...texts, namespaces: two, domain: "shop" }).namespace).toBe("shop");
    expect(proposeKeyName("Save", { ...texts, namespaces: two, domain: "other" }).namespace).toBe("*");
    const neighbours = [name("django", "Open")];
    expect(proposeKeyName("Save", { ...texts, namespaces: two, neighbours }).namespace).toBe("django");
    const unknown = { ...texts, namespaces: two, neighbours, domain: "other" };
    expect(proposeKeyName("Save", unknown).namespace).toBe("*");
    expect(proposeKeyName("Save", { ...texts, namespaces: new Set(["django"]) }).namespace).toBe("django");
  });
});

test("writes placeholders between the delimiters of the project, or nothing", async () => {
  const path = join(import.meta.dirname, "../../../fixtures/frameworks/i18next-interpolation/App.tsx");
  const text = readFileSync(path, "utf8");
  const frameworks: ReadonlySet<FrameworkName> = new Set(["i18next"] as const);
  const interpolation = { prefix: "%{", suffix: "}" };
  const options = { frameworks, functions: [], interpolation };
  const at = (code: string, selected: string) => {
    const start = code.indexOf(selected);
    return extractionAt(codeFile("App.tsx", code, options), { start, end: start + selected.length });
  };
  const found = await at(text, "Welcome back, ${user}");
  expect(found?.text).toBe("Welcome back, %{user}");
  expect(applySplices(text, found?.splicesFor("welcome") ?? [])).toContain('t("welcome", { user })');
  expect(await at("const a = `50 %{x} ${user}`;", "50 %{x} ${user}")).toBeNull();
});

test.each<[frameworks: readonly FrameworkName[], path: string, code: string, domain: string | undefined]>([
  [["wordpress"], "a.php", "<?php f('Save');", "shop"],
  [["laravel"], "a.php", "<?php f('Save');", undefined],
  [["wordpress"], "a.ts", "f('Save');", "shop"],
  [["django", "gettext"], "a.ts", "f('Save');", undefined],
  [["wordpress", "django", "gettext"], "a.py", "f('Save')", undefined],
  [["wordpress", "django", "gettext"], "a.djhtml", "<p>Save</p>", undefined],
  [["wordpress", "jinja", "gettext"], "a.jinja", "<p>Save</p>", undefined],
])(
  "with %j the text of a call in %s has a domain where calls name one: %s",
  async (frameworks, path, code, domain) => {
    const options = { frameworks: new Set(frameworks), functions: [], domains: new Set(["shop", "other"]) };
    const start = code.indexOf("Save");
    const found = await extractionAt(codeFile(path, code, options), { start, end: start + 4 });
    expect([found?.text, found?.domain]).toEqual(["Save", domain]);
  },
);

test("takes no texts that are too long, and none of files that are", async () => {
  const options = { frameworks: new Set(["laravel" as const]), functions: [] };
  const found = async (length: number, textLength: number): Promise<number | undefined> => {
    const code = `<?php f('${"a".repeat(textLength)}');`.padEnd(length);
    return (await extractionAt(codeFile("a.php", code, options), { start: 9, end: 9 + textLength }))?.text
      .length;
  };
  expect(await found(0, 5_000)).toBe(5_000);
  expect(await found(0, 5_001)).toBeUndefined();
  expect(await found(1_000_000, 9)).toBe(9);
  expect(await found(1_000_001, 9)).toBeUndefined();
});

test("text after an inner template of Vue is of the component’s", async () => {
  const before = "<template><p><template #a>A</template>«Your cart»</p></template>\n<i18n>text</i18n>";
  expect(await extract(before, "vue", "vue-i18n")).toEqual([
    "Your cart",
    before.replace("«Your cart»", '{{ $t("shop.new") }}'),
  ]);
  const after = before.replace("«Your cart»", "Your cart").replace("text", "«text»");
  expect(await extract(after, "vue", "vue-i18n")).toBeNull();
});

test("the same long code is read anew in another language", async () => {
  const code = `const a = <b>«Save it»</b>;\n${"// A comment.\n".repeat(100)}`;
  const found = async (language: ExtractLanguage) => (await extract(code, language, "i18next"))?.[0];
  expect([await found("tsx"), await found("typescript"), await found("tsx")]).toEqual([
    "Save it",
    undefined,
    "Save it",
  ]);
});

test("spaces beside a value stay in the text", async () => {
  const code = "const a = <p>«{count} items of {name} are left»</p>;";
  expect(await extract(code, "tsx", "i18next")).toEqual([
    "{{count}} items of {{name}} are left",
    'const a = <p>{t("shop.new", { count, name })}</p>;',
  ]);
});
