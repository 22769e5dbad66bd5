/** The shortcut that inserts a placeholder into the text box: Alt and its number. */

/**
 * Returns the number of the placeholder that a key combination stands for, 0 if it is not the shortcut. The digit is
 * determined by the position of its key, since Option types another character on a Mac. With Ctrl or Shift, characters are
 * typed: AltGr is Ctrl+Alt on Windows.
 */
export function placeholderNumber({
  code,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">): number {
  const isShortcut = altKey && !ctrlKey && !metaKey && !shiftKey;
  return isShortcut ? Number(/^Digit([1-9])$/u.exec(code)?.[1] ?? 0) : 0;
}
