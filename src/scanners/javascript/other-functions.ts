/** Functions that only have the name of a translation function, in scripts that are one called function: copied libraries. */
import type { KeyUsage } from "../key-usage.ts";
import type { Source } from "../source-reader.ts";

/** `(function ($) {`, `!function () {`, `;(() => {`. */
const CALLED_FUNCTION =
  /^[\s;]*(?:["'] *["'][\s;]*)?(?:[!+~-]\s*function\b|\(\s*(?:function\b|\([^()]{0,200}\)\s*=>))/;
/** `t`, `this.t`, `$t`, `_`. */
const SHORT_NAME = /^(?![^]*(?:i18n|intl|lang|local|trans))(?:[\w$]+\.)*(?:[$_]?t|_)$/i;

/** Removes the calls of short names that no call of such a script gives any part of a key. */
export function removeOtherFunctions({ code }: Source, usages: KeyUsage[]): void {
  const isOpen = ({ expression }: KeyUsage): boolean =>
    expression.kind === "pattern" && expression.prefix + expression.suffix === "";
  if (!usages.some(isOpen) || !CALLED_FUNCTION.test(code)) return;
  const translators = new Set(usages.filter((usage) => !isOpen(usage)).map(({ callee }) => callee));
  const kept = usages.filter(({ callee }) => !SHORT_NAME.test(callee) || translators.has(callee));
  usages.length = 0;
  for (const usage of kept) usages.push(usage);
}
