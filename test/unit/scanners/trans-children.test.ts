/** The children of `<Trans>` as keys, as react-i18next makes them. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";
import { cpuTime } from "../support/cpu-time.ts";

const i18next = { frameworks: ["i18next"] } as const;

const cases: readonly Case[] = [
  ["plain text", "typescriptreact", `<Trans>«Add a domain»</Trans>`, i18next],
  [
    "children, and defaults where there are none",
    "typescriptreact",
    `<Trans defaults="no">«a»</Trans>; <Trans defaults="«b»" />`,
    i18next,
  ],
  [
    "text over lines",
    "typescriptreact",
    `<Trans>\n  «Sorry, part of it\n  failed to load.»\n</Trans>`,
    { ...i18next, keys: ["Sorry, part of it failed to load."] },
  ],
  [
    "an element by its place",
    "typescriptreact",
    `<Trans>«Use the <Icon size={2} /> to <b>add</b> one»</Trans>`,
    { ...i18next, keys: ["Use the <1></1> to <3>add</3> one"] },
  ],
  [
    "basic elements stay around plain text only",
    "typescriptreact",
    `<Trans>«<strong>a</strong><br /><i className="x">b</i><p>{{ c }}</p>»</Trans>`,
    { ...i18next, keys: ["<strong>a</strong><br/><2>b</2><3>{{c}}</3>"] },
  ],
  [
    "an explicit space is a child of its own",
    "typescriptreact",
    `<Trans>\n  «a{" "}\n  <B>c</B>»\n</Trans>`,
    { ...i18next, keys: ["a <2>c</2>"] },
  ],
  [
    "values, with a format",
    "typescriptreact",
    `<Trans>«{{ a }} {{ b: c.d }} {{ e, format: "x" }}»</Trans>`,
    { ...i18next, keys: ["{{a}} {{b}} {{e, x}}"] },
  ],
  ["a comment is none", "typescriptreact", `<Trans>«{/* x */}a»</Trans>`, { ...i18next, keys: ["a"] }],
  [
    "character references",
    "typescriptreact",
    `<Trans>«a&nbsp;&amp; b&#39;s &what;»</Trans>`,
    { ...i18next, keys: ["a\u00a0& b's &what;"] },
  ],
  [
    "a line break as a reference",
    "typescriptreact",
    `<Trans>«a &#10; b»</Trans>`,
    { ...i18next, keys: ["a \n b"] },
  ],
  [
    "an expression leaves a pattern",
    "typescriptreact",
    `<Trans>In <A>{title}</A>, shared</Trans>`,
    { ...i18next, patterns: ["In <1>*</1>, shared"] },
  ],
  [
    "elements in elements, each with its own numbers",
    "typescriptreact",
    `<Trans>«a <A>c <B>d</B></A> <C>e</C>»</Trans>`,
    { ...i18next, keys: ["a <1>c <1>d</1></1> <3>e</3>"] },
  ],
  [
    "two expressions leave what is before and behind them",
    "typescriptreact",
    `<Trans>a <A>{x}</A> b <B>{y}</B> c</Trans>`,
    { ...i18next, patterns: ["a <1>*</3> c"] },
  ],
  [
    "a kept element around an expression",
    "typescriptreact",
    `<Trans>In <strong>{title}</strong>.</Trans>`,
    { ...i18next, patterns: ["In *."] },
  ],
  [
    "character references by number, up to the last character there is",
    "typescriptreact",
    `<Trans>«a&#65;&#x42;&#1114111;&#x10FFFF; &#1114112;&#x110000;»</Trans>`,
    { ...i18next, keys: ["aAB\u{10ffff}\u{10ffff} &#1114112;&#x110000;"] },
  ],
  [
    "literals in braces, over lines",
    "typescriptreact",
    `<Trans>«a{"b"}{' c '}\n  d\n  {"e"}»</Trans>`,
    { ...i18next, keys: ["ab c de"] },
  ],
  [
    "elements with nothing in them, kept and not",
    "typescriptreact",
    `<Trans>«<br/><br></br><b></b><p id="x"/>a»</Trans>`,
    { ...i18next, keys: ["<br/><br/><2></2><3></3>a"] },
  ],
  [
    "values that are none",
    "typescriptreact",
    `<p><Trans>«a {{ b, c }} d»</Trans><Trans>e {{ }} f</Trans><Trans>g {{ h, format: x }} i</Trans></p>`,
    { ...i18next, keys: ["a  d"], patterns: ["e * f", "g {{h, *}} i"] },
  ],
  [
    "nothing but what other calls say",
    "typescriptreact",
    `<p><Trans>{t("«a»")}</Trans><Trans><b>{b}</b> 1</Trans><Trans><b>{c}</b><br/></Trans></p>`,
    i18next,
  ],
  [
    "nothing but what other calls say, in elements with names",
    "typescriptreact",
    `<Trans>{t("«a»")} <strong>{b}</strong><br/></Trans>`,
    i18next,
  ],
  ["numbers alone", "typescriptreact", `<Trans>«1 / 2»</Trans>`, i18next],
  ["defaults", "typescriptreact", '<Trans defaults="«a»" /><Trans defaults={`«b»`}></Trans>', i18next],
  [
    "references and backslashes in plain attributes",
    "typescriptreact",
    String.raw`<Trans defaults="«It&apos;s \n»" /><Trans i18nKey='«a&amp;b\c»' /><Trans i18nKey={"«d\n»"} />`,
    { ...i18next, keys: ["It's \\n", "a&b\\c", "d\n"] },
  ],
  [
    "plain attributes beside the key: references are undone, and nothing else",
    "typescriptreact",
    String.raw`<Trans i18nKey="«a»" defaults="It&apos;s \n &lt;1&gt;" ns="b&amp;c\d" context="e&quot;\f" /><Trans i18nKey="«g»" defaults={"h\n"} ns={"i"} ns="" />`,
    {
      ...i18next,
      defaults: [String.raw`It's \n <1>`, "h\n"],
      scopes: [String.raw`b&c\d|`, "i|"],
      contexts: [String.raw`e"\f`, "-"],
    },
  ],
  [
    "attributes of components that take keys",
    "typescriptreact",
    `<p><FormattedMessage id="«a»" defaultMessage="It&apos;s" /><Trans i18nKey="«b»" keyPrefix="p" context="" count="2" default="x" /><Trans<X> {...y} i18nKey = {"«c»"} context={"d"} /><Trans i18nKey /><Trans i18nKey= /><Trans i18nKey="e" data-x={1} f="g</p>`,
    {
      defaults: ["It's", null, null],
      scopes: ["-|", "-|p", "-|"],
      contexts: ["-", "-", "d"],
      plurals: [false, true, false],
      keys: ["a", "b", "c"],
    },
  ],
  [
    "a component of a namespace",
    "typescriptreact",
    `<i18n.Trans i18nKey="«a»" ns="x" />`,
    { scopes: ["x|"] },
  ],
  [
    "which components a value is a count for",
    "typescriptreact",
    `<p><FormattedMessage id="«a»" values={{ count: 2 }} /><Trans i18nKey="«b»" values={{ count: 2 }} /></p>`,
    { plurals: [false, true] },
  ],
  [
    "a count behind a component that is not closed",
    "typescriptreact",
    `<Trans i18nKey="«a»"><Plural value={{ count }} />`,
    { plurals: [false] },
  ],
  [
    "a translator as an attribute",
    "typescriptreact",
    `const { t: tr } = useTranslation("x", { keyPrefix: "p" }); <p><Trans t={ tr } i18nKey="«a»" /><Trans t={props.t} i18nKey="«b»" /><Trans t i18nKey="«c»" /><Trans t={tr}>«d»</Trans></p>`,
    { ...i18next, scopes: ["x|p", "?|", "-|", "x|p"] },
  ],
  ["i18nKey comes first", "typescriptreact", `<Trans i18nKey="«a»" defaults="b">c</Trans>`, i18next],
  ["a namespace", "typescriptreact", `<Trans ns="x">«a»</Trans>`, { ...i18next, scopes: ["x|"] }],
  [
    "a translator",
    "typescriptreact",
    `const { t } = useTranslation("x"); <Trans t={t}>«a»</Trans>`,
    { ...i18next, scopes: ["x|"] },
  ],
  ["a count", "typescriptreact", `<Trans count={n}>«a»</Trans>`, { ...i18next, plurals: [true] }],
  ["another framework's Trans", "typescriptreact", `<Trans>a</Trans>`, { frameworks: ["formatjs"] }],
  ["nothing between the tags", "typescriptreact", `<Trans></Trans><Trans />`, i18next],
  ["no end", "typescriptreact", `<Trans>a <b> {t("«c»")}`, i18next],
];

describe("children of Trans", () => {
  for (const given of cases) test(given[0], () => check(given));
});

test("handles deeply nested elements in linear time", () => {
  const text = "<Trans>a".repeat(20_000);
  const start = cpuTime();
  expect(find("typescriptreact", text, options(["i18next"]))).toEqual([]);
  expect(cpuTime() - start).toBeLessThan(5_000);
});

test("elements without any text are no unknown key", () => {
  const uncertain = (code: string): unknown =>
    find("typescriptreact", code, options(["i18next"])).map(({ isUncertain }) => isUncertain ?? false);
  expect(uncertain("<Trans><Name id={id} /></Trans>")).toEqual([true]);
  expect(uncertain("<Trans>\n  <b><Name id={id} /></b>\n</Trans>")).toEqual([true]);
  expect(uncertain("<Trans><Name id={id} />!</Trans>")).toEqual([false]);
  expect(uncertain("<Trans>{name} says</Trans>")).toEqual([false]);
});
