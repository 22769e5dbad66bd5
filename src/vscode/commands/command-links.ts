/** Commands that VS Code runs later: on a click on a row, a link, a code lens or a button of a notification. */
import type { CommandDeclaration, OptionsOf } from "../../commands/define-command.ts";
import { l10n } from "../../util/l10n.ts";
import { commandUri } from "../../messages/escape-text.ts";

/** Shaped as `vscode.Command`. */
interface CommandLink {
  readonly title: string;
  readonly command: string;
  readonly arguments: [object];
}

/** Returns a call of a declared command; `title`: by default that of the command. */
export function commandLink<Declared extends CommandDeclaration>(
  { id, title }: Declared,
  options: OptionsOf<Declared>,
  shownTitle = l10n.t(title),
): CommandLink {
  return { command: id, title: shownTitle, arguments: [options] };
}

/** Returns the link of a call in Markdown. The options have to be JSON. */
export function commandLinkUri<Declared extends CommandDeclaration>(
  { id }: Declared,
  options: OptionsOf<Declared>,
): string {
  return commandUri(id, options);
}
