/** Templates of Angular components with ngx-translate and Transloco: pipes, directives, declared translators. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";

const run = (cases: readonly Case[], frameworks: readonly FrameworkName[]): void => {
  for (const [title, language, marked, expected] of cases)
    test(title, () => check([title, language, marked, { frameworks, ...expected }]));
};

describe("ngx-translate", () => {
  run(
    [
      ["a method of the service by another name, alone", "html", `{{ translationService.instant('«a»') }}`],
      [
        "a colon behind another pipe, which starts its argument",
        "html",
        `{{ x | date: 'no' | translate }}{{ y | slice: 0 : 'no' | translate }}`,
        { patterns: ["*", "*"] },
      ],
      [
        "what a switch is of, and an address that ends like a block",
        "html",
        `@switch ('«a»' | translate) {} me@if ('no' | translate) {}`,
      ],
      [
        "the service by each of its usual names, and the directive of JHipster",
        "html",
        `{{ translate.instant('«a»') }}{{ translateService.instant('«b»') }}{{ translation.instant('«c»') }}{{ translationService.instant('«d»') }}{{ ngxTranslate.instant('«e»') }}{{ other.instant('no') }}<p jhiTranslate="«f»"></p>`,
      ],
      [
        "an option whose name ends like that of the template, and a tag in capitals",
        "typescript",
        "@Component({ mytemplate: `{{ 'no' | translate }}`, template: `<p translate>«a»<BR>«b»</p>` }) class A {}",
      ],
      ["a handler by its sign", "html", `<a (click)="x = translate.instant('«a»')">`],
      [
        "an attribute without quotes, and white space between elements",
        "html",
        `<p translate=no>no</p><p translate> <b>no</b>\n</p><p translate>«a»</p>`,
      ],
      [
        "an interpolation that its attribute does not close",
        "html",
        `<a title="{{ '«a»' | translate">'no' | translate }}</a>`,
      ],
      ["elements that close themselves", "html", `<app-x translate/>no<p translate>«a»<app-y />«b»</p>`],
      [
        "the second binding, by words",
        "html",
        `<p bind-title="'«a»' | translate" *ngFor="let x of ['«b»' | translate]; let y = index" title="'no' | translate">`,
      ],
      [
        "the second comment and script",
        "html",
        `<!-- {{ 'no' | translate }} -->{{ '«a»' | translate }}<script>'</script><!-- {{ 'no' | translate }} -->{{ '«b»' | translate }}<style>{{ 'no' | translate }}</style>{{ '«c»' | translate }}`,
      ],
      [
        "the second component of a file",
        "typescript",
        "@Component({ template: `<p>{{ '«a»' | translate }}</p>` }) class A {} @Component({ template: '<p translate>«b»</p>', x: 1 }) class B { template = `{{ f | g }}` }",
      ],
      [
        "pipes in lists and in the second argument",
        "html",
        `<x [y]="['«a»' | translate, '«b»' | translate]" [z]="f(a | date: 'x', c ? 'no' : '«c»' | translate)">{{ f(')', '«d»' | translate) }}`,
      ],
      [
        "elements that have no end tag",
        "html",
        `<p translate>«a»<area>«b»<base>«c»<br>«d»<col>«e»<embed>«f»<hr>«g»<img>«h»<input>«i»<link>«j»<meta>«k»<source>«l»<track>«m»<wbr>«n»</p>no`,
      ],
      [
        "texts around a comment, and an attribute with an empty value",
        "html",
        `<p translate>«a»<!-- x -->«b»</p><p translate="">«c»</p>`,
      ],
      [
        "a handler by its word",
        "html",
        `<a on-click="x = translate.instant('«a»')" data-click="translate.instant('no')">`,
      ],
      [
        "text that looks like a declaration",
        "html",
        `(see @let a = 1) 'no' | translate; {{ '«b»' | translate }}`,
      ],
      [
        "a component that is commented out",
        "typescript",
        "// @Component({ x: 1 })\nconst a = { template: `{{ 'no' | translate }}` };",
      ],
      [
        "elements of one name in each other, and the second one",
        "html",
        `<div translate>«a»<div>no</div>«b»</div><i>no</i><div translate>«c»</div>no<i translate>«d»</i>no`,
      ],
      [
        "character references",
        "html",
        `<p translate>«a &amp; b &lt;c&gt;»</p><p translate="«d &amp; e &#39;»"></p>`,
        { keys: ["a & b <c>", "d & e '"] },
      ],
      [
        "all character references by name, and one that is unknown",
        "html",
        `<p translate>«a&nbsp;&lt;&gt;&quot;&apos;&hellip;&mdash;&ndash;&lsquo;&rsquo;&ldquo;&rdquo;&laquo;&raquo;&copy;&reg;&trade;&times;&rarr;&larr;&bull;&middot;&euro;&amp;&#x2014;&own;»</p>`,
        { keys: ["a\u00a0<>\"'…—–‘’“”«»©®™×→←•·€&—&own;"] },
      ],
      [
        "the second case, and parentheses and quotes in heads",
        "html",
        `@switch (x) { @case ('«a»' | translate) {} @case ('«b»' | translate) {} } @if (f(')', ("«c»" | translate), 'it\\'s')) { 'no' | translate } @else if (g(";") || ('«d»' | translate)) {}`,
      ],
      [
        "a quote that is not closed in an interpolation",
        "html",
        `{{ it's }} {{ '«a»' | translate }} {{ x }} {{ '«b»' | translate }}`,
      ],
      ["a pipe in an interpolation", "html", `<p>{{ '«home.title»' | translate }}</p>`],
      [
        "a pipe with values",
        "html",
        `{{ "«a.b»" | translate: { name: user.name, n: 1 } }} {{ '«c»'|translate:x }}`,
      ],
      [
        "a pipe in a bound attribute",
        "html",
        `<input [placeholder]="'«search»' | translate" (click)="go('x')">`,
      ],
      [
        "a pipe in an interpolated attribute",
        "html",
        `<a title="{{ '«a»' | translate }} - {{ '«b»' | translate }}">x</a>`,
      ],
      ["a pipe in quotes of the other kind", "html", `<a [title]='"«a»" | translate'></a>`],
      ["several lines and other pipes after it", "html", `{{\n  '«a»'\n  | translate\n  | uppercase }}`],
      ["parentheses around a conditional", "html", `{{ (x ? '«a»' : '«b»') | translate }}`],
      [
        "a pipe that belongs to the last branch only",
        "html",
        `{{ x ? 'no' : '«b»' | translate }} {{ x ? ('«c»' | translate) : ('«d»' | translate) }}`,
      ],
      ["|| is no pipe", "html", `{{ a || '«b»' | translate }} {{ a||b }}`, { patterns: ["*"] }],
      ["an argument of another pipe", "html", `{{ x | slice: 0 : 5 | translate }}`, { patterns: ["*"] }],
      [
        "a comparison, whose result is no key",
        "html",
        `{{ x === 'no' | translate }}{{ x !== 'no' | translate }}{{ x = '«a»' | translate }}`,
        { patterns: ["*", "*"] },
      ],
      ["a value in the arguments", "html", `{{ '«a»' | translate: { b: ('«c»' | translate) } }}`],
      [
        "a pipe in an argument and an object",
        "html",
        `<x [y]="f('«a»' | translate, { z: '«b»' | translate })">`,
      ],
      ["concatenation", "html", `{{ 'status.' + s | translate }}`, { patterns: ["status.*"] }],
      ["an expression without a known part", "html", `{{ label | translate }}`, { patterns: ["*"] }],
      ["braces in quotes", "html", `{{ '«a }} b»' | translate }} {{ '«c»' | translate }}`],
      [
        "control flow",
        "html",
        `@if ('«a»' | translate; as x) { <b>{{ x }}</b> } @else if (y) { {{ '«b»' | translate }} }`,
      ],
      [
        "@let",
        "html",
        `@let title = '«a»' | translate; <p>{{ title }}</p> <p>me@let.com 'no' | translate;</p>`,
      ],
      [
        "@for and @switch",
        "html",
        `@for (o of ['«a»' | translate]; track o) {} @switch (x) { @case ('«b»' | translate) {} }`,
      ],
      ["*ngIf", "html", `<p *ngIf="'«a»' | translate as t; else other">{{ t }}</p>`],
      [
        "comments and scripts",
        "html",
        `<!-- {{ 'no' | translate }} --><script>'no' | translate</script>{{ '«a»' | translate }}`,
      ],
      [
        "a method of the service",
        "html",
        `<a [title]="translate.instant('«a»')">{{ translateService.instant('«b»') }}</a>`,
      ],
      [
        "the content of an element is the key",
        "html",
        `<div translate>«HELLO»</div> <p translate> «A b.»\n </p><i>no</i>`,
      ],
      [
        "each text of the element is a key",
        "html",
        `<p translate [translateParams]="{ a: 1 }">«HELLO» <b>no</b> «WORLD»</p>`,
      ],
      ["the directive with a key", "html", `<p translate="«a.b»"></p><p [translate]="'«c»'">text</p>`],
      ["the second selector", "html", `<p ngx-translate>«a»</p>`],
      ["content that changes", "html", `<p translate>{{ key }}</p>`, { patterns: ["*"] }],
      ["HTML's own attribute", "html", `<p translate="no">brand</p><p translate="yes">brand</p>`],
      ["elements without an end tag", "html", `<p translate>«a»<br><input translate><b>no</b></p>`],
      [
        "a broken template",
        "html",
        `<p <b [x]="'«a»' | translate"</i> {{ '«b»' | translate }} {{ '«c»' | translate <p translate`,
      ],
      ["another pipe", "html", `{{ 'no' | translateFoo }} {{ 'no' | i18n }}`],
      [
        "an inline template",
        "typescript",
        "@Component({ selector: 'a', template: `<p>{{ '«a»' | translate }}</p>` })\nclass A { x = 'no'; }",
      ],
      [
        "an inline template in quotes",
        "typescript",
        `@Component({ template: '<p translate="«a»"></p>' }) class A {}`,
      ],
      ["no component", "typescript", "const x = { template: `{{ 'no' | translate }}` };"],
      [
        "methods of the service",
        "typescript",
        `class A { constructor(private translate: TranslateService, private http: HttpClient) {
          this.translate.get('«a»').subscribe(); this.translate.stream(['«b»', '«c»']);
          this.translate.instant('«d»', { n: 1 }); translateService.getStreamOnTranslationChange("«e»");
          this.http.get('/api'); map.get('no'); } }`,
      ],
      [
        "an object of another name",
        "typescript",
        `class A { private readonly i = inject(TranslateService); #ts: TranslateService = x;
          f() { this.i.instant('«a»'); this.#ts.get('«b»'); this.other.instant('no'); } }`,
      ],
      [
        "markers",
        "typescript",
        `import { _ } from "@ngx-translate/core"; import { marker as mark } from "@colsen1991/ngx-translate-extract-marker";
          const a = _("«a»"), b = mark("«b»"), c = t("no"), d = x.mark("no");`,
      ],
      [
        "version 18",
        "typescript",
        `import { translate as tr } from "@ngx-translate/core";
          class A { a = tr("«a»"); b = this.translate.translate(["«b»", "«c»"]); c = ctx.translate(1, 2); d = translate("no"); }`,
      ],
      [
        "the structural directive",
        "html",
        `<p *translateBlock="let t" [x]="t('«a»')">{{ t('«b»') }}</p>{{ t('no') }}`,
        { scopes: ["-|", "-|"] },
      ],
      [
        "texts around elements without an end tag, and in a block",
        "html",
        `<p translate>«a»<br>«b»</p><p translate>@if (x) { c }</p>`,
        { patterns: ["*"] },
      ],
      ["lodash", "typescript", `import _ from "lodash"; _("no"); marker("no");`],
    ],
    ["ngx-translate"],
  );
});

describe("Transloco", () => {
  run(
    [
      [
        "the service by each of its usual names",
        "html",
        `{{ transloco.translate('«a»') }}{{ translocoService.translate('«b»') }}{{ translate.translate('«c»') }}{{ translateService.translate('«d»') }}{{ translationService.translate('«e»') }}{{ other.translate('no') }}`,
      ],
      [
        "a method with the translator's name",
        "html",
        `<p *transloco="let t">{{ x.t('no') }}{{ t('«a»') }}</p>`,
      ],
      [
        "its prefix without a colon",
        "html",
        `<p *transloco="let t; prefix 'a'">{{ t('«b»') }}</p>`,
        { scopes: ["-|a"] },
      ],
      [
        "another variable before the translator",
        "html",
        `<p *transloco="let lang = currentLang; let t; prefix: 'a'">{{ lan('no') }}{{ lang('no') }}{{ t('«x»') }}</p><ng-template transloco let-lang="currentLang" let-u>{{ lang('no') }}{{ u('«y»') }}</ng-template>`,
        { scopes: ["-|a", "-|"] },
      ],
      [
        "the outer translator in an inner directive, and both after it",
        "html",
        `<p *transloco="let t; prefix: 'a'"><b *transloco="let u; prefix: 'b'">{{ t('«v»') }}{{ u('«w»') }}</b>{{ u('no') }}{{ t('«x»') }}</p>{{ t('no') }}`,
        { scopes: ["-|a", "-|b", "-|a"] },
      ],
      [
        "the second list of a comment",
        "typescript",
        `/** t(«a») and t(«b», «c») */ x; /** t("no") t(«d») */ /**/ f(t(no)); /* x */ /***/ t(no); /** t(«e») */`,
      ],
      [
        "a list over lines that end as on Windows",
        "typescript",
        `/**\r\n * t(\r\n *  «a»,\r\n *  «b c»\r\n * )\r\n */ x;`,
      ],
      [
        "a pipe",
        "html",
        `{{ '«a.b»' | transloco: { x: 1 } : 'es' }} [title]="no" <a [x]="'«c»' | transloco">`,
      ],
      [
        "the attribute",
        "html",
        `<p transloco="«a.b»" [translocoParams]="{ a: 1 }"></p><p [transloco]="'«c»'"></p>`,
      ],
      [
        "the attribute with an interpolation",
        "html",
        `<p transloco="{{ c ? '«a»' : x }}"></p><p transloco="a {{ b }}"></p>`,
        { patterns: ["*", "*"] },
      ],
      [
        "the structural directive",
        "html",
        `<ng-container *transloco="let t"><p [x]="t('«a»')">{{ t("«b.c»", { n: t('«d»') }) }}</p></ng-container>{{ t('no') }}`,
      ],
      [
        "its prefix",
        "html",
        `<p *transloco="let t; prefix: 'form.fields'">{{ t('«a»') }}</p><p *transloco="let tr; read: 'b'; scope: 'x'" [x]="tr('«c»')"></p>`,
        { scopes: ["-|form.fields", "-|b"] },
      ],
      [
        "without separators, and with commas",
        "html",
        `<p *transloco="let t read:'a'">{{ t('«b»') }}</p><p *transloco="let t, read: 'c'">{{ t('«d»') }}</p><p *transloco="let t, prefix: 'e', lang: 'nl'">{{ t('«f»') }}</p>`,
        { scopes: ["-|a", "-|c", "-|e"] },
      ],
      [
        "nested directives",
        "html",
        `<p *transloco="let t; prefix: 'a'">{{ t('«x»') }}<b *transloco="let t; prefix: 'b'; let l = currentLang">{{ t('«y»') }}</b>{{ t('«z»') }}</p>`,
        { scopes: ["-|a", "-|b", "-|a"] },
      ],
      [
        "a template",
        "html",
        `<ng-template transloco let-t translocoPrefix="a">{{ t('«x»') }}</ng-template><ng-template transloco let-t="$implicit" [translocoRead]="'b'">{{ t('«y»') }}</ng-template>`,
        { scopes: ["-|a", "-|b"] },
      ],
      [
        "a directive called like a function, one that is not closed, and other templates",
        "html",
        `<ng-template let-row>{{ row('no') }}</ng-template><p *transloco="let translate; prefix: 'a'">{{ translate('«x»') }}`,
        { scopes: ["-|a"] },
      ],
      [
        "a directive beside a framework whose function has its name",
        "html",
        `<p *transloco="let t">{{ t('«a»') }}</p>`,
        { frameworks: ["transloco", "i18next"] },
      ],
      [
        "a pipe in a branch, after another condition, and after another pipe's arguments",
        "html",
        `{{ c ? x || y : '«a»' | transloco }}<p [x]="{ a: b | date: 'x', c: '«d»' | transloco }"></p>`,
      ],
      ["a field called like the pipe", "html", `{{ a || transloco }}{{ '«b»' | transloco }}`],
      ["a dynamic prefix", "html", `<p *transloco="let t; prefix: p">{{ t('«x»') }}</p>`, { scopes: ["?|"] }],
      [
        "an expression",
        "html",
        `<p *transloco="let t">{{ t(a ? '«x»' : '«y»') }}{{ t('s.' + k) }}</p>`,
        { patterns: ["s.*"] },
      ],
      [
        "the service",
        "typescript",
        `class A { private s = inject(TranslocoService);
          f() { this.s.translate('«a»'); this.s.selectTranslate('«b»', {}, 'todos'); this.s.selectTranslate('«c»', {}, { scope: 'x-y' });
            this.s.translateObject(['«d»', '«e»']); this.s.selectTranslateObject('«f»'); this.s.translate('«g»', {}, { ...scope }); ctx.translate(1, 2); this.x.translate('no') } }`,
        { scopes: ["-|", "todos|", "x-y|", "-|", "-|", "-|", "?|"] },
      ],
      [
        "functions",
        "typescript",
        `import { translate, translateObject as o, translateSignal, translateObjectSignal as os } from '@jsverse/transloco';
          import { marker } from '@jsverse/transloco-keys-manager/marker';
          const a = [translate('«a»'), o('«b»'), translateSignal('«c»'), translateSignal('«d»', {}, { scope: 'e' }), marker('«f»'), os('«g»')];`,
        { scopes: ["-|", "-|", "?|", "e|", "-|", "?|"] },
      ],
      [
        "keys in comments",
        "typescript",
        `/** t(«a.b», «c») */ x; /**\n * t(\n *  «d»,\n *  «e-f.g»\n * ) */ /* t(no) */ // t(no)\n const s = "/** t(no) */"; /** at(no) x.t(no) text */`,
      ],
      [
        "a translator that is declared by what it is, and elements that are not closed",
        "html",
        `<p *transloco="let t = $implicit; prefix: 'p'">{{ t('«a»') }}<b>{{ t('«b»') }}`,
        { scopes: ["-|p", "-|p"] },
      ],
      ["keys in the second comment only", "typescript", `/** A page. */ x; /** t(«a») */ y;`],
      [
        "keys in comments of templates",
        "html",
        `<!-- t(«a») --><!-- {{ t('off') }} {{ t("off") }} --><p *transloco="let x; prefix: 'p'"><!-- t(«b», «c d») -->{{ x(y) }}</p><!-- no t (no) -->`,
        { patterns: ["*"], scopes: ["-|", "-|p", "-|p"] },
      ],
      [
        "another function",
        "typescript",
        `import { translate } from "./canvas"; translate('no'); marker('no');`,
      ],
      [
        "an inline template",
        "typescript",
        "@Component({ template: `<p *transloco=\"let t\">{{ t('«a»') }}</p>` }) export class A {}",
      ],
    ],
    ["transloco"],
  );
});

test("usages in templates are in HTML, those in the script around them are not", () => {
  const given = options(["ngx-translate"]);
  const template = `<p translate="a">{{ 'b' | translate }}</p>`;
  const shown = (language: string, code: string) => find(language, code, given).map((use) => use.isInHtml);
  expect(shown("html", template)).toEqual([true, true]);
  expect(
    shown(
      "typescript",
      `@Component({ template: '${template.replaceAll("'", '"')}' }) class A { x = translate.instant("c"); }`,
    ),
  ).toEqual([true, true, undefined]);
});

test("markers of two frameworks, by their modules", () => {
  const code = `import { marker as a } from "@colsen1991/ngx-translate-extract-marker";
    import { marker } from "@jsverse/transloco-keys-manager/marker"; a("«a»"); marker("«b»");`;
  for (const frameworks of [["ngx-translate", "transloco"] as const, ["transloco", "ngx-translate"] as const])
    check(["", "typescript", code, { frameworks }]);
});
