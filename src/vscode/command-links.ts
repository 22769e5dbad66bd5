/** Links in Markdown that run a command with arguments of ours; texts of others never become a part of one unescaped. */

/** `command:` URI for a Markdown link: whatever the arguments hold, no mark of it ends the link early. */
export function commandUri(id: string, argument: object): string {
  const text = encodeURIComponent(JSON.stringify([argument]));
  return `command:${id}?${text.replaceAll(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
}
