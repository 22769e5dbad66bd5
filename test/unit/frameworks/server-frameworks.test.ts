/** What keys of Symfony, Laravel, Craft, gettext and WordPress are, beside their calls. */
import { describe, expect, test } from "vitest";
import type { KeyConventions, WrittenKey } from "../../../src/frameworks/framework.ts";
import { supportedFrameworks, type FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import type { KeyName } from "../../../src/model/key-hash.ts";
import { isFrameworkKey } from "../../../src/workspace/project-detection/detect-frameworks.ts";
import { readFrameworkOptions } from "../../../src/workspace/project-detection/read-framework-options.ts";
import { find, options } from "../scanners/marked.ts";

function frameworkOf(name: FrameworkName) {
  const framework = supportedFrameworks.get(name);
  if (framework === undefined) throw new Error(name);
  return framework;
}

/** The names of a call's key, as `namespace key (context)`. */
function namesOf(
  framework: FrameworkName,
  key: string,
  written: Partial<WrittenKey> = {},
  isPartial = false,
  conventions: KeyConventions = {},
): readonly string[] {
  const usage: WrittenKey = { namespaces: null, keyPrefix: "", context: null, ...written };
  const names: Iterable<KeyName> = frameworkOf(framework).keys.candidates(usage, key, conventions, isPartial);
  return Array.from(
    names,
    ({ namespace, key: name, context }) => `${namespace} ${name}${context === null ? "" : ` (${context})`}`,
  );
}

describe("Symfony", () => {
  /** `FormRenderer::humanize`. */
  const humanize = (name: string): string => {
    const words = name
      .replaceAll(/([A-Z])/g, "_$1")
      .replaceAll(/[_\s]+/g, " ")
      .trim()
      .toLowerCase();
    return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  };
  const fields = (key: string) => frameworkOf("symfony").keys.otherMentions?.(key) ?? [];

  test.each([
    "email",
    "firstName",
    "first_name",
    "vatNumber2",
    "line_2",
    "dateOfBirth",
    "date_of_birth",
    "a",
  ])("the label of the form's field %s is a mention of it", (name) => {
    expect(fields(humanize(name))).toContain(name);
  });

  test("a mention is a name that Symfony makes the key of, and each is there once", () => {
    expect(fields("Date of birth")).toEqual(["dateOfBirth", "date_of_birth"]);
    expect(fields("Email")).toEqual(["email"]);
    for (const key of ["Date of birth", "Email"])
      for (const name of fields(key)) expect(humanize(name)).toBe(key);
  });

  test.each(["email", "First Name", "first name", "Save!", "user.email", "A  b", "Öl", "E-mail", "Save "])(
    "no field has the label %j",
    (key) => {
      expect(fields(key)).toEqual([]);
    },
  );

  test.each([
    ["shop", "shop", true],
    ["shop.en.xlf", "shop", true],
    ["shop+intl-icu", "shop", true],
    ["shop+intl-icu.en.xlf", "shop", true],
    ["shopping", "shop", false],
    ["messages", "shop", false],
    ["my.shop", "shop", false],
    // The name that Symfony writes in the XLIFF files of every domain says nothing of another one.
    ["file.ext", "messages", true],
    ["file.ext", "shop", false],
  ])("the namespace %s has keys of the domain %s: %s", (namespace, domain, has) => {
    expect(frameworkOf("symfony").keys.domains?.has(namespace, domain)).toBe(has);
  });

  test.each([
    ["validators", true],
    ["validators.nl.xlf", true],
    ["validators+intl-icu", true],
    ["security", true],
    ["security.en.xlf", true],
    ["validatorsX", false],
    ["messages", false],
  ])("texts in %s are shown by Symfony itself: %s", (namespace, isOwn) => {
    const name = { namespace, key: "This value is too short.", context: null };
    expect(isFrameworkKey(name, new Set(["symfony"]))).toBe(isOwn);
    expect(isFrameworkKey(name, new Set(["craft"]))).toBe(false);
  });

  test("a key without a domain is in that of messages, in plain text or ICU, and then in none", () => {
    expect(namesOf("symfony", "a")).toEqual(["messages a", "messages+intl-icu a", "* a"]);
    expect(namesOf("symfony", "a", { namespaces: ["b", "c"], context: "x" })).toEqual([
      "b a (x)",
      "b+intl-icu a (x)",
      "c a (x)",
      "c+intl-icu a (x)",
      "* a (x)",
    ]);
    // A part of a key has no context.
    expect(namesOf("symfony", "a", { context: "x" }, true)).toEqual([
      "messages a",
      "messages+intl-icu a",
      "* a",
    ]);
    // Bound elsewhere, in a domain that the code does not show.
    expect(namesOf("symfony", "a", { namespaces: "unknown" })).toEqual(namesOf("symfony", "a"));
  });

  test("a domain of a form's or constraint's messages", () => {
    const text = `<?php use Symfony\\Component\\Validator\\Constraints as Assert;
      #[Assert\\Length(min: 2, minMessage: 'a', maxMessage: 'b', payload: 'no')] class A {}
      new \\App\\Validator\\Unique(message: 'c'); new Other(message: 'd');`;
    expect(
      find("php", text, options(["symfony"])).map(({ expression, namespaces }) => [expression, namespaces]),
    ).toEqual(["a", "b", "c"].map((key) => [{ kind: "static", key }, ["validators"]]));
  });
});

describe("Laravel", () => {
  const derived = (code: string) => [...new Set(frameworkOf("laravel").derivedNames?.(code) ?? [])];

  test("names routes of a resource by its actions", () => {
    const actions = ["index", "create", "store", "show", "edit", "update", "destroy"];
    const routes = (name: string) => actions.map((action) => `${name}.${action}`);
    expect(derived("Route::resource('photos', PhotoController::class);")).toEqual(routes("photos"));
    expect(derived('$router->resource( "photos.comments", C::class)')).toEqual(routes("photos.comments"));
    expect(derived("Route::apiResource('photos', C::class)")).toEqual(routes("photos"));
    // A folder is a prefix of the path, of which the name has none; older versions put it before the name.
    expect(derived("Route::resource('admin/photos', C::class)")).toEqual(
      expect.arrayContaining([...routes("photos"), ...routes("admin.photos")]),
    );
    expect(derived("resource('photos')")).toEqual([]);
  });

  test.each([
    ["$table->timestamps();", ["created_at", "updated_at"]],
    ["$table->timestampsTz();", ["created_at", "updated_at"]],
    ["$table->softDeletes();", ["deleted_at"]],
    ["$table->softDeletes('gone_at');", ["gone_at"]],
    ["$table->rememberToken();", ["remember_token"]],
    ["$table->morphs('taggable');", ["taggable_id", "taggable_type"]],
    ["$table->nullableMorphs('taggable');", ["taggable_id", "taggable_type"]],
    ["$table->uuidMorphs('taggable');", ["taggable_id", "taggable_type"]],
    ["$table->nullableUlidMorphs( 'taggable' );", ["taggable_id", "taggable_type"]],
  ])("names the columns of %s", (code, columns) => {
    expect(derived(code)).toEqual(expect.arrayContaining(columns));
  });

  test("names tables, routes and words after classes and enums", () => {
    expect(derived("class OrderItem extends Model {}")).toEqual([
      "order_item",
      "order_items",
      "order-item",
      "orderitem",
    ]);
    expect(derived("enum Status: string { case Open = 'open'; }")).toEqual(["status", "statuss"]);
    expect(derived("final class Line2Total {}")).toEqual(expect.arrayContaining(["line2_total"]));
    expect(derived("// classes are Fine; subclass Of")).toEqual([]);
    expect(derived("$table->string('name');")).toEqual([]);
  });

  test.each<
    [key: string, written: Partial<WrittenKey>, conventions: KeyConventions, names: readonly string[]]
  >([
    ["cart.title", {}, {}, ["* cart.title", "cart title"]],
    // Without a group, or without a name in one.
    ["cart", {}, {}, ["* cart"]],
    ["cart.", {}, {}, ["* cart."]],
    [".title", {}, {}, ["* .title"]],
    ["shop::title", {}, {}, ["* shop::title"]],
    ["my.shop::a.b", {}, {}, ["* my.shop::a.b", "my.shop::a b"]],
    ["shop::cart.title", {}, {}, ["* shop::cart.title", "shop::cart title"]],
    // Within its package a name has no package before it, also not its own.
    [
      "shop::shop::a.b",
      {},
      { packageNames: ["shop"] },
      ["* shop::shop::a.b", "* shop::a.b", "shop::a b", "shop::shop::a b"],
    ],
    ["::a.b", {}, { packageNames: [""] }, ["* ::a.b", "::a b"]],
    // Only packages for scripts have prefixes and namespaces.
    ["title", { keyPrefix: "cart" }, {}, ["* cart.title", "cart title"]],
    ["title", { namespaces: ["cart"] }, {}, ["cart title", "* cart.title"]],
  ])("%s with %j and %j", (key, written, conventions, names) => {
    expect(namesOf("laravel", key, written, false, conventions)).toEqual(names);
  });

  test("a part of a key of a package may be a whole group, and only with its dot", () => {
    const partial = (key: string) => namesOf("laravel", key, {}, true, { packageNames: ["shop"] });
    expect(partial("shop::cart.")).toContain("cart ");
    expect(partial("shop::cart.items.")).not.toContain("cart.items ");
    expect(partial("shop::car")).not.toContain("ca ");
    expect(partial("other::cart.")).not.toContain("cart ");
    expect(namesOf("laravel", "shop::cart.", {}, false, { packageNames: ["shop"] })).not.toContain("cart ");
  });

  test("the names of several packages in one file, and no other argument", () => {
    const text = `<?php
      $this->loadTranslationsFrom(__DIR__.'/../lang', 'shop');
      $this->loadTranslationsFrom( $this->path('mail', "x"), "shop-mail" );
      $this->loadTranslationsFrom(module_path($this->name, 'lang'), $this->nameLower);
      $this->loadTranslationsFrom($path, $name);
      $this->loadViewsFrom(__DIR__.'/../views', 'views');`;
    const files = [{ path: "app/Providers/AServiceProvider.php", text }];
    expect(readFrameworkOptions(files, new Set(["laravel"]))).toEqual({
      packageNames: ["shop", "shop-mail"],
    });
  });

  test.each<[KeyName["namespace"], key: string, isOwn: boolean]>([
    ["auth", "failed", true],
    ["pagination", "next", true],
    ["passwords", "sent", true],
    ["validation", "custom.email.required", true],
    ["*", "auth.failed", true],
    ["*", "author.name", false],
    ["*", "auth", false],
    ["authors", "name", false],
    // Of its error pages, mails and pages of results.
    ["*", "Page Expired", true],
    ["*", "(and :count more errors)", true],
    ["*", "Showing", true],
    ["*", "Verify Email Address", true],
    ["shop", "Showing", false],
    ["*", "Verify your email", false],
  ])("shows %s %s itself: %s", (namespace, key, isOwn) => {
    expect(isFrameworkKey({ namespace, key, context: null }, new Set(["laravel"]))).toBe(isOwn);
  });

  test("shows the texts of its own templates and notifications", () => {
    const blade = `
      @section('message', __('Unauthorized')) {{ __('Payment Required') }} {{ __($exception->getMessage() ?: 'Forbidden') }}
      {{ __('Not Found') }} {{ __('Page Expired') }} {{ __('Too Many Requests') }} {{ __('Server Error') }}
      {{ __('Service Unavailable') }}
      @lang('Whoops!') @lang('Hello!') @lang('Regards,') @lang('Regards') {{ __('All rights reserved.') }}
      @lang("If you're having trouble clicking the \\":actionText\\" button, copy and paste the URL below\\n".
        'into your web browser:', ['actionText' => $actionText])
      <nav aria-label="{{ __('Pagination Navigation') }}">{!! __('Showing') !!} 1 {!! __('to') !!} 2 {!! __('of') !!} 3
      {!! __('results') !!} <a aria-label="{{ __('Go to page :page', ['page' => $page]) }}">`;
    const php = `<?php
      $mail->subject(Lang::get('Reset Password Notification'))
        ->line(Lang::get('You are receiving this email because we received a password reset request for your account.'))
        ->action(Lang::get('Reset Password'), $url)
        ->line(Lang::get('This password reset link will expire in :count minutes.', ['count' => 60]))
        ->line(Lang::get('If you did not request a password reset, no further action is required.'));
      $mail->subject(Lang::get('Verify Email Address'))
        ->line(Lang::get('Please click the button below to verify your email address.'))
        ->line(Lang::get('If you did not create an account, no further action is required.'));
      $this->translator->get('The given data was invalid.');
      $translator->choice($x ? '(and :count more error)' : '(and :count more errors)', $count);`;
    const keys = [
      ...find("blade", blade, options(["laravel"])),
      ...find("php", php, options(["laravel"])),
    ].flatMap(({ expression }) => (expression.kind === "static" ? [expression.key] : []));
    expect(keys).toHaveLength(31);
    for (const key of keys)
      expect([key, isFrameworkKey({ namespace: "*", key, context: null }, new Set(["laravel"]))]).toEqual([
        key,
        true,
      ]);
  });
});

describe("texts as keys", () => {
  test.each<FrameworkName>(["gettext", "wordpress", "craft"])(
    "%s: in the domain, and then in none",
    (framework) => {
      expect(namesOf(framework, "Save", { namespaces: ["a", "b"], context: "x" })).toEqual([
        "a Save (x)",
        "b Save (x)",
        "* Save (x)",
      ]);
      expect(namesOf(framework, "Save", { context: "x" })).toEqual(["* Save (x)"]);
      expect(namesOf(framework, "Save", { context: "x", namespaces: "unknown" }, true)).toEqual(["* Save"]);
    },
  );

  test("the texts of Django and Jinja are those of gettext", () => {
    expect(namesOf("django", "Save")).toEqual([]);
    expect(namesOf("jinja", "Save")).toEqual([]);
    expect(namesOf("messageformat", "Save")).toEqual([]);
  });

  test("a category of Craft has the keys of its own namespace, and that of the site without one", () => {
    const { domains } = frameworkOf("craft").keys;
    expect(domains?.default).toEqual(["site"]);
    expect(["site", "site2", "shop"].map((namespace) => domains?.has(namespace, "site"))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("Craft's filter has the category of the site, and texts of Craft and Yii are their own", () => {
    const text = "{{ 'a'|t }}{{ 'b'|t('shop') }}{{ 'c'|t('app') }}{{ 'd'|t('yii') }}{{ 'e'|translate }}";
    expect(
      find("twig", text, options(["craft"])).map(({ expression, namespaces }) => [
        expression.kind === "static" ? expression.key : "*",
        namespaces,
      ]),
    ).toEqual([
      ["a", ["site"]],
      ["b", ["shop"]],
      ["e", ["site"]],
    ]);
  });
});

describe("WordPress", () => {
  const found = (path: string, content: unknown) =>
    find(path, JSON.stringify(content), options(["wordpress"])).map(({ expression, context }) => [
      expression.kind === "static" ? expression.key : "*",
      context,
    ]);

  test("all texts of theme.json, with the contexts of WordPress's theme-i18n.json", () => {
    const settings = (where: string) => ({
      typography: {
        fontSizes: [{ slug: "no", name: `${where} size` }],
        fontFamilies: [{ name: `${where} family`, fontFamily: "no" }],
      },
      color: {
        palette: [{ name: `${where} colour`, color: "#fff" }],
        gradients: [{ name: `${where} gradient` }],
        duotone: [{ name: `${where} duotone` }],
      },
      spacing: { spacingSizes: [{ name: `${where} space` }] },
      dimensions: {
        aspectRatios: [{ name: `${where} ratio` }],
        dimensionSizes: [{ name: `${where} dimension` }],
      },
      shadow: { presets: [{ name: `${where} shadow` }] },
      border: { radiusSizes: [{ name: `${where} radius` }] },
      layout: { contentSize: "no" },
    });
    const contexts = (where: string) => [
      [`${where} size`, "Font size name"],
      [`${where} family`, "Font family name"],
      [`${where} colour`, "Color name"],
      [`${where} gradient`, "Gradient name"],
      [`${where} duotone`, "Duotone name"],
      [`${where} space`, "Space size name"],
      [`${where} ratio`, "Aspect ratio name"],
      [`${where} dimension`, "Dimension size name"],
      [`${where} shadow`, "Shadow name"],
      [`${where} radius`, "Border radius size name"],
    ];
    const theme = {
      title: "T",
      description: "D",
      settings: { ...settings("all"), blocks: { "core/button": settings("button") } },
      customTemplates: [{ name: "no", title: "C" }],
      templateParts: [{ name: "no", title: "P", area: "header" }],
      styles: { title: "no" },
    };
    expect(found("theme.json", theme)).toEqual([
      ["T", "Style variation name"],
      ["D", "Style variation description"],
      ...contexts("all"),
      ...contexts("button"),
      ["C", "Custom template name"],
      ["P", "Template part name"],
    ]);
  });

  test("all texts of block.json, with the contexts of WordPress's block-i18n.json", () => {
    const block = {
      name: "no",
      title: "T",
      description: "D",
      keywords: ["K"],
      styles: [{ name: "no", label: "S" }],
      variations: [{ name: "no", title: "VT", description: "VD", keywords: ["VK"] }],
    };
    expect(found("block.json", block)).toEqual([
      ["T", "block title"],
      ["D", "block description"],
      ["K", "block keyword"],
      ["S", "block style label"],
      ["VT", "block variation title"],
      ["VD", "block variation description"],
      ["VK", "block variation keyword"],
    ]);
  });

  test("all fields of the headers of plugins and themes", () => {
    const header = (first: string, ...fields: readonly string[]) =>
      `<?php\n/**\n${[first, ...fields].map((name) => ` * ${name}: ${name.toLowerCase()}\n`).join("")} */`;
    const fields = ["Version", "Plugin URI", "Theme URI", "Description", "Author", "Author URI", "License"];
    const texts = (first: string) =>
      find("php", header(first, ...fields), options(["wordpress"])).map(({ callee }) => callee);
    expect(texts("Plugin Name")).toEqual([
      "Plugin Name",
      "Plugin URI",
      "Description",
      "Author",
      "Author URI",
    ]);
    expect(texts("Theme Name")).toEqual(["Theme Name", "Theme URI", "Description", "Author", "Author URI"]);
    expect(texts("Template Name")).toEqual(["Template Name"]);
    expect(texts("Other Name")).toEqual([]);
  });
});
