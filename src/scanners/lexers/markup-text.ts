/** Decodes the character references that are common in markup text (`&amp;`, `&#39;`). */

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  copy: "©",
  reg: "®",
  trade: "™",
  times: "×",
  rarr: "→",
  larr: "←",
  bull: "•",
  middot: "·",
  euro: "€",
};
const LAST_CODE_POINT = 0x10_ffff;

/** Returns the text with its character references replaced; unknown ones are preserved. */
export function unescapeMarkup(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,
    (written, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name] ?? written;
      const point = Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10);
      return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : written;
    },
  );
}
