/** Aliases that a JavaScript file gives to functions of `wp.i18n` other than by an import. */

const OBJECT = String.raw`(?:window\s*\.\s*)?wp\s*\.\s*i18n`;
const DESTRUCTURED = new RegExp(String.raw`\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*${OBJECT}\b`, "g");
const ASSIGNED_MEMBER = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+)\s*=\s*${OBJECT}\s*\.\s*([\w$]+)\s*(?=[;,\n]|$)`,
  "g",
);

/** Returns pairs of alias and function name: `const { __: translate } = wp.i18n`, `const tr = wp.i18n.__`. */
export function wordpressAliases(code: string): readonly (readonly [alias: string, name: string])[] {
  if (!code.includes("i18n")) return [];
  const found: (readonly [string, string])[] = [];
  for (const [, members = ""] of code.matchAll(DESTRUCTURED)) {
    for (const member of members.split(",")) {
      const [name = "", alias = ""] = member.split(":").map((part) => part.trim());
      if (alias !== "") found.push([alias, name]);
    }
  }
  for (const [, alias = "", name = ""] of code.matchAll(ASSIGNED_MEMBER)) {
    if (alias !== name) found.push([alias, name]);
  }
  return found;
}
