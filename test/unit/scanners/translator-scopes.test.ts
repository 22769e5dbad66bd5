/** A call of `t` belongs to the innermost enclosing block that declares `t`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../support/full-run.ts";
import { find } from "./marked.ts";

/** What a block says of `t`, and the namespaces and key prefix that calls have then; `?` for unknown. */
const DECLARATIONS: readonly (readonly [code: string, scope: string])[] = [
  ["", ""],
  ["", ""],
  ['const { t } = useTranslation("N");', "N|"],
  ['const { ready, t } = useTranslation<"x">("N", { keyPrefix: "P" });', "N|P"],
  ['const [t] = useTranslation(["N"]);', "N|"],
  ['let t = useTranslation("N").t;', "N|"],
  ['const t = await getFixedT(null, "N", "P");', "N|P"],
  ['const t: TFunction = i18n.getFixedT("nl", "N");', "N|"],
  ['const t = useTranslations("P");', "-|P"],
  ['const [rows, t] = await Promise.all([load(), getTranslations("P")]);', "-|P"],
  ['const i = useTranslation("N"); const { t } = i;', "N|"],
  ["const { t } = useTranslation(...given);", "?|"],
  ["const t = make(1);", "?|"],
  ["const { a, t } = given;", "?|"],
  ["const [t] = given;", "?|"],
  ["function t() { return 1; }", "?|"],
];

/** Blocks around `…`; those that end with `t` as a parameter hide every other. */
const BLOCKS: readonly string[] = [
  "function f() {…}",
  "if (x) {…} else { y(); }",
  "{…}",
  "const g = () => {…};",
  "xs.map((x) => {…});",
  "class A { m(a: string): void {…} }",
  "for (const x of [1, 2]) {…}",
  "const o = { m: () => {…}, n: 1 };",
];
const HIDING: readonly string[] = [
  "function f(t) {…}",
  "const g = (a, t) => {…};",
  "const g = t => {…};",
  "xs.map(({ t }) => {…});",
  "const g = function (t = b, c) {…};",
  "const g = async ({ a: t }: Props): Promise<void> => {…};",
];

interface Block {
  readonly around: string;
  readonly declaration: readonly [code: string, scope: string];
  /** A number is a call. */
  readonly items: readonly (number | Block)[];
}

const { block } = fc.letrec<{ block: Block; items: readonly (number | Block)[] }>((tie) => ({
  items: fc.array(fc.oneof({ depthSize: "small" }, fc.constant(0), tie("block")), { maxLength: 3 }),
  block: fc.oneof(
    fc.record({
      around: fc.constantFrom(...BLOCKS),
      declaration: fc.constantFrom(...DECLARATIONS),
      items: tie("items"),
    }),
    fc.record({
      around: fc.constantFrom(...HIDING),
      declaration: fc.constant(["", "?|"] as const),
      items: tie("items"),
    }),
  ),
}));

test("uses the innermost enclosing declaration", () => {
  fc.assert(
    fc.property(block, (outermost) => {
      const expected: string[] = [];
      let declared = 0;
      const print = ({ around, declaration, items }: Block, outer: string): string => {
        const [code, named] = declaration.map((part) =>
          part.replaceAll(/\b[NP]\b/g, (name) => `${name.toLowerCase()}${declared}`),
        ) as [string, string];
        declared++;
        const scope = named || outer;
        const inner = items.map((item) => {
          if (typeof item !== "number") return print(item, scope);
          expected.push(`k${expected.length}: ${scope}`);
          return `t("k${expected.length - 1}");`;
        });
        return around.replace("…", () => ` ${[code, ...inner].join("\n")} `);
      };
      const program = print(outermost, "-|");
      const found = find("typescript", program).flatMap(({ expression, namespaces, keyPrefix }) => {
        const names = namespaces === null ? "-" : namespaces === "unknown" ? "?" : namespaces.join(",");
        return expression.kind === "static" ? [`${expression.key}: ${names}|${keyPrefix}`] : [];
      });
      expect(found, program).toEqual(expected);
    }),
    propertyRuns(5_000),
  );
});
