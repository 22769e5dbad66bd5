/** The output channel "Project Translations". Tokens are redacted from everything written to it. */
import { window, type Disposable } from "vscode";
import { ApiError } from "../api/errors.ts";
import type { Log } from "../model/platform.ts";
import { escapeInvisible } from "../messages/escape-text.ts";

export interface LogChannel extends Log, Disposable {
  /** Reveals the channel. */
  show(): void;
  /** Redacts this text from everything that is logged from now on. */
  redact(secret: string): void;
  /** The latest warnings and errors, newest first, redacted; shown by the diagnosis. */
  readonly recent: readonly string[];
}

const MAX_RECENT_ENTRIES = 20;
/** Shorter texts are not redacted, since they occur by chance. In UTF-16 units. */
const MIN_SECRET_LENGTH = 8;

/** Creates the output channel. */
export function openLog(): LogChannel {
  const channel = window.createOutputChannel("Project Translations", { log: true });
  const secrets = new Set<string>();
  let recent: readonly string[] = [];

  const clean = (text: string): string => {
    let safe = text.replaceAll(/\b(Bearer\s+)[^\s"',;]+/giu, "$1[token]");
    for (const secret of secrets) safe = safe.replaceAll(secret, "[token]");
    // Logged text cannot start a line of its own, colour a terminal or change the text direction.
    return escapeInvisible(safe.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")).replaceAll("\n", "\n    ");
  };
  const remember = (text: string): void => {
    const line = `${new Date().toISOString()} ${text.split("\n", 1)[0] ?? ""}`;
    recent = [line, ...recent].slice(0, MAX_RECENT_ENTRIES);
  };
  return {
    debug: (text) => channel.debug(clean(text)),
    info: (text) => channel.info(clean(text)),
    warn: (text) => {
      const safe = clean(text);
      remember(safe);
      channel.warn(safe);
    },
    error: (text, cause) => {
      const safe = clean(cause === undefined ? text : `${text}\n${describeError(cause)}`);
      remember(cause === undefined ? safe : clean(`${text}: ${describeError(cause)}`));
      channel.error(safe);
    },
    show: () => channel.show(true),
    redact: (secret) => {
      if (secret.length >= MIN_SECRET_LENGTH) secrets.add(secret);
    },
    get recent() {
      return recent;
    },
    dispose: () => channel.dispose(),
  };
}

/** Returns the stack, the details of an `ApiError` and all causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [error.stack ?? error.message];
  if (error instanceof ApiError) {
    const { kind, status, reason, field, code, serviceMessage, errors } = error;
    parts.push(JSON.stringify({ kind, status, reason, field, code, serviceMessage, errors }));
  }
  if (error instanceof AggregateError) parts.push(...error.errors.map(describeError));
  if (error.cause !== undefined) parts.push(`because: ${describeError(error.cause)}`);
  return parts.join("\n");
}
