/** Which translation function a name is bound to: wrappers, types, destructuring, shadowing, parameters. */
import { describe, test } from "vitest";
import { check, type Case } from "./marked.ts";

const wrapped: readonly Case[] = [
  [
    "a component whose props have a type with readonly members",
    "typescriptreact",
    `function Menu({ open }: { readonly open: boolean }) { const { t } = useTranslation("ns", { keyPrefix: "p" }); t("«a»"); }
     function Page() { const { t = x }: { readonly t: TFunction } = useTranslation("ns"); t("«b»"); }`,
    { scopes: ["ns|p", "ns|"] },
  ],
  [
    "another name that ends so",
    "typescriptreact",
    `const { $t } = useTranslation("ns"); { const a$t = 1, é$t = 2; $t("«a»"); } { const $t = f(); $t("«b»"); }`,
    { scopes: ["ns|", "?|"] },
  ],
  [
    "a function component",
    "typescriptreact",
    `function Menu({ t, open }) { return <p>{t("«a»")}</p> }\nexport default withTranslation("ns", { keyPrefix: "p" })(Menu);`,
    { scopes: ["ns|p"] },
  ],
  [
    "its props",
    "typescriptreact",
    `const Menu = (props: Props) => { const { t } = props; return <p>{t("«a»")}{props.t("«b»")}</p> }\nexport default withTranslation(["x", "y"])(Menu);\nt("«c»")`,
    { scopes: ["x|", "x|", "-|"] },
  ],
  [
    "a class",
    "typescriptreact",
    `class Menu extends Component<Props> { render() { const { t, open } = this.props; return <p>{t("«a»")}{this.props.t("«b»")}</p> } }\nexport default withTranslation("ns")(Menu)`,
    { scopes: ["ns|", "ns|"] },
  ],
  [
    "composed, memoised, typed",
    "typescriptreact",
    `const Menu: React.FC<Props> = memo<Props>(({ t }) => <p>{t("«a»")}</p>)\nexport default compose(withTranslation("ns"), connect(map))(Menu)`,
    { scopes: ["ns|"] },
  ],
  [
    "another component of the file is not meant",
    "typescriptreact",
    `const A = ({ t }) => t("«a»"); const B = ({ t }) => t("«b»"); withTranslation("ns")(B)`,
    { scopes: ["?|", "ns|"] },
  ],
  [
    "a component of another file",
    "typescriptreact",
    `import { Menu } from "../core/usages/menu"; export default withTranslation("ns")(Menu); const A = ({ t }) => t("«a»")`,
    { scopes: ["?|"] },
  ],
  [
    "global translators, of the objects that have them",
    "typescript",
    `instance.$i18n.t("«a»"); window.i18n.t("«b»"); globalThis.i18n.t("«c»"); app.i18n.t("«d»"); Vue.i18n.t("«e»"); nuxtApp.$i18n.t("«f»"); this.$i18n.t("«g»"); other.i18n.t("«h»"); i18n.global.t("«i»"); i18next.t("«j»"); const { t } = this.$i18n.global; t("«k»"); wp.i18n.t("«l»")`,
    { scopes: ["-|", "-|", "-|", "-|", "-|", "-|", "-|", "?|", "-|", "-|", "-|", "-|"] },
  ],
  [
    "fields of a class, and a variable behind one with a type",
    "typescript",
    `class A { protected t = getI18n(); f() { this.t("«a»") } } class B { override t = getI18n(); f() { this.t("«b»") } } class C { public tr = useScopedI18n("p"); f() { this.tr("«c»") } } class D { t = getI18n(); f() { this.t("«d»") } } let x: string = ""; t = useTranslations("p"); t("«e»")`,
    { scopes: ["-|", "-|", "-|p", "?|", "-|p"] },
  ],
  [
    "every hook",
    "typescript",
    `{ const { t } = useLaravelReactI18n(); t("«a»") } { const t = useT("ns"); t("«b»") } { const { t } = await getT("ns"); t("«c»") } { const t = getFixedT(null, "ns", "p"); t("«d»") } { const t = createTranslator({ namespace: "p" }); t("«e»") } { const t = await getTranslations({ locale, namespace: "p" }); t("«f»") } { const t = useScopedI18n("p"); t("«g»") } { const t = await getScopedI18n("p"); t("«h»") } { const t = await getI18n(); t("«i»") }`,
    { scopes: ["-|", "ns|", "ns|", "ns|p", "-|p", "-|p", "-|p", "-|p", "-|"] },
  ],
  [
    "a class, and not the one before it",
    "typescriptreact",
    `class B extends C { f() { return this.props.t("«b»") } } class A extends C { f() { return this.props.t("«a»") } } export default withTranslation("x")(A)`,
    { scopes: ["?|", "x|"] },
  ],
  [
    "a class, and not the one behind it",
    "typescriptreact",
    `class A extends C { f() { return this.props.t("«a»") } } class B extends C { f() { return this.props.t("«b»") } } export default withTranslation("x")(A)`,
    { scopes: ["x|", "?|"] },
  ],
  [
    "each of two classes",
    "typescriptreact",
    `class A extends C { f() { return this.props.t("«a»") } } class B extends C { f() { const { t } = this.props; return t("«b»") } } export default [withTranslation("v")(Missing), withTranslation("x")(A), compose(connect(m), withTranslation("y"))(B)]`,
    { scopes: ["x|", "y|"] },
  ],
  [
    "a namespace that is not shown",
    "typescriptreact",
    `const A = ({ t }) => t("«a»"); withTranslation(NS)(A)`,
    { scopes: ["?|"] },
  ],
];

const typed: readonly Case[] = [
  [
    "a copy of the global translator",
    "typescript",
    `const tr = this.$i18n.t; tr("«a»"); const { t: wp } = window.i18n; wp("«b»"); const other = menu.t; other("«c»")`,
    { scopes: ["-|", "-|", "?|"] },
  ],
  [
    "next-intl's translators",
    "typescript",
    `function f(t: ReturnType<typeof useTranslations<"a.b">>) { t("«c»") }\nconst g = ({ t }: { t: Awaited<ReturnType<typeof getTranslations<'d'>>> }) => t("«e»")`,
    { scopes: ["-|a.b", "-|d"] },
  ],
  [
    "without a namespace",
    "typescript",
    `function f(t: ReturnType<typeof useTranslations>) { t("«c»") }`,
    { scopes: ["?|"] },
  ],
  [
    "each of two parameters, behind a variable",
    "typescript",
    `let v: TFunction<"w">; function f(t: TFunction<"x">, u: TFunction<"y">) { t("«a»"); u("«b»") }`,
    { scopes: ["x|", "y|"] },
  ],
  [
    "several namespaces and a prefix",
    "typescript",
    `const f = (t: TFunction<["a", "b"], "p">) => t("«c»")`,
    { scopes: ["a|p"] },
  ],
];

const handed: readonly Case[] = [
  [
    "between tags, behind an attribute without a value",
    "typescriptreact",
    `<Translation debug ns="x">{(t) => t("«a»")}</Translation>`,
    { scopes: ["x|"] },
  ],
  [
    "called at once, by each of its methods",
    "typescript",
    `useTranslations("p").has("«a»"); useTranslations("q").markup("«b»"); useTranslations("r").raw("«c»"); useTranslations("s").rich("«d»"); useTranslations("u").keys("e")`,
    { scopes: ["-|p", "-|q", "-|r", "-|s"] },
  ],
  [
    "by a component",
    "typescriptreact",
    `<p><Translation>{(t) => t("«a»")}</Translation><Translation ns="x" keyPrefix="p">{ t => t("«b»") }</Translation><Translation ns={["x", "y"]}>{(tr, { i18n }) => tr("«c»")}</Translation></p>`,
    { scopes: ["-|", "x|p", "x|"] },
  ],
  [
    "by a component behind one with a text",
    "typescriptreact",
    `<p><Translation>x</Translation><Translation ns="y">{(t) => t("«a»")}</Translation></p>`,
    { scopes: ["y|"] },
  ],
  [
    "by the component's other name",
    "typescriptreact",
    `<I18n ns="x">{(t) => t("«a»")}</I18n>`,
    { scopes: ["x|"] },
  ],
  ["by a component that is typed half", "typescriptreact", `f(<Translation>{(tr) => tr("a")`],
  [
    "by types of functions of all kinds",
    "typescript",
    `function a(t?: TFunction<"x">): string { return t("«a»") } class B { c(t: i18n.TFunction<"y", "p">) { t("«b»") } } const d = async (t: TFunction<"z">): Promise<void> => { t("«c»") }; const e = { f(t: TFunction<["v"]>) { t("«d»") } }; t("«e»")`,
    { scopes: ["x|", "y|p", "z|", "v|", "-|"] },
  ],
  [
    "by a type that is typed half, or of no parameter",
    "typescript",
    `let t: TFunction<"x">; t("«a»"); const f = (tr: TFunction<"y" => tr("b"); interface G { tt: TFunction<"z">; } tt("c"); if (x as { u: TFunction<"w"> }) { u("d") }`,
  ],
  [
    "by a wrapper, to functions and classes of all kinds",
    "typescriptreact",
    `function A({ t }) { return t("«a»") } const B = function ({ t }) { return t("«b»") }; const C = forwardRef<X, Y>(({ t }, ref) => t("«c»")); class D extends E { f() { return this.props.t("«d»") } }
export default [withTranslation("a")(A), withTranslation("b")(B), withTranslation<X>("c")(C), withNamespaces("d")(D)]`,
    { scopes: ["a|", "b|", "c|", "d|"] },
  ],
  [
    "by a wrapper of nothing that stands here",
    "typescriptreact",
    `function A({ t }) { return t("«a»") } withTranslation("x"); withTranslation("y")(); withTranslation("z")(AA); withTranslation("v")(class { f() {} }); function withTranslation(A) {} const B = withTranslation("w")`,
    { scopes: ["?|"] },
  ],
  [
    "by a wrapper without a namespace",
    "typescriptreact",
    `const A = ({ t }) => t("«a»"); withTranslation()(A); const B = ({ t }) => t("«b»"); withTranslation(undefined, { keyPrefix: "p" })(B)`,
    { scopes: ["-|", "-|p"] },
  ],
];

const taken: readonly Case[] = [
  [
    "out of the hook's object",
    "typescript",
    `const translation = useTranslation("ns"); const { t: tr } = translation; tr("«a»")`,
    { scopes: ["ns|"] },
  ],
  [
    "out of i18next",
    "typescript",
    `const { t } = i18n; t("«a»"); const { t: g } = i18next; g("«b»")`,
    { scopes: ["-|", "-|"] },
  ],
  [
    "by a name that is another function's: its own arguments stay",
    "typescript",
    `const tc = useTranslations("x"); tc("«a»"); const [$tc] = useTranslation("y"); $tc("«b»"); class A { private tm = getI18n(); f() { this.tm("«c»") } } const tr = useTranslations("z"); tr("«d»")`,
    { scopes: ["-|x", "y|", "-|", "-|z"], plurals: [true, true, false, false] },
  ],
  [
    "out of Promise.all, by its place alone",
    "typescript",
    `const [a] = await Promise.all([load(), getTranslations("x")]); const [] = await Promise.all([getT("y")]); const [{ t }] = await Promise.all([getT("z")]); t("«k»"); a("l")`,
  ],
  [
    "of one of two namespaces, of which one is not shown",
    "typescript",
    `const { t } = useTranslation(x ? "a" : y); t("«k»"); { const { t } = useTranslation(x ? "a" : "b"); t("«l»") }`,
    { scopes: ["?|", "a,b|"] },
  ],
  ["out of something unknown", "typescript", `const { t } = useContext(I18n); t("«a»")`, { scopes: ["?|"] }],
  [
    "in a loop, a callback and a nested block",
    "typescript",
    `const { t } = useTranslation("ns"); for (const x of y) { f(() => { if (z) t("«a»") }) }`,
    { scopes: ["ns|"] },
  ],
  [
    "below the function that calls it",
    "typescript",
    `function A() { const f = () => t("«a»"); const { t } = useTranslation("ns"); return f }`,
    { scopes: ["ns|"] },
  ],
  [
    "behind what has no plain name",
    "typescript",
    `const { [k]: v, "x-y": w, t } = useTranslation("ns"); t("«a»")`,
    { scopes: ["ns|"] },
  ],
  [
    "hidden by what is caught",
    "typescript",
    `const { t } = useTranslation("ns"); try { t("«a»") } catch (t) { t("«b»") } t("«c»")`,
    { scopes: ["ns|", "?|", "ns|"] },
  ],
  [
    "hidden by a parameter, a catch, a declaration",
    "typescript",
    `const { t } = useTranslation("ns"); f((t) => t("«a»")); { const t = g(); t("«b»") } function h(t) { return t("«c»") } t("«d»")`,
    { scopes: ["?|", "?|", "?|", "ns|"] },
  ],
  [
    "with a default, among others, over lines",
    "typescript",
    `const {\n  i18n,\n  // the translator\n  t: translate,\n  ready,\n} = useTranslation(\n  "ns",\n);\ntranslate(\n  "«a»",\n)`,
    { scopes: ["ns|"] },
  ],
  [
    "several declared at once",
    "typescript",
    `const a = 1, t = useTranslations("ns"), b = 2; t("«c»")`,
    { scopes: ["-|ns"] },
  ],
  [
    "bound to its object",
    "typescript",
    `const t = i18n.t.bind(i18n); t("«a»"); const tr = useTranslation("ns").t; tr("«b»")`,
    { scopes: ["-|", "ns|"] },
  ],
  [
    "optional chaining and assertions",
    "typescript",
    `i18n?.t("«a»"); i18n!.t("«b»"); (i18n as any).t("«c»"); (t as any)("«d»"); t?.("«e»")`,
    { scopes: ["-|", "-|", "-|", "-|", "-|"] },
  ],
];

const renamed: readonly Case[] = [
  [
    "a parameter's type, and an object before a pattern",
    "typescript",
    `function f(t: tr) { tr("no") } x = { t: a, b }; function g({ t: tu }) { tu("«a»") }`,
    { scopes: ["?|"] },
  ],
  [
    "of an object that may be missing",
    "typescript",
    `const tr = i18n!.t; tr("«a»"); const tu = window?.i18n?.t; tu("«b»")`,
    { scopes: ["-|", "-|"] },
  ],
  ["from props", "typescript", `const { t: tp } = props; tp("«a»")`, { scopes: ["?|"] }],
  ["from this.props and with a default", "typescript", `const { t: tp = x } = this.props; tp("«a»")`],
  ["from what a function returns", "typescript", `const { t: tp, b } = useContext(Translations); tp("«a»")`],
  ["from an inner object", "typescript", `const { i18n: { t: tp } } = props; tp("«a»")`],
  ["by an assignment", "typescript", `let tp; ({ t: tp } = props); tp("«a»")`],
  [
    "as a parameter",
    "typescript",
    `const A = ({ t: tp }: Props) => tp("«a»"); function B({ t: u, b }) { u("«c»") }`,
  ],
  ["as an inner parameter", "typescript", `const A = ({ i18n: { t: tp } }) => <p>{tp("«a»")}</p>`],
  [
    "keeps what the hook is bound to",
    "typescript",
    `const { t: tp } = useTranslation("ns"); tp("«a»")`,
    { scopes: ["ns|"] },
  ],
  ["a store of vue-i18n", "typescript", `const { te: has, tm: all } = useLocale(); has("«a»"); all("«b»")`],
  [
    "FormatJS",
    "typescript",
    `const { formatMessage: f } = useIntl(); f({ id: "«a»" }); const g = intl.formatMessage; g({ id: "«b»" })`,
    { scopes: ["-|", "-|"] },
  ],
  [
    "copies of members, with assertions",
    "typescript",
    `const f = props.intl.formatMessage; f({ id: "«a»" }); const g = i18n!.t!; g("«b»"); const i = intl.formatMessage.bind(intl); i({ id: "«d»" }); const h: TFunction = t as TFunction; h("«c»")`,
  ],
  [
    "a hook that is imported under another name",
    "typescript",
    `import { useTranslation as useT2, Trans } from "react-i18next"; const { t: tp } = useT2("ns"); tp("«a»"); const { t } = useT2("o"); t("«b»")`,
    { scopes: ["ns|", "o|"] },
  ],
  [
    "two hooks that are imported under other names",
    "typescript",
    `import { useTranslation as useA, useTranslations as useB } from "x"; import { y as z } from "z"; const { t } = useA("ns"); t("«a»"); const tr = useB("p"); tr("«b»")`,
    { scopes: ["ns|", "-|p"] },
  ],
  [
    "a translator that is called where it is awaited",
    "typescript",
    `(await getTranslations("ns"))("«a»"); (await getTranslations("ns")).rich("«b»"); f(useTranslations("x"))("c")`,
    { scopes: ["-|ns", "-|ns"] },
  ],
  [
    "a copy of one that has another name",
    "typescript",
    `const { t: tr } = useTranslation("ns"); const tu = tr; tu("«a»"); import { t as tv } from "i18next"; const tw = tv; tw("«b»")`,
    { scopes: ["ns|", "-|"] },
  ],
  ["not in an object that the file begins with", "typescript", `{ t: tp }; tp("a")`],
  [
    "not in an object",
    "typescript",
    `send({ t: tp }); const a = { t: tq }; tp("a"); tq("b"); if (f({ t: x })) { x("c") }`,
  ],
];

const annotated: readonly Case[] = [
  [
    "the result of a hook beside another import, in a variable",
    "typescript",
    `import main, { useTranslation as useT } from "react-i18next"; { let { t }: R<"x"> = useT("a"); t("«a»") } { var { t: tr }: R<"y"> = useT("b"); tr("«b»") }`,
    { scopes: ["a|", "b|"] },
  ],
  [
    "a translator of next-international that is passed on",
    "typescript",
    `function f(t: ReturnType<typeof getI18n>) { t("«a»") } function g(t: Other) { t("«b»") }`,
    { scopes: ["-|", "?|"] },
  ],
  [
    "the result of a hook",
    "typescript",
    `const { t }: { t: TFunction } = useTranslation("ns"); t("«a»"); const { t: tr }: Response<"x"> = useTranslation("x"); tr("«b»"); const [tl]: [T] = useTranslation("y"); tl("«c»")`,
    { scopes: ["ns|", "x|", "y|"] },
  ],
  [
    "a translator",
    "typescript",
    `const a: (key: Key<"p">) => string = useTranslations("p"); a("«a»"); class B { private readonly t: T<X> = getI18n(); f() { this.t("«b»") } }`,
    { scopes: ["-|p", "-|"] },
  ],
  [
    "a member of an object that is passed in",
    "typescript",
    `const { t } = useTranslation("ns"); const A = (props) => { const { t }: Props = props; t("«a»") }; const B = (props) => { const { t: tr }: Props = props; tr("«b»") }`,
    { scopes: ["?|", "?|"] },
  ],
];

const again: readonly Case[] = [
  [
    "not by the type or the default value of a parameter",
    "typescript",
    `const { t } = useTranslation("ns"); function f(x: typeof t, y: string) { t("«a»") } function g(x, y = t, z) { t("«b»") }`,
    { scopes: ["ns|", "ns|"] },
  ],
  [
    "by a member with a default value, only in its function",
    "typescript",
    `const { t } = useTranslation("ns"); function f({ t = x }) { t("«a»") } function g({ t } = {}) { t("«b»") } t("«c»")`,
    { scopes: ["?|", "?|", "ns|"] },
  ],
  [
    "by a copy of another one, behind a copy of itself",
    "typescript",
    `const { t } = useTranslation("ns"); function f() { const tr = t; tr("«a»") } function g() { const t = i18n.t; t("«b»") } t("«c»")`,
    { scopes: ["ns|", "-|", "ns|"] },
  ],
];

describe.each([
  ["declared again", again],
  ["wrapped components", wrapped],
  ["types of parameters", typed],
  ["handed to functions", handed],
  ["taken out of objects", taken],
  ["under another name", renamed],
  ["with types", annotated],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});
