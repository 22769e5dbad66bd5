/**
 * Escapes texts of the service and of files for Markdown and for labels, so that none of them can become a link, an
 * image, HTML, a theme icon or a command.
 */

/** Longer texts are truncated for display. In UTF-16 units. */
const MAX_SHOWN_LENGTH = 600;

/**
 * Escapes the text for any position in a line of Markdown, also with theme icons enabled. Every ASCII punctuation
 * character becomes a character reference, since theme icons are substituted after backslash escapes were resolved.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Escapes the text for a Markdown document that is also read as source: only characters that could start a link, an
 * image, HTML or code are escaped.
 */
export function documentMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[\\`*[\]<>&|]/g, String.raw`\$&`);
}

/** Returns a Markdown document with a heading and a list. */
export function listDocument(heading: string, lines: readonly string[]): string {
  const list = lines.map((line) => `- ${documentMarkdown(line)}`);
  return `# ${documentMarkdown(heading)}\n\n${list.join("\n")}\n`;
}

/** Formats a short name such as a locale as inline code; escapes it if it contains other characters. */
export function codeMarkdown(name: string): string {
  return /^[\w.@ -]+$/.test(name) ? `\`${name}\`` : escapeMarkdown(name);
}

/**
 * Escapes the text, on one line, for labels and prompts that support theme icons (quick picks, the status bar) or links
 * (input boxes).
 */
export function labelText(text: string): string {
  // Inserts a zero-width word joiner, since these labels have no common escape syntax.
  const unescaped = text.replaceAll(/([$\]])\u2060\(/g, "$1(");
  return oneLine(unescaped).replaceAll(/([$\]])\(/g, "$1\u2060(");
}

/** Replaces invisible and bidirectional control characters with their code points; keeps line breaks. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(
    INVISIBLE,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** Returns the text on one line, truncated: line breaks as `↵`, tabs as spaces, invisible characters as code points. */
export function oneLine(text: string): string {
  const cut = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text;
  return escapeInvisible(cut.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "↵").replaceAll("\t", " "));
}

/** Returns the text on one line, truncated to `maxLength` characters including the ellipsis. Not escaped for Markdown. */
export function shortText(text: string, maxLength: number): string {
  const characters = Array.from(oneLine(text));
  return characters.length <= maxLength
    ? characters.join("")
    : `${characters
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
}

/** Control characters, bidirectional control characters and zero-width characters. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;

/** Returns a `command:` URI in which every character that could end a Markdown link is percent-encoded. */
export function commandUri(id: string, argument: object): string {
  const text = encodeURIComponent(JSON.stringify([argument]));
  return `command:${id}?${text.replaceAll(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;
}
