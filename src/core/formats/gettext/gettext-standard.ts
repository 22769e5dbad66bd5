/**
 * The Plural-Forms expressions that languages are known by, gettext's own wording first. Which locale has which is not
 * said here: gettext-plurals.ts finds the one that agrees with CLDR.
 */
import { parsePluralExpression, type PluralIndex } from "./gettext-expression.ts";

/** A way to number the plural forms of a language. */
export interface StandardExpression {
  readonly count: number;
  readonly source: string;
  readonly index: PluralIndex;
}

/** How many forms, and which number has which. In the order in which languages have them. */
const SOURCES: readonly (readonly [number, string])[] = [
  [1, "0"],
  [2, "(n != 1)"],
  [2, "(n > 1)"],
  [2, "(n%10==1 && n%100!=11 ? 0 : 1)"],
  [2, "(n%10==4 || n%10==6 || n%10==9)"],
  [2, "(n>=2 && (n<11 || n>99))"],
  [3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2"],
  [3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2"],
  [3, "(n==1 ? 0 : n==2 ? 1 : 2)"],
  [3, "(n==0 ? 0 : n==1 ? 1 : 2)"],
  [3, "(n<=1 ? 0 : n<=10 ? 1 : 2)"],
  [4, "(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3)"],
  [4, "(n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n>=3 && n<=19 ? 2 : 3)"],
  [4, "(n%10==1 ? 0 : n%10==2 ? 1 : n%20==0 ? 2 : 3)"],
  [4, "(n%10==1 && n%100!=11 ? 0 : n==2 ? 1 : n%10>=2 && (n%100<10 || n%100>=20) ? 2 : 3)"],
  [
    4,
    "(n%10==1 && n%100!=11 && n%100!=71 && n%100!=91 ? 0 : n%10==2 && n%100!=12 && n%100!=72 && n%100!=92 ? 1 : (n%10==3 || n%10==4 || n%10==9) && (n%100<10 || n%100>19) && (n%100<70 || n%100>79) && (n%100<90 || n%100>99) ? 2 : 3)",
  ],
  [5, "(n==1 ? 0 : n==2 ? 1 : n>=3 && n<=6 ? 2 : n>=7 && n<=10 ? 3 : 4)"],
  [5, "(n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>=3 && n%100<=10) ? 2 : n%100>=11 && n%100<=19 ? 3 : 4)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n%20==2 || n%100000==1000 ? 2 : n%20==3 ? 3 : n%20==1 ? 4 : 5)"],
];

let parsed: readonly StandardExpression[] | null = null;

/** Each is understood by gettext and by `parsePluralExpression`. */
export function standardExpressions(): readonly StandardExpression[] {
  parsed ??= SOURCES.flatMap(([count, source]) => {
    const index = parsePluralExpression(source);
    return index === null ? [] : [{ count, source, index }];
  });
  return parsed;
}
