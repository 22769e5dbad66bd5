/**
 * Texts of the service and of files are data: here they are made harmless for Markdown and for labels, so that
 * none of them can be a link, an image, HTML, a theme icon or a command. Builds no Markdown itself.
 */

/** Texts longer than this are cut where they are only shown. In UTF-16 units. */
const MAX_SHOWN = 600;

/**
 * The text as it can stand anywhere in a line of Markdown, also with theme icons on. Every ASCII punctuation mark
 * becomes a character reference: unlike a backslash it survives the icons, which are put into the finished HTML.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/**
 * The text as it can stand in a Markdown document that people read as it is written: only what could begin a link, an
 * image, HTML or code is escaped.
 */
export function documentMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[\\`*[\]<>&|]/g, String.raw`\$&`);
}

/** A short name (a locale, say) in the font of code where it is harmless there, else escaped. */
export function codeMarkdown(name: string): string {
  return /^[\w.@ -]+$/.test(name) ? `\`${name}\`` : escapeMarkdown(name);
}

/**
 * The text on one line for labels and prompts, which may hold theme icons (quick picks, the status bar) or links (the
 * prompt of an input box).
 */
export function labelText(text: string): string {
  // A word joiner, which has no width: there is no escape that all of these places know.
  const given = text.replaceAll(/([$\]])\u2060\(/g, "$1(");
  return oneLine(given).replaceAll(/([$\]])\(/g, "$1\u2060(");
}

/** The text with what has no width or turns the direction by its number; lines stay lines. */
export function visible(text: string): string {
  return text.replaceAll(
    INVISIBLE,
    (mark) => `[U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** On one line: line ends as `↵`, tabs as spaces, what has no width or turns the direction by its number; cut. */
export function oneLine(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
  return visible(cut.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "↵").replaceAll("\t", " "));
}

/** On one line, and cut so that it has at most so many characters, the mark of the cut counted. Not for Markdown. */
export function shortText(text: string, most: number): string {
  const characters = Array.from(oneLine(text));
  return characters.length <= most
    ? characters.join("")
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** Control characters, and those that turn the direction of text (bidi) or have no width. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- these are what is shown
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
