/** Texts taken out of code: «…» marks the selection. */
import { describe, expect, test } from "vitest";
import { extractionAt, wordsOf, type ExtractLanguage } from "../../../src/core/extract.ts";
import { proposedName } from "../../../src/core/extract-name.ts";
import type { Framework } from "../../../src/core/usages/usage.ts";

/** The text of the key, and the document afterwards; `null`: nothing to take out. */
function extract(marked: string, language: ExtractLanguage, framework: Framework, key = "shop.new") {
  const start = marked.indexOf("«");
  const text = marked.replace("«", "").replace("»", "");
  const end = marked.indexOf("»") - 1;
  const found = extractionAt(text, { start, end }, language, new Set([framework]));
  if (found === null) return null;
  const { span } = found;
  return [found.text, text.slice(0, span.start) + found.codeFor(key) + text.slice(span.end)];
}

describe("extraction", () => {
  test.each<[string, ExtractLanguage, Framework, string, string]>([
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
    ['<b title=«"Save"»>', "javascript", "i18next", "Save", '<b title={t("shop.new")}>'],
    [
      "<template><p>«Hi {{ name }}»</p></template>",
      "vue",
      "vue-i18n",
      "Hi {name}",
      '<template><p>{{ $t("shop.new", { name }) }}</p></template>',
    ],
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
  ])("%s in %s with %s", (marked, language, framework, text, after) => {
    expect(extract(marked, language, framework)).toEqual([text, after]);
  });

  test.each<[string, ExtractLanguage]>([
    ["return «$cart->title()»;", "php"],
    ["<p>«One <b>two</b> three»</p>", "blade"],
    ["{{ «$name» }}", "blade"],
    ["const «name» = 1;", "javascript"],
    ["const a = «'123'»;", "javascript"],
    ["<p>«»</p>", "blade"],
  ])("%s is no text", (marked, language) => {
    expect(extract(marked, language, "laravel")).toBeNull();
  });
});

describe("the proposed name", () => {
  const needs = {
    neighbours: [],
    isTaken: () => false,
    namespaces: new Set<string>(),
    path: "",
    isText: false,
  };
  const name = (namespace: string, key: string) => ({ namespace, key, context: null });

  test("is made of the first words, without placeholders and accents", () => {
    expect(wordsOf("Élan: :count naïve things for {{name}} and more words")).toBe("elan_naive_things_for");
    expect(wordsOf("…")).toBe("text");
  });

  test("stands where the file's other keys are", () => {
    const neighbours = [name("cart", "title"), name("cart", "total"), name("mail", "hi")];
    expect(proposedName("Save all", { ...needs, neighbours })).toEqual(name("cart", "save_all"));
    const dotted = [name("*", "cart.title"), name("*", "cart.total")];
    expect(proposedName("Save all", { ...needs, neighbours: dotted })).toEqual(name("*", "cart.save_all"));
  });

  test("goes by the file's own name where it has no keys yet", () => {
    const namespaces = new Set(["checkout", "cart"]);
    const path = "resources/views/checkout/done.blade.php";
    expect(proposedName("Thanks", { ...needs, namespaces, path })).toEqual(name("checkout", "thanks"));
    expect(proposedName("Thanks", { ...needs, path: "src/CartPage.tsx" })).toEqual(
      name("*", "cartpage.thanks"),
    );
  });

  test("is another one when it is taken, and the text itself where texts are keys", () => {
    const isTaken = ({ key }: { readonly key: string }) => key === "x.save" || key === "x.save_2";
    expect(proposedName("Save", { ...needs, path: "x.ts", isTaken }).key).toBe("x.save_3");
    expect(proposedName("Save all", { ...needs, isText: true })).toEqual(name("*", "Save all"));
  });
});
