/** Placeholders of each framework, and detection of misspelled ones. */
import { describe, expect, test } from "vitest";
import {
  findMisspelled,
  findPlaceholders,
  PlaceholderNames,
  type PlaceholderFamily,
} from "../../../src/model/placeholders.ts";

/** `name kind text` of each. */
const foundPlaceholders = (family: PlaceholderFamily, text: string): string[] =>
  findPlaceholders(family, text).map(({ name, kind, text: written, start, end }) => {
    if (family !== "icu") expect(text.slice(start, end)).toBe(written);
    return [name, kind, written].filter((part) => part !== "").join(" ");
  });

describe("placeholders", () => {
  test.each<[PlaceholderFamily, string, readonly string[]]>([
    ["colon", "Hi :name, :Name2 :_a :1 a:b ::c \\:d :é :", ["name :name", "Name2 :Name2", "_a :_a", "é :é"]],
    ["colon", "(:a):b", ["a :a", "b :b"]],
    [
      "double-braces",
      "{{a}} {{- b }} {{ c, number }} {{d.e}} {{}} {f} {{g}}}",
      ["a {{a}}", "b {{- b }}", "c {{ c, number }}", "d.e {{d.e}}", "g {{g}}"],
    ],
    [
      "icu",
      "{a} { b } {0} {c, number} {d, date, short} {{e}} {f-g.h} {1a} {}",
      ["a {a}", "b { b }", "0 {0}", "c {c}", "d {d}", "f-g.h {f-g.h}"],
    ],
    ["icu", "{n, plural, one {a {b}} other {{c}}} {d", ["n {n}", "b {b}", "c {c}"]],
    ["icu", "{g, select, a {x} other {{n, plural, other {y {z}}}}}", ["g {g}", "n {n}", "z {z}"]],
    ["icu", "{n, plural, one {apple}} {apple}", ["n {n}", "apple {apple}"]],
    ["icu", "{n, plural, one {{!} a} other {{b}}}", ["n {n}", "b {b}"]],
    [
      "printf",
      "%s %d %% %5.2f %-3i %+d %'d %ld %hhd %@ %x %c %q 100% of",
      [
        "1 s %s",
        "2 d %d",
        "3 f %5.2f",
        "4 d %-3i",
        "5 d %+d",
        "6 d %'d",
        "7 d %ld",
        "8 d %hhd",
        "9 s %@",
        "10 d %x",
        "11 c %c",
      ],
    ],
    ["printf", "%2$s %1$d %s", ["2 s %2$s", "1 d %1$d", "1 s %s"]],
    ["printf", "%(a)s %(b.c-d)05d %(e)r %(f) %(g)q", ["a s %(a)s", "b.c-d d %(b.c-d)05d", "e s %(e)r"]],
    ["printf", "%E%F%g%G%o%u%b", ["1 f %E", "2 f %F", "3 f %g", "4 f %G", "5 d %o", "6 d %u", "7 d %b"]],
  ])("are found by %s in %j", (family, text, found) => {
    expect(foundPlaceholders(family, text)).toEqual(found);
  });
});

describe("names", () => {
  const names = (family: PlaceholderFamily, text: string): PlaceholderNames =>
    new PlaceholderNames(family, findPlaceholders(family, text));

  test("ignore Laravel's capitalisation, and no other", () => {
    const found = names("colon", ":name :SHOP :Count");
    expect(
      ["name", "Name", "NAME", "nAme", "shop", "Shop", "SHOP", "count", "COUNT", "other"].map((each) =>
        found.has(each),
      ),
    ).toEqual([true, true, true, false, true, true, true, true, true, false]);
    expect(names("double-braces", "{{name}}").has("Name")).toBe(false);
  });

  test("are listed once per spelling and kind", () => {
    const kinds = names("printf", "%1$s %1$d %1$s %1$i").named("1");
    expect(kinds.map(({ kind }) => kind)).toEqual(["s", "d"]);
    expect(
      names("colon", ":a :A :a")
        .named("a")
        .map(({ name }) => name),
    ).toEqual(["a", "A"]);
  });
});

describe("misspelled placeholders", () => {
  const spot = (
    family: PlaceholderFamily,
    wanted: string,
    text: string,
    taken: readonly [number, number][] = [],
  ): string | undefined => {
    const [placeholder] = findPlaceholders(family, wanted);
    if (placeholder === undefined) throw new Error(`none in ${wanted}`);
    const found = findMisspelled(
      family,
      text,
      placeholder,
      taken.map(([start, end]) => ({ start, end })),
    );
    return found && text.slice(found.start, found.end);
  };

  test.each<[PlaceholderFamily, string, string, string | undefined]>([
    ["colon", ":name", "a : Name b", ": Name"],
    ["colon", ":name", "a ：name", "：name"],
    ["colon", ":name", "a {name} b", "{name}"],
    ["colon", ":name", "a {{ - name }} b", "{{ - name }}"],
    ["colon", ":name", "a %name% b", "%name%"],
    ["colon", ":name", "a :names b", undefined],
    ["colon", ":name", "name", undefined],
    ["double-braces", "{{a.b}}", "{axb} {a.b}", "{a.b}"],
    ["printf", "%s", "a % s", "% s"],
    ["printf", "%s", "a %1 $ s", "%1 $ s"],
    ["printf", "%s", "a ％s", "％s"],
    ["printf", "%s", "a % d", undefined],
    ["printf", "%s", "50 % som", undefined],
    ["printf", "%(a)s", "% ( A ) s", "% ( A ) s"],
    ["printf", "%(a)s", "%(a) b", "%(a)"],
    ["printf", "%(a)s", "{a}", "{a}"],
  ])("%s's %s in %j: %j", (family, wanted, text, found) => {
    expect(spot(family, wanted, text)).toBe(found);
  });

  test("are not found where something else is meant", () => {
    expect(spot("colon", ":a", ":A :A", [[0, 2]])).toBe(":A");
    expect(spot("colon", ":a", "x :A y", [[2, 4]])).toBeUndefined();
    expect(spot("colon", ":a", "x :A y", [[0, 2]])).toBe(":A");
    expect(spot("colon", ":a", "x :A y", [[4, 6]])).toBe(":A");
    expect(spot("colon", ":a", "x :A y", [[3, 6]])).toBeUndefined();
    expect(spot("colon", ":a", "x :A y", [[0, 3]])).toBeUndefined();
  });
});

test("finds the names and indexes that vue-i18n reads", () => {
  const names = findPlaceholders("braces", "{name$} {a_b-c} {0} { -1 } {$x} {'literal'}").map(
    ({ name }) => name,
  );
  expect(names).toEqual(["name$", "a_b-c", "0", "-1"]);
});
