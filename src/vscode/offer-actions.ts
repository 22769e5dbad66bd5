/** Notifications that offer actions. */
import type { NextAction } from "./commands/command-result.ts";
import type { showInformation } from "./notifications.ts";

/**
 * Shows a notification and runs the chosen action. Does not wait for the user.
 *
 * @param show `showInformation` or `showWarning`
 */
export function offerActions(
  show: typeof showInformation,
  message: string,
  ...actions: readonly NextAction[]
): void {
  void show(message, ...actions.map(({ label }) => label)).then((chosen) =>
    actions.find(({ label }) => label === chosen)?.act(),
  );
}
