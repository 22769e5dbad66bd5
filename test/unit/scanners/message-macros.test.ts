/** Macros of Lingui, whose key is an id or the ICU message that Lingui's own plugin makes of them. */
import { describe, expect, test } from "vitest";
import { lingui } from "../../../src/frameworks/lingui.ts";
import { readFrameworkOptions } from "../../../src/workspace/project-detection/read-framework-options.ts";
import { find, options } from "./marked.ts";

const LINGUI = options(["lingui"]);
const CORE =
  'import { t, msg, defineMessage, plural, select, selectOrdinal, ph } from "@lingui/core/macro";\n';
const JSX = 'import { Trans, Plural, Select, SelectOrdinal, useLingui } from "@lingui/react/macro";\n';

/** The keys in the code, with their contexts; `*` for one that is not known. */
function keysIn(code: string): readonly string[] {
  return find("typescriptreact", code, LINGUI).map(({ expression, context }) => {
    const key = expression.kind === "static" ? expression.key : "*";
    return context === null ? key : `${context}|${key}`;
  });
}

test.each([
  "@lingui/macro",
  "@lingui/core/macro",
  "@lingui/react/macro",
  "@lingui/solid/macro",
  "@lingui/core",
  "@lingui/react",
  "@lingui/solid",
])("of %s are macros, and the same names of others are not", (module) => {
  const code = (from: string) => `import { t, Trans } from "${from}"; t\`a\`; const b = <Trans>c</Trans>;`;
  expect(keysIn(code(module))).toEqual(["a", "c"]);
  expect(keysIn(code(`${module}-other`))).toEqual([]);
});

test("components of other frameworks are keys in a file with macros, too", () => {
  const code = `${CORE}t\`a\`; const b = <FormattedMessage id="b.c" />; const d = <Trans i18nKey="d.e" />;`;
  const found = find("typescriptreact", code, options(["lingui", "formatjs", "i18next"]));
  const keys = found.map(({ expression }) => (expression.kind === "static" ? expression.key : "*"));
  expect(keys.toSorted()).toEqual(["a", "b.c", "d.e"]);
});

describe("functions", () => {
  test.each([
    ["t`Hello ${name}, ${user.name} and ${get()}`", ["Hello {name}, {0} and {1}"]],
    ["t`\\`${a}\\` \\${b}`", ["`{a}` ${b}"]],
    ["t({ message: `Hi ${name}`, context: 'greeting', comment: 'x' })", ["greeting|Hi {name}"]],
    ["t({ id: 'msg.hi', message: `Hi ${name}` })", ["msg.hi"]],
    ["t({ id: `msg.hi` })", ["msg.hi"]],
    ["msg`Hi` + defineMessage({ message: 'Ho' })", ["Hi", "Ho"]],
    ["t(i18n)`Hi` + t(global.i18n)({ message: 'Ho' })", ["Hi", "Ho"]],
    [
      "t`a ${{ name: user.name }} ${ph({ other: x() })} ${{ n } as any} ${m as string}`",
      ["a {name} {other} {n} {m}"],
    ],
    [
      "plural(count, { one: '# book', other: `# ${kind} books` })",
      ["{count, plural, one {# book} other {# {kind} books}}"],
    ],
    [
      "plural(users.length, { offset: 1, 0: 'No', one: 'a', other: 'b' })",
      ["{0, plural, offset:1 =0 {No} one {a} other {b}}"],
    ],
    ["selectOrdinal(n, { one: '#st', other: '#th' })", ["{n, selectordinal, one {#st} other {#th}}"]],
    [
      "select(gender, { male: 'he', other: plural(n, { other: 'they' }) })",
      ["{gender, select, male {he} other {{n, plural, other {they}}}}"],
    ],
    [
      "t`You have ${plural(n, { one: '# item', other: '# items' })}.`",
      ["You have {n, plural, one {# item} other {# items}}."],
    ],
    [
      "t({ message: plural(n, { other: 'x' }) }); t({ id: 'a', message: plural(n, { other: 'x' }) })",
      ["{n, plural, other {x}}", "a"],
    ],
    ["ph({ n: 1 }); t({ comment: 'x' }); t`${a1} ${this} ${x2y} ${3}`", ["{a1} {0} {x2y} {1}"]],
    [
      "plural({ n: users.length }, { other: 'a' }); plural(ph({ m: x() }), { other: 'b' })",
      ["{n, plural, other {a}}", "{m, plural, other {b}}"],
    ],
    // A tag in a message is a part of it.
    [
      "plural(n, { one: t`# book of ${a}`, other: `# ${msg`books`}` }); t`c`",
      ["{n, plural, one {# book of {a}} other {# books}}", "c"],
    ],
    ["t`${a.b} ${c.d}` + t`${e.f}`", ["{0} {1}", "{0}"]],
    [
      "plural(a.b, { one: `${c.d} x`, other: `${e.f}` }); t`${{ a: x, b: y }}`",
      ["{0, plural, one {{1} x} other {{2}}}", "{0}"],
    ],
    ["t({ id: x ? 'a' : 'b' })", ["a", "b"]],
    ["plural(n, { one: 'a' + b, other: 'c' }); t`d`", ["{n, plural, one {{0}} other {c}}", "d"]],
    ["t(message); t(); t`a${`", []],
    ["msg({ message: 'a\\n\\'b\\'' }); t`c\\\\`", ["a\n'b'", "c\\"]],
    // Only the whole of a value is a part of the message.
    ["t`a ${plural(n, { other: 'x' }).trim()} ${f(b as string)}`", ["a {0} {1}", "{n, plural, other {x}}"]],
    ["i18n._(`a.${x}`); plural`no`; ph({ name: x })", ["*"]],
  ])("%s", (code, keys) => {
    expect(keysIn(CORE + code)).toEqual(keys);
  });

  test("renamed, and of other modules", () => {
    expect(keysIn("import { t as tr } from '@lingui/macro'; tr`a`; t`b`;")).toEqual(["a"]);
    expect(keysIn("import x, { type Y, t as tr } from '@lingui/macro'; tr`a`;")).toEqual(["a"]);
    expect(keysIn("const { t: tr, msg } = require('@lingui/macro'); tr`a`; msg`b`;")).toEqual(["a", "b"]);
    expect(keysIn("var { t: tr } = require('@lingui/macro'); tr`a`;")).toEqual(["a"]);
    expect(keysIn("import { t } from 'other'; t`a`;")).toEqual([]);
    expect(keysIn("const s = `import { t } from '@lingui/macro'`; t`a`;")).toEqual([]);
    const code = "import { i18n as x } from '@lingui/core'; x._('a'); x.t({ id: 'b' }); y._('c');";
    expect(keysIn(code)).toEqual(["a", "b"]);
  });

  test("translators", () => {
    const code = `import { i18n } from "@lingui/core"; import { useLingui } from "@lingui/react";
      i18n._("a.b", { n }); i18n.t({ id: "c", message: "C" }); i18n._(id); this.props.i18n._("d");
      const { _, i18n: x } = useLingui(); _("e"); _(x ? "f" : "g"); x._("h"); lodash._("no"); _(MESSAGE);`;
    expect(keysIn(code)).toEqual(["a.b", "c", "d", "e", "f", "g", "h"]);
  });

  test("a file without macros, in which no other call has an id", () => {
    const code =
      'import { i18n } from "@lingui/core"; if ("no" in x) f ("no"); const a = i18n._("a") || ("no");';
    expect(keysIn(code)).toEqual(["a"]);
  });

  test("the hook of macros", () => {
    expect(keysIn(`${JSX}const { t: tr } = useLingui(); tr\`a \${b}\`; tr({ message: "c" });`)).toEqual([
      "a {b}",
      "c",
    ]);
    const two = "const { t: a } = useLingui(); const { t: b } = useLingui(); a`x`; b`y`;";
    expect(keysIn(JSX + two)).toEqual(["x", "y"]);
    const renamed = 'import { useLingui as useL } from "@lingui/react/macro"; const { t: a } = useL(); a`x`;';
    expect(keysIn(renamed)).toEqual(["x"]);
    const object = 'import { useLingui } from "@lingui/react"; const l = useLingui(); l._("a"); m._("no");';
    expect(keysIn(object)).toEqual(["a"]);
  });
});

describe("components", () => {
  test.each([
    [
      "<Trans>Hello <b>{name}</b>, read <a href={x}>the <i>docs</i></a><br /></Trans>",
      ["Hello <0>{name}</0>, read <1>the <2>docs</2></1><3/>"],
    ],
    [
      "<Trans>\n  Hello{' '}\n  {/* a comment */}\n  {user.name} &amp; {`x ${y}`}\n</Trans>",
      ["Hello {0} & x {y}"],
    ],
    ["<Trans id='a.b'>Hello</Trans>", ["a.b"]],
    ["<Trans id={'a.b'} message='Hello' />", ["a.b"]],
    ["<Trans message='Hello' />", ["Hello"]],
    [
      "<Plural value={n} zero='a' one='b' two='c' few='d' many='e' other='f' />",
      ["{n, plural, zero {a} one {b} two {c} few {d} many {e} other {f}}"],
    ],
    ["<Trans context='menu'>Open</Trans>", ["menu|Open"]],
    [
      "<Plural value={count} _0='No books' one='# book' other={<>x</>} />",
      ["{count, plural, =0 {No books} one {# book} other {{0}}}"],
    ],
    [
      "<Plural value={a.b} offset={1} one='1' other={<b># books</b>} />",
      ["{0, plural, offset:1 one {1} other {<0># books</0>}}"],
    ],
    [
      "<SelectOrdinal value={n} one='#st' other={`#th ${x}`} />",
      ["{n, selectordinal, one {#st} other {#th {x}}}"],
    ],
    ["<Select value={gender} _male='he' other='they' />", ["{gender, select, male {he} other {they}}"]],
    [
      "<Trans>You have <Plural value={n} one='# item' other='# items' /> in <b>it</b></Trans>",
      ["You have {n, plural, one {# item} other {# items}} in <0>it</0>"],
    ],
    ["<Trans>a {c ? <Trans>b</Trans> : d}</Trans>", ["a {0}", "b"]],
    ["<Trans>a <b>{x.y}</b></Trans><Trans>c <i>{x.z}</i></Trans>", ["a <0>{0}</0>", "c <0>{0}</0>"]],
    ["<Trans>a <Plural value={n} other='b'></Plural> <b></b></Trans>", ["a {n, plural, other {b}} <0/>"]],
    ["<Plural value='2' offset={'1'} other='b\\n &amp;' />", ["{0, plural, offset:1 other {b\\n &amp;}}"]],
    ["<Select value={g} offset='A' other='B' />", ["{g, select, other {B}}"]],
    ["<Trans>a {<b>x</b> || y}</Trans>", ["a {0}"]],
    [
      `<Trans>${"<br/>".repeat(20)}a</Trans>`,
      [`${Array.from({ length: 20 }, (_, n) => `<${n}/>`).join("")}a`],
    ],
    ["<Trans>a <b", []],
    ["<Trans>{x}</Trans><Trans></Trans><Trans>a<>b</></Trans>", ["{x}", "a"]],
    ["<Trans><>{x.y} <b>x</b></><i>y</i> {z.y}</Trans>", ["<0>y</0> {0}"]],
  ])("%s", (code, keys) => {
    expect(keysIn(`${JSX}const a = <p>${code}</p>;`)).toEqual(keys);
  });

  test("a file that only imports a component with cases", () => {
    const code = `import { Plural } from "@lingui/react/macro"; const a = <Plural value={n} other="x" />;`;
    expect(keysIn(code)).toEqual(["{n, plural, other {x}}"]);
  });

  test("another macro in braces is a message of its own", () => {
    const code = "const a = <Trans>a {plural(n, { other: 'b' })}</Trans>;";
    expect(keysIn(CORE + JSX + code)).toEqual(["a {0}", "{n, plural, other {b}}"]);
  });

  test("more elements beside each other than may be in each other", () => {
    const bold = Array.from({ length: 20 }, (_, index) => `<b>${index}</b>`).join("");
    const numbered = Array.from({ length: 20 }, (_, index) => `<${index}>${index}</${index}>`).join("");
    expect(keysIn(`${JSX}const x = <Trans>${bold}</Trans>;`)).toEqual([numbered]);
  });

  test("the key is where it is written", () => {
    const code = `${CORE}${JSX}t\`Hi \${a}\`; t({ message: "Ho" }); const x = <Trans> Hello <b>you</b> </Trans>;`;
    const found = find("typescriptreact", code, LINGUI);
    const written = found.map(({ keySpan, hasValues = false }) => [
      code.slice(keySpan.start, keySpan.end),
      hasValues,
    ]);
    expect(written).toEqual([
      ["Hi ${a}", true],
      ["Ho", false],
      ["Hello <b>you</b>", true],
    ]);
  });
});

test("the call of another instance's macro ends behind its message", () => {
  const call = `t(i18n)({ message: "Ho" })`;
  const [use] = find("typescript", CORE + call, LINGUI);
  expect((CORE + call).slice(use?.callSpan.start, use?.callSpan.end)).toBe(call);
  expect(find("typescript", `${CORE}i18n\n  ._("a")`, LINGUI).map(({ callee }) => callee)).toEqual([
    "i18n._",
  ]);
});

test("another framework's t and Trans in a project with both", () => {
  const both = options(["lingui", "i18next"]);
  const keys = (code: string): unknown =>
    find("typescriptreact", code, both).map(({ expression }) => expression);
  expect(keys('const { t } = useTranslation(); t("a.b")')).toEqual([{ kind: "static", key: "a.b" }]);
  expect(keys(`${CORE}t\`Hi \${a}\``)).toEqual([{ kind: "static", key: "Hi {a}" }]);
  expect(keys(`${JSX}const x = <Trans>Hi <b>a</b></Trans>`)).toEqual([
    { kind: "static", key: "Hi <0>a</0>" },
  ]);
});

describe("comments that set a context and a prefix of ids", () => {
  /** As `keysIn`, with the prefix. */
  const prefixed = (code: string, given = LINGUI): readonly string[] =>
    find("typescriptreact", code, given).map(({ expression, context, keyPrefix }) => {
      const key = expression.kind === "static" ? expression.key : "*";
      return `${context ?? ""}|${keyPrefix}|${key}`;
    });

  // Of the cases of @lingui/babel-plugin-lingui-macro.
  test.each([
    ['/* lingui-set context="my context" */\nconst msg = t`Hello`', ["my context||Hello"]],
    [
      '// lingui-set context="ctx" comment="cmt"\nt`a`; defineMessage({ message: "b" })',
      ["ctx||a", "ctx||b"],
    ],
    ['/* lingui-set context="ctx" */ t`a`', ["ctx||a"]],
    ['t`a`;\n/* lingui-set context="ctx" */\nt`b`', ["||a", "ctx||b"]],
    ['t`a`;\nt`b`; // lingui-set context="ctx"\nt`c`', ["||a", "ctx||b", "ctx||c"]],
    ['/* lingui-set context="ctx" */\nt({ message: "a", context: "own" })', ["own||a"]],
    ['/* lingui-set context="ctx" idPrefix="p." */\n/* lingui-set context="" */\nt({ id: "a" })', ["|p.|a"]],
    ['/* lingui-set context="ctx" */\n/* lingui-set idPrefix="p." */\nt({ id: "a" })', ["ctx|p.|a"]],
    ['// lingui-set context="ctx" idPrefix="p."\n// lingui-reset\nt({ id: "a" }); t`b`', ["||a", "||b"]],
    ['// lingui-set idPrefix="p."\n// lingui-reset context="x"\nt({ id: "a" })', ["x||a"]],
    [
      '/* lingui-set idPrefix="p." */\nt`a`; i18n._("b"); msg({ id: "c", message: "d" })',
      ["||a", "||b", "|p.|c"],
    ],
    ['// lingui-set context="ctx"\r\nt`a`', ["ctx||a"]],
    [
      '/* lingui-set context="ctx" idPrefix="p." */\ni18n.t({ id: "a" }); t({ id: "b" })',
      ["||a", "ctx|p.|b"],
    ],
    ['// lingui-set is a comment\n// see lingui-set context="a"\nt`a`', ["||a"]],
    ['// lingui-reset context="x"\nt`a`', ["x||a"]],
    ['/* lingui-set context="ctx" */\nplural(n, { other: "a" })', ["ctx||{n, plural, other {a}}"]],
  ])("%s", (code, keys) => {
    expect(prefixed(CORE + code)).toEqual(keys);
  });

  test("in markup", () => {
    const code = `const a = <p>{/* lingui-set idPrefix="home." context="home" */}
      <Trans id="title">T</Trans><Trans>Text</Trans></p>;`;
    expect(prefixed(JSX + code)).toEqual(["home|home.|title", "home||Text"]);
  });

  test("modules and the leader of ids in the configuration", () => {
    const path = "lingui.config.ts";
    const text = `export default defineConfig({ macro: { corePackage: ["@my/macro"], jsxPackage: ["@my/jsx"], idPrefixLeader: "." } });`;
    const { macros } = readFrameworkOptions([{ path, text }], LINGUI.frameworks);
    expect(macros).toEqual({ modules: ["@my/macro", "@my/jsx"], idPrefixLeader: "." });
    if (macros === undefined) return;
    const own = { ...LINGUI, macros };
    const code = `import { t } from "@my/macro"; import { Trans } from "@my/jsx";
      // lingui-set idPrefix="page"
      t\`Hi\`; t({ id: ".title" }); t({ id: "common" }); const a = <Trans>b</Trans>; t({ id: x ? ".c" : "d" });`;
    expect(prefixed(code, own)).toEqual(["||Hi", "|page|.title", "||common", "||b", "|page|.c", "||d"]);
    expect(prefixed(code)).toEqual([]);
  });
});

test("how a new call is written", () => {
  const values = [
    { name: "name", code: "name" },
    { name: "count", code: "a.b" },
  ];
  const parts = { key: "Hi {name}, `{count}` ${x}", values, literal: String, domain: null, translator: "t" };
  expect(lingui.code?.script?.write(parts)).toBe("t`Hi ${name}, \\`${{ count: a.b }}\\` \\${x}`");
});
