/** The log channel "Project Translations". Whatever is written to it passes a filter that no token gets through. */
import { window, type Disposable } from "vscode";
import { ApiError } from "../api/errors.ts";
import type { Log } from "../model/platform.ts";
import { visible } from "./markdown.ts";

export interface LogChannel extends Log, Disposable {
  /** Opens the channel. */
  show(): void;
  /** From now on this text is a secret: it never appears in the log. */
  hide(secret: string): void;
  /** The newest warnings and errors, newest first, already filtered: for the diagnosis. */
  readonly recent: readonly string[];
}

/** So many of the newest warnings and errors are kept for the diagnosis. */
const REMEMBERED = 20;
/** Shorter texts occur by chance; no service gives tokens this short. */
const SHORTEST_SECRET = 8;

/** Opens the channel. */
export function openLog(): LogChannel {
  const channel = window.createOutputChannel("Project Translations", { log: true });
  const secrets = new Set<string>();
  let recent: readonly string[] = [];

  const clean = (text: string): string => {
    let safe = text.replaceAll(/\b(Bearer\s+)[^\s"',;]+/giu, "$1[token]");
    for (const secret of secrets) safe = safe.replaceAll(secret, "[token]");
    // No words of others begin a line of their own, colour a terminal or turn the direction of the text.
    return visible(safe.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")).replaceAll("\n", "\n    ");
  };
  const remember = (text: string): void => {
    const line = `${new Date().toISOString()} ${text.split("\n", 1)[0] ?? ""}`;
    recent = [line, ...recent].slice(0, REMEMBERED);
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
      const safe = clean(cause === undefined ? text : `${text}\n${storyOf(cause)}`);
      remember(cause === undefined ? safe : clean(`${text}: ${storyOf(cause)}`));
      channel.error(safe);
    },
    show: () => channel.show(true),
    hide: (secret) => {
      if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
    get recent() {
      return recent;
    },
    dispose: () => channel.dispose(),
  };
}

/** The whole story of an error: stack, what the client knows of it, and its causes. */
function storyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [error.stack ?? error.message];
  if (error instanceof ApiError) {
    const { kind, status, reason, field, code, serviceMessage, errors } = error;
    parts.push(JSON.stringify({ kind, status, reason, field, code, serviceMessage, errors }));
  }
  if (error instanceof AggregateError) parts.push(...error.errors.map(storyOf));
  if (error.cause !== undefined) parts.push(`because: ${storyOf(error.cause)}`);
  return parts.join("\n");
}
