/** What tools for agents get, return and throw, and how a call of one is run. Knows nothing of the editor or a protocol. */
import type { Client } from "../api/client.ts";
import { CommandError, type FailureCode } from "../commands/command-types.ts";
import type { KeySearch } from "../database/full-text-search.ts";
import type { UsageRepository } from "../database/key-usage-repository.ts";
import type { Project } from "../database/project-state.ts";
import { toFailure } from "../messages/error-messages.ts";
import type { ProjectFiles } from "../model/platform.ts";
import type { PushItem } from "../sync/push/push-plan.ts";
import type { Refresher } from "../sync/refresh/refresh.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";
import type { KeyResolutionOptions } from "../workspace/usages/resolve-usage-to-key.ts";
import { createPage, type ResultRow } from "./limit-result-tokens.ts";
import { parseToolInput, type ToolInput, type ToolName } from "./tool-inputs.ts";

/** The project of a call, whose local files were read as they are on disk or, unsaved, in the editor. */
export interface ToolProject {
  readonly project: Project;
  readonly file: ProjectFile;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  readonly keySearch: KeySearch;
  readonly lookup: KeyResolutionOptions;
  readonly refresher: Promise<Refresher>;
  /** Whether another project took its place. */
  readonly hasEnded: boolean;
  /**
   * Returns the client of the session.
   * @throws {CommandError} if nobody is signed in
   */
  client(): Client;
  /**
   * Reads the keys from the service, or from the local files.
   * @throws {ApiError}
   */
  refresh(signal: AbortSignal): Promise<void>;
  /** Adds the texts that were read last to the search index. */
  indexTexts(signal: AbortSignal): Promise<void>;
  /** Checks the texts of the local files that were not checked yet, if nobody is signed in. */
  checkTexts(signal: AbortSignal): Promise<void>;
  /** Returns the usages in the code as it is now. */
  usages(signal: AbortSignal): Promise<UsageRepository>;
  /**
   * The window in which a person looks at proposed translations and saves them; `null`: there is none, so that they are
   * written after they were confirmed.
   */
  readonly window: ToolWindow | null;
}

export interface ToolWindow {
  /**
   * Pushes source texts with the window's command, and returns what that resolves with.
   * @throws {Error} with a message for the model
   */
  push(items: readonly PushItem[]): Promise<ResultRow>;
}

/** Where tools are called: a window of the editor, or a program. */
export interface ToolHost {
  /**
   * Returns the project of a call: that with the label or, without one, the only or active one.
   * @throws {Error}
   */
  project(label: string | undefined, signal: AbortSignal): Promise<ToolProject>;
  /** What a person is asked to do about failures, which depends on where they are. */
  readonly advice: Partial<Readonly<Record<FailureCode, string>>>;
}

/** A validated call. */
export interface ToolCall<Name extends ToolName> {
  readonly open: ToolProject;
  readonly input: ToolInput<Name>;
  readonly signal: AbortSignal;
  /** Returns the rows from the cursor of the call on, as JSON. `head`: members besides the rows. */
  readonly page: (rows: AsyncIterable<ResultRow> | Iterable<ResultRow>, head?: ResultRow) => Promise<string>;
}

/** What a person is asked before a call. */
export interface Confirmation {
  readonly title: string;
  /** What happens. */
  readonly note: string;
  /** The keys and texts, each on one line; none if there is nothing to agree to. */
  readonly lines: readonly string[];
}

/** What a call would do. */
export interface ToolPlan extends Confirmation {
  /** Whether it writes to files or the service, and not only what a person looks at and saves. */
  readonly writes: boolean;
  /** Fingerprint of what is written, where, and what it replaces: another one if something changed meanwhile. */
  readonly basis: string;
  /**
   * Does it, and returns the result as JSON.
   * @throws {Error} with a message for the model
   */
  readonly run: () => Promise<string>;
}

interface AnyTool<Name extends ToolName> {
  readonly name: Name;
  /** Returns the progress message for the user. */
  readonly progress: () => string;
}

export interface ReadTool<Name extends ToolName> extends AnyTool<Name> {
  /**
   * Returns the result as JSON.
   * @throws {Error} with a message for the model
   */
  readonly run: (call: ToolCall<Name>) => Promise<string>;
}

/** A tool that a person agrees to before it does anything. */
export interface WriteTool<Name extends ToolName> extends AnyTool<Name> {
  /**
   * Plans a call, and changes nothing.
   * @throws {Error} with a message for the model
   */
  readonly plan: (call: ToolCall<Name>) => Promise<ToolPlan>;
}

export type Tool<Name extends ToolName> = ReadTool<Name> | WriteTool<Name>;

/** What can be done about failures wherever the tools are called. */
export const ADVICE: ToolHost["advice"] = {
  untrusted: "Ask the user to trust the workspace; nothing is read or sent before that.",
  forbidden: "Ask the user for a token that may write.",
  offline: "The translation service cannot be reached. Tell the user; do not try again at once.",
  timeout: "The translation service did not answer. Try once more, then tell the user.",
  rate_limited: "Wait a minute before the next call.",
  busy: "The project is busy. Wait a moment, then call the tool again.",
};

/**
 * Runs work of a tool for an input that was not checked yet.
 * @param maxTokens of the result, if it may have fewer than usual
 * @throws {Error} with a message for the model; the signal's reason after an abort
 */
export async function runTool<Name extends ToolName, Result>(
  host: ToolHost,
  { name }: Pick<Tool<Name>, "name">,
  unchecked: unknown,
  signal: AbortSignal,
  work: (call: ToolCall<Name>) => Promise<Result>,
  maxTokens?: number,
): Promise<Result> {
  try {
    const input = parseToolInput(name, unchecked);
    const open = await host.project(input.project, signal);
    const { cursor } = input as { readonly cursor?: string };
    const page: ToolCall<Name>["page"] = (rows, head) => createPage(rows, cursor, { head, maxTokens });
    return await work({ open, input, signal, page });
  } catch (error) {
    throw signal.aborted ? error : toToolError(error, host.advice);
  }
}

/**
 * Returns the project with a label or, without one, `active`.
 * @throws {Error}
 */
export function chooseByLabel<Each extends { readonly label: string }>(
  all: readonly Each[],
  active: Each | undefined,
  label: string | undefined,
): Each {
  const named = label === undefined ? undefined : all.filter((each) => each.label === label);
  const chosen = named === undefined ? active : named.length === 1 ? named[0] : undefined;
  if (chosen !== undefined) return chosen;
  if (all.length === 0)
    throw new CommandError("no_project", "There is no project with translation files here.");
  const labels = all.map((each) => JSON.stringify(each.label)).join(", ");
  throw new Error(`Say which project is meant, as "project": ${labels}.`);
}

/** Converts an error to one with a message for the model. */
function toToolError(error: unknown, advice: ToolHost["advice"]): Error {
  if (error instanceof Error && error.constructor === Error) return error;
  const { code, message } = toFailure(error);
  const whatToDo = advice[code];
  return new Error(whatToDo === undefined ? message : `${message} ${whatToDo}`);
}
