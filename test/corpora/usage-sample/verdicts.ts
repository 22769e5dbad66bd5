/** What was judged of the places of a sample, and how what the engine says compares with it. */
import type { KeyUsage } from "../../../src/scanners/key-usage.ts";
import type { Place } from "./places.ts";

/**
 * One place that was judged by hand. `key`: it uses these keys, each as `scope` has them; `pattern`: it uses a key that
 * the code only half shows; `none`: it uses none (a comment, a definition, another function).
 */
export interface Verdict extends Place {
  readonly verdict: "key" | "pattern" | "none";
  /** The keys; for a pattern its known ends, as `prefix*suffix`. */
  readonly keys?: readonly string[];
  /** `namespaces|keyPrefix`: `-` for no namespace, `?|` for one out of sight; without it `-|`. */
  readonly scope?: string;
  readonly context?: string;
}

/** A sample as its file holds it. */
export interface Sample {
  readonly project: string;
  readonly commit: string;
  readonly seed: number;
  /** How many places there were to draw from. */
  readonly places: number;
  /** How many of them the wide expression does not find. */
  readonly engineAlone: number;
  readonly uses: readonly Verdict[];
}

/** A use in the words that are compared. */
export interface SaidUse {
  readonly kind: "key" | "pattern";
  readonly key: string;
  readonly scope: string;
  readonly context: string | null;
}

/** What the engine says of a place. */
export function said(uses: readonly KeyUsage[]): readonly SaidUse[] {
  return uses.map(({ expression, namespaces, keyPrefix, context }) => {
    const bound = namespaces === null ? "-" : namespaces === "unknown" ? "?" : namespaces.join(",");
    return {
      kind: expression.kind === "static" ? "key" : "pattern",
      key: expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
      scope: `${bound}|${keyPrefix}`,
      context,
    };
  });
}

/** What it should say. */
export function expected({ verdict, keys = [], scope = "-|", context }: Verdict): readonly SaidUse[] {
  return verdict === "none"
    ? []
    : keys.map((key) => ({ kind: verdict, key, scope, context: context ?? null }));
}

/** Counts of uses. */
export interface Score {
  /** What the engine said, and how much of it is right. */
  readonly said: number;
  readonly right: number;
  /** Keys that the code shows whole, and how many of them the engine found. */
  readonly keys: number;
  readonly foundKeys: number;
  /** The places where it is not all right, in words. */
  readonly wrong: readonly string[];
}

/** The score of one place. */
export function scoreOf(verdict: Verdict, uses: readonly KeyUsage[]): Score {
  const should = expected(verdict);
  const does = said(uses);
  const rest = [...does];
  const right = should.filter((use) => {
    const at = rest.findIndex((other) => isRight(use, other));
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  });
  const isSame = right.length === should.length && rest.length === 0;
  const place = `${verdict.file}:${verdict.line}:${verdict.column}`;
  return {
    said: does.length,
    right: right.length,
    keys: should.filter(({ kind }) => kind === "key").length,
    foundKeys: right.filter(({ kind }) => kind === "key").length,
    wrong: isSame ? [] : [`${place} should say ${JSON.stringify(should)}, says ${JSON.stringify(does)}`],
  };
}

function isRight(should: SaidUse, does: SaidUse): boolean {
  return (
    should.kind === does.kind &&
    should.key === does.key &&
    should.context === does.context &&
    should.scope === does.scope
  );
}

/** The sum of several places or projects. */
export function sum(scores: readonly Score[]): Score {
  const total = (of: (score: Score) => number): number =>
    scores.reduce((value, score) => value + of(score), 0);
  return {
    said: total((score) => score.said),
    right: total((score) => score.right),
    keys: total((score) => score.keys),
    foundKeys: total((score) => score.foundKeys),
    wrong: scores.flatMap((score) => score.wrong),
  };
}
