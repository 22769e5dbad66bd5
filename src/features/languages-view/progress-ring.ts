/** The icon of a language: a ring of what is translated and outdated. */

/** The shares of a ring, from 0 to 1. */
export interface RingShares {
  readonly translated: number;
  readonly outdated: number;
  readonly hasErrors: boolean;
}

/** Returns the SVGs for light and dark themes. */
export function progressRing(shares: RingShares): { readonly light: string; readonly dark: string } {
  return { light: ringSvg(shares, LIGHT), dark: ringSvg(shares, DARK) };
}

/** VS Code's chart colours. An image cannot use theme colours, so there is one for light and one for dark themes. */
const LIGHT = { translated: "#2f8132", outdated: "#bf8803", missing: "#00000070", error: "#d1242f" };
const DARK = { translated: "#89d185", outdated: "#e2b93d", missing: "#ffffff66", error: "#f48771" };

const CENTRE = 8;
const RADIUS = 5.75;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Returns the SVG of a ring of 16 by 16 pixels, clockwise from the top. */
function ringSvg({ translated, outdated, hasErrors }: RingShares, palette: typeof LIGHT): string {
  const upToDate = Math.max(0, translated - outdated);
  const arcs = [
    arc(palette.missing, 0, 1),
    arc(palette.translated, 0, upToDate),
    arc(palette.outdated, upToDate, outdated),
  ];
  const isComplete = translated >= 1 && outdated === 0 && !hasErrors;
  const dot = hasErrors ? `<circle cx="8" cy="8" r="2.25" fill="${palette.error}"/>` : "";
  const check = `<path d="M5.6 8.1l1.7 1.7 3.1-3.5" fill="none" stroke="${palette.translated}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${arcs.join("")}${isComplete ? check : dot}</svg>`;
}

/** Returns an arc. A share above zero is drawn with a visible minimum length. */
function arc(colour: string, from: number, share: number): string {
  if (share <= 0) return "";
  const length = Math.min(1, Math.max(share, 0.03)) * CIRCUMFERENCE;
  const attributes = `cx="${CENTRE}" cy="${CENTRE}" r="${RADIUS}" fill="none" stroke="${colour}" stroke-width="2.5"`;
  if (share >= 1) return `<circle ${attributes}/>`;
  const rotation = `transform="rotate(${round(from * 360 - 90)} ${CENTRE} ${CENTRE})"`;
  return `<circle ${attributes} stroke-dasharray="${round(length)} ${round(CIRCUMFERENCE)}" ${rotation}/>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
