/** Usages in PHP and Blade. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const php: readonly Case[] = [
  [
    "a message under another name, alone",
    "php",
    String.raw`<?php use Symfony\Component\Translation\TranslatableMessage as M; new M('«a»');`,
    { frameworks: ["symfony"] },
  ],
  [
    "constraints that are imported by their full names, and what else has such a name",
    "php",
    String.raw`<?php use \Symfony\Component\Validator\Constraints\{NotBlank, Length  as  L}; #[NotBlank(message: '«a»')] class A {} new L(minMessage: '«b»'); Own::NotBlank(message: 'no'); $NotBlank(message: 'no');`,
    { frameworks: ["symfony"] },
  ],
  [
    "a translator that is passed by reference, and a class with the name of a function",
    "php",
    `<?php function f(Translator &$lang) { $lang->get('«a»'); new trans('no'); }`,
  ],
  [
    "strings that end with backslashes",
    "php",
    String.raw`<?php $x = 'a\\'; __('«b»'); $y = 'c\'__("no")'; __('«d»'); $z = "e\\"; __("«f»"); $w = "g\"__('no')"; __('«h»');`,
  ],
  [
    "commands, and tags in capitals",
    "php",
    "<?php `it's __('no')`; __('«a»') ?> it's <?PHP `\"`; __('«b»');",
  ],
  [
    "blocks in a string's code",
    "php",
    `<?php $x = "{$f(function () { return 1; }, "it's __('no')")} __('no')"; __('«a»'); $y = "{$f(match (1) { 1 => { 2 } }, __('«b»'))} it's"; __('«c»');`,
  ],
  [
    "a heredoc in a string's code",
    "php",
    `<?php $x = "{$f(<<<A\n " it's __('no')\n A)} __('no')"; __('«a»');`,
  ],
  [
    "another translator in a property, and Laravel's beside it",
    "php",
    String.raw`<?php use Symfony\Component\Translation\TranslatorInterface; class A { function __construct(private TranslatorInterface $translator, private Translator $lang) {} function f() { $this->translator->get('no'); $this->lang->get('«a»'); $this->translator->trans('«b»'); } }`,
    { scopes: ["-|", "?|"] },
  ],
  [
    "the second chain of members",
    "php",
    `<?php f($a->b['c']->getTranslator()->get('«a»'), $b->getTranslator()?->get('«b»'), $c->d->e()->get('no'));`,
  ],
  ["the helpers", "php", `<?php __('«a.b»'); trans("«c»"); trans_choice('«d»', 2);`],
  [
    "the facade",
    "php",
    `<?php Lang::get('«a»'); \\Lang::has('«b»'); Lang::choice('«c»', 2); Lang::hasForLocale('«d»', 'nl');`,
  ],
  ["the facade by its full name", "php", `<?php \\Illuminate\\Support\\Facades\\Lang::get('«a»');`],
  [
    "the translator",
    "php",
    `<?php trans()->get('«a»'); app('translator')->choice('«b»', 1); resolve("translator")->has('«c»');`,
  ],
  ["the translator by its contract", "php", `<?php app(Translator::class)->get('«a»');`],
  [
    "an injected translator",
    "php",
    `<?php function f(Translator $lang) { $lang->get('«a»'); $other->get('b'); }`,
  ],
  [
    "an injected translator kept in a property",
    "php",
    `<?php class A { function __construct(private Translator $lang) {} function f() { return $this->lang->get('«a»'); } }`,
  ],
  ["a translator by its name", "php", `<?php $this->translator->get('«a»'); $translator?->choice('«b»', 2);`],
  [
    "methods of others",
    "php",
    `<?php $x->get('a'); Cache::get('b'); $request->has('c'); $this->__('d'); Foo::__('e');`,
  ],
  [
    "a wrapper of the project's own, of which nothing is known",
    "php",
    `<?php $locale->trans('«a»'); $x?->transChoice('«b»', 2); $x->trans($y); Locale::trans('no'); transChoice('no', 2);`,
    { scopes: ["?|", "?|"], patterns: ["*"] },
  ],
  [
    "another translator, whose type has the same name",
    "php",
    String.raw`<?php use Symfony\Component\Translation\TranslatorInterface; f(function (TranslatorInterface $translator) { $translator->trans('«y»'); $translator->get('z'); });`,
    { scopes: ["?|"] },
  ],
  [
    "the translator out of the container",
    "php",
    `<?php App::make('translator')->get('«a»'); $this->app['translator']->get('«b»'); app()['translator']->get('«c»'); app()->make(Translator::class)->get('«d»'); $app->make('cache')->get('e');`,
  ],
  [
    "a translator that another object has",
    "php",
    `<?php $validator->getTranslator()->get('«a»'); $this->validator->getCache()->get('b');`,
  ],
  [
    "a translator that is assigned",
    "php",
    `<?php $t = app('translator'); $t->get('«a»'); $this->lang = resolve(Translator::class); $this->lang->get('«b»'); $u = $t; $u->choice('«c»', 2); $v = app('cache'); $v->get('d');`,
  ],
  [
    "a translator that is assigned without blanks, or where there is none yet",
    "php",
    `<?php $t=app('translator'); $t->get('«a»'); $u??=$t; $u->get('«b»'); $this->v ??= trans(); $this->v->get('«c»'); $w=\\Lang::getFacadeRoot(); $w->get('«d»'); $x==$t; $x->get('e');`,
  ],
  [
    "the facade and the contract by other names, written wide",
    "php",
    `<?php use  Illuminate\\Support\\Facades\\Lang  as\n  L ;\nuse Illuminate\\Contracts\\Translation\\Translator\tas  Tr; L::get('«a»'); function f(Tr $x) { $x->get('«b»'); }`,
  ],
  [
    "the facade and the contract by other names",
    "php",
    `<?php use Illuminate\\Support\\Facades\\Lang as L; use Illuminate\\Contracts\\Translation\\Translator as Tr; L::get('«a»'); function f(?Tr $x, Translator|null $y) { $x->get('«b»'); $y->has('«c»'); }`,
  ],
  [
    "a translator beside one of another framework",
    "php",
    `<?php use Symfony\\\\Contracts\\\\Translation\\\\TranslatorInterface; function f(Translator $lang, TranslatorInterface $other) { $lang->get('«a»'); $other->get('b'); }`,
  ],
  [
    "messages of validation rules",
    "php",
    `<?php $fail('«validation.upper»')->translate(['a' => 1]); $fail('Not a key.'); $fail('«b»')\n  ->translateChoice(2);`,
  ],
  ["a function that is only named", "php", `<?php array_map(__(...), $x); $f = trans(...); Lang::get(...);`],
  [
    "heredocs and nowdocs as keys",
    "php",
    `<?php __(«<<<EOT\n    Hello\n      :name\n    EOT», ['name' => $x]); __(«<<<'X'\nit's $y\nX»); __(<<<"E"\na $x b\nE);`,
    { keys: ["Hello\n  :name", "it's $y"], patterns: ["a * b"] },
  ],
  [
    "an enum's label",
    "php",
    `<?php enum A: string { case B = 'b'; public function label(): string { return __('«a.b»'); } }`,
  ],
  ["packages' keys", "php", `<?php __('«package::messages.title»');`],
  [
    "in other calls",
    "php",
    `<?php Str::of(__('«a»'))->upper(); $this->line(Lang::get('«b»', ['x' => 1]))->action(trans('«c»'), $url);`,
  ],
  ["named arguments", "php", `<?php __(key: '«a»'); trans_choice(number: 3, key: '«b»'); __(replace: []);`],
  ["a leading backslash", "php", `<?php \\__('«a»');`],
  ["escapes between single quotes", "php", String.raw`<?php __('«L\'auth \n»');`, { keys: ["L'auth \\n"] }],
  [
    "escapes between double quotes",
    "php",
    String.raw`<?php __("«a \"b\" \u{e9} \x41 \$x»");`,
    { keys: ['a "b" é A $x'] },
  ],
  [
    "interpolation",
    "php",
    `<?php __("a.$x.b"); __("c.{$y->z}"); __("d.\${e}.f");`,
    { patterns: ["a.*.b", "c.*", "d.*.f"] },
  ],
  [
    "calls in interpolated strings",
    "php",
    `<?php $x = "<b>{$f->g(__('«a»'))}</b> it's {$y} __('no') {$this->translator->get("«b»")}"; __('«c»'); "{$f->g(__('no'))`,
  ],
  [
    "calls in the strings of arguments, which end after the quotes in them",
    "php",
    `<?php __("a.{$y->z('q')}.b"); trans_choice('«c»', "{$f->g(__("«d»"), ", )")}", ['x' => "{$f->h(1)}"]); __('«e»');`,
    { patterns: ["a.*.b"] },
  ],
  [
    "calls in a heredoc, and none in a comment of them or in a nowdoc",
    "php",
    `<?php $a = <<<X\n  it's {$f->g(/* __('no') */ __('«a»'))} __('no')\n  X;\n$b = <<<'X'\n{$f->g(__('no'))}\nX;\n__('«b»'); # "{$f->g(__('no'))}"`,
  ],
  ["concatenation", "php", `<?php __('a.' . $x); __('«b.' . 'c»');`, { keys: ["b.c"], patterns: ["a.*"] }],
  [
    "a conditional",
    "php",
    `<?php __($a ? '«b»' : '«c»'); __($d ?: '«e»'); __($f ?? '«g»');`,
    { patterns: ["*", "*"] },
  ],
  ["a cast", "php", `<?php __((string) $x);`, { patterns: ["*"] }],
  ["comments", "php", `<?php // __('a')\n# __('b')\n/* __('c') */ /** __('d') */ __('«e»');`],
  ["an attribute is no comment", "php", `<?php #[Title(__('«a»'))] class B {}`],
  ["strings", "php", `<?php $a = "__('b')"; $c = '__("d")';`],
  ["a heredoc", "php", `<?php $a = <<<EOT\n  it's __('b')\n  EOT;\n__('«c»');`],
  ["a nowdoc", "php", `<?php $a = <<<'X'\n__('b') "\nX;\n__('«c»');`],
  ["HTML around", "php", `<p>it's __('a')</p><?php __('«b»') ?><p>"__('c')<?= __('«d»') ?>`],
  ["a line comment ends with the tag", "php", `<?php // x ?> it's <?= __('«a»') ?>`],
  ["an XML declaration", "php", `<?xml version="1.0"?><a>it's</a><?php __('«b»');`],
  [
    "definitions",
    "php",
    `<?php function __($key) {} class A { public function trans($x) {} function &__($y) {} }`,
  ],
  ["after &&", "php", `<?php if ($a && __('«b»') || !__('«c»')) {}`],
  ["as an argument of itself", "php", `<?php __('«a»', ['x' => __('«b»')]);`],
  ["other functions that end so", "php", `<?php my__('a'); get_trans('b'); $__('c');`],
  [
    "in an array and a match",
    "php",
    `<?php return ['a' => __('«b»'), 'c' => match(true) { $d => trans('«e»'), default => __('«f»') }];`,
  ],
];

const blade: readonly Case[] = [
  [
    "directives in echoes that are not Blade's",
    "blade",
    `@{{ f(@lang('no')) }} @{!! @lang('no') !!} {{ __('«a»') }}`,
  ],
  ["a message of validation before a text", "blade", `@php $fail('«a»')->translate(); f(__('«b»')); @endphp`],
  [
    "escaped echoes of all kinds",
    "blade",
    `@{!! __('no') !!} {!! __('«a»') !!} @{{ __('no') }} {{ __('«b»') }} @{{{ __('no') }}} {{{ __('«c»') }}}`,
  ],
  [
    "the second of comments, verbatim texts and blocks of PHP",
    "blade",
    `{{-- {{ __('no') }} --}}{{ __('«a»') }}{{-- {{ __('no') }} --}}@verbatim {{ __('no') }} @endverbatim @verbatim {{ __('no') }} @endverbatim {{ __('«b»') }} @php $x = __('«c»') @endphp __('no') @php $x = __('«d»') @endphp __('no')`,
  ],
  [
    "the second attribute of a component, and the second component",
    "blade",
    `<x-a b='c':d="__('«a»')" e="__('no')"\n\t:f-g='__("«b»")'/> __('no') <x-h ::i="__('no')" :j="__('«c»')">__('no')</x-h>`,
  ],
  [
    "parentheses in the second directive",
    "blade",
    `@if(f()) __('no') @elseif(f(1) || (__('«a»') === ')')) __('no') @endif @lang\t('«b»', ['x' => f(')')]) __('no')`,
  ],
  ["echoes", "blade", `{{ __('«a»') }} {!! trans('«b»') !!} {{{ __('«c»') }}} {{{ f('}}') . __('«d»') }}}`],
  ["directives", "blade", `@lang('«a»') @choice('«b»', 2) @lang ('«c»')`],
  [
    "arguments of directives",
    "blade",
    `@if(__('«a»') == ')') @section('title', __('«b»')) @include('x', ['y' => __("«c»")])`,
  ],
  ["foreach", "blade", `@foreach(__('«a»') as $x) {{ $x }} @endforeach`],
  [
    "blocks of PHP",
    "blade",
    `@php $a = __('«b»'); // it's __('c')\n@endphp <?php echo __('«d»') ?> @php(__('«e»'))`,
  ],
  [
    "attributes of components",
    "blade",
    `<x-a :label="__('«b»')" :c='trans("«d»")' title="__('e')" ::f="__('g')" />`,
  ],
  [
    "echoes in attributes",
    "blade",
    `<a title="{{ __('«b»') }}" :c="'{{ __('«d»') }}'" x-data="{ e: '{{ __('«f»') }}' }">`,
  ],
  ["Blade's comments", "blade", `{{-- {{ __('a') }} --}} {{ __('«b»') }}`],
  ["HTML comments still run", "blade", `<!-- {{ __('«a»') }} it's -->`],
  ["escaped braces and directives", "blade", `@{{ __('a') }} @@lang('b') {{ __('«c»') }}`],
  ["verbatim", "blade", `@verbatim {{ __('a') }} @endverbatim {{ __('«b»') }}`],
  ["an address is no directive", "blade", `me@lang.com ('a') x@lang('b') {{ __('«c»') }}`],
  ["text", "blade", `<p>it's __('a') @lang</p>\n('b')`],
  [
    "scripts",
    "blade",
    `<script>const a = @json(__('«b»')); const c = "{{ __('«d»') }}"; f = '@lang("«e»")'</script>`,
  ],
  ["style rules", "blade", `<style>@media (max-width: 1px) { a { content: "it's" } }</style>{{ __('«a»') }}`],
  ["Livewire's attributes", "blade", `<flux:input wire:model="x" :label="__('«Confirm Password»')" />`],
  [
    "a Volt component",
    "blade",
    `<?php\nnew class extends Component { public function f() { return __('«a»'); } }; ?>\n<div>it's {{ __('«b»') }}</div>`,
  ],
  [
    "a Volt component of functions",
    "blade",
    `<?php\nuse function Livewire\\Volt\\{title, state};\ntitle(fn () => __('«a»'));\nstate(['b' => __('«c»')]);\n?>\n<div>{{ $b }} it's @js(__('«d»'))</div>`,
  ],
  [
    "directives of components",
    "blade",
    `@props(['a' => __('«b»')]) @class([__('«c»') => true]) @error('x') {{ __('«d»') }} @enderror <x-e wire:confirm="{{ __('«f»') }}" :g="trans_choice('«h»', 2)" />`,
  ],
  ["an injected translator", "blade", `@inject('translator', 'X') {{ $translator->get('«a»') }}`],
  ["calls in a string of a directive", "blade", `@if("{$f->g(__('«a»'))}" == ')') {{ __('«b»') }} @endif`],
  ["braces in a key", "blade", `{{ __('«Hello :name»', ['name' => $x]) }}`],
];

describe.each([
  ["PHP", php],
  ["Blade", blade],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});

test("assigns __ to the framework", () => {
  const text = `<?php __('Read more', 'shop'); _x('Post', 'verb', 'shop'); _n('%d item', '%d items', $n, 'shop');`;
  const wordpress = find("php", text, options(["wordpress"]));
  expect(
    wordpress.map(({ expression, namespaces, context, plural }) => ({
      expression,
      namespaces,
      context,
      plural,
    })),
  ).toEqual([
    { expression: { kind: "static", key: "Read more" }, namespaces: ["shop"], context: null, plural: false },
    { expression: { kind: "static", key: "Post" }, namespaces: ["shop"], context: "verb", plural: false },
    { expression: { kind: "static", key: "%d item" }, namespaces: ["shop"], context: null, plural: true },
  ]);
  const laravel = find("php", text, options(["laravel"]));
  expect(laravel.map(({ expression, namespaces }) => ({ expression, namespaces }))).toEqual([
    { expression: { kind: "static", key: "Read more" }, namespaces: null },
  ]);
  const gettext = find(
    "php",
    `<?php dgettext("shop", "A"); ngettext("B", "Bs", 2); _x("C");`,
    options(["gettext"]),
  );
  expect(gettext.map(({ expression, namespaces, plural }) => ({ expression, namespaces, plural }))).toEqual([
    { expression: { kind: "static", key: "A" }, namespaces: ["shop"], plural: false },
    { expression: { kind: "static", key: "B" }, namespaces: null, plural: true },
  ]);
});

test("finds the functions of gettext's PHP packages", () => {
  const uses = find(
    "php",
    `<?php __('a'); n__('b', 'bs', 2); p__('x', 'c'); dnp__('shop', 'x', 'd', 'ds', 2); _dgettext('shop', 'e');`,
    options(["gettext"]),
  );
  expect(
    uses.map(({ expression, namespaces, context, plural }) => [expression, namespaces, context, plural]),
  ).toEqual([
    [{ kind: "static", key: "a" }, null, null, false],
    [{ kind: "static", key: "b" }, null, null, true],
    [{ kind: "static", key: "c" }, null, "x", false],
    [{ kind: "static", key: "d" }, ["shop"], "x", true],
    [{ kind: "static", key: "e" }, ["shop"], null, false],
  ]);
});

test("reads counts", () => {
  const uses = find("php", `<?php trans_choice('a', 2); Lang::choice('b', 3); __('c');`);
  expect(uses.map((use) => use.plural)).toEqual([true, true, false]);
});

test("finds Symfony's translatable messages", () => {
  const given = { frameworks: ["symfony"], scopes: ["-|", "shop|", "-|", "-|", "x|"] } as const;
  const code = [
    "<?php use Symfony\\Component\\Translation\\TranslatableMessage as Message;",
    "new TranslatableMessage('«a»'); new TranslatableMessage('«b»', [], 'shop');",
    "new \\Symfony\\Component\\Translation\\TranslatableMessage(message: '«c»');",
    "new Message('«d»'); new Message('«e»', domain: 'x'); new Other('f'); TranslatableMessage('g');",
  ].join("\n");
  check(["", "php", code, given]);
  expect(find("php", "<?php new TranslatableMessage('a');", options(["laravel"]))).toEqual([]);
});

test("finds the messages of Symfony's constraints", () => {
  const code = [
    "<?php namespace App;",
    "use Symfony\\Component\\Validator\\Constraints as Assert;",
    "use Symfony\\Component\\Validator\\Constraints\\{Length, NotBlank as Required};",
    "use App\\Validator\\UniqueSlug; use App\\Mail\\Letter;",
    "#[Assert\\NotBlank(message: '«a»'), Length(min: 2, minMessage: '«b»', maxMessage: '«c»')]",
    "#[Assert\\All([new Required(['message' => '«d»', 'groups' => ['e']])])]",
    "$x = new UniqueSlug(array('message' => $y ? '«f»' : $z)); new Letter(message: 'g');",
    "new \\Symfony\\Component\\Validator\\Constraints\\Isbn('isbn10', message: '«h»'); $v->Length(message: 'i');",
  ].join("\n");
  const scopes = Array<string>(6).fill("validators|");
  check(["", "php", code, { frameworks: ["symfony"], scopes }]);
  expect(find("php", code, options(["laravel"]))).toEqual([]);
});

test("reads the other branch next to a class constant", () => {
  check(["", "php", "<?php __($a ? Foo::X : '«b»'); __(Foo::X);", { patterns: ["*", "*"] }]);
});

test("a translator over several lines is named without its white space", () => {
  const code = "<?php $x\n  ->getTranslator( )\n  ->get('a');";
  expect(find("php", code, options(["laravel"])).map(({ callee }) => callee)).toEqual([
    "$x->getTranslator()->get",
  ]);
});

test("another name of the translator's class is one in its own file only", () => {
  const used = "function f(Tr $x) { $x->get('a'); Lang::get('b'); }";
  const keys = (code: string) =>
    find("php", `<?php ${code} ${used}`, options(["laravel"])).map(({ expression }) => expression);
  expect(keys("use Illuminate\\Contracts\\Translation\\Translator as Tr;")).toHaveLength(2);
  expect(keys("use Illuminate\\Support\\Facades\\Lang as L;")).toEqual([{ kind: "static", key: "b" }]);
});
