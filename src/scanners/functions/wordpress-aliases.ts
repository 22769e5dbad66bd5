/** Other names that a JavaScript file gives to functions of `wp.i18n`, which no import tells of. */

const OBJECT = String.raw`(?:window\s*\.\s*)?wp\s*\.\s*i18n`;
const TAKEN_APART = new RegExp(String.raw`\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*${OBJECT}\b`, "g");
const TAKEN_OUT = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+)\s*=\s*${OBJECT}\s*\.\s*([\w$]+)\s*(?=[;,\n]|$)`,
  "g",
);

/** Pairs of the other name and the function's own: `const { __: translate } = wp.i18n`, `const tr = wp.i18n.__`. */
export function wordpressAliases(code: string): readonly (readonly [alias: string, name: string])[] {
  if (!code.includes("i18n")) return [];
  const found: (readonly [string, string])[] = [];
  for (const [, members = ""] of code.matchAll(TAKEN_APART)) {
    for (const member of members.split(",")) {
      const [name = "", alias = ""] = member.split(":").map((part) => part.trim());
      if (alias !== "") found.push([alias, name]);
    }
  }
  for (const [, alias = "", name = ""] of code.matchAll(TAKEN_OUT)) {
    if (alias !== name) found.push([alias, name]);
  }
  return found;
}
