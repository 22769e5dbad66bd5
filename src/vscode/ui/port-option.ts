/** The option `port` of commands that listen somewhere. */
import { CommandError } from "../command-result.ts";
import { l10n } from "../l10n.ts";

/** The port; `undefined` where none is given. Throws CommandError `invalid`. */
export function givenPort(port: unknown): number | undefined {
  if (port === undefined) return undefined;
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  const message = l10n.t(
    "{0} is not a valid port. Use a whole number up to 65535, or omit it.",
    JSON.stringify(port),
  );
  throw new CommandError("invalid", message, { errors: { port: [message] } });
}
