/** Shared implementation of tools: input validation, project selection and error messages for the model. */
import {
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  type CancellationToken,
  MarkdownString,
  workspace,
} from "vscode";
import { parseToolInput, type ToolInput, type ToolName } from "./tool-inputs.ts";
import type { App } from "../../vscode/app.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import { CommandError, type FailureCode } from "../../commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { reloadFiles } from "../../vscode/projects/refresh-project.ts";
import { toFailure, untrustedError } from "../../messages/error-messages.ts";
import { createPage, type ResultRow } from "./limit-result-tokens.ts";

/** A validated call. */
export interface ToolCall<Name extends ToolName> {
  readonly app: App;
  readonly open: OpenProject;
  readonly input: ToolInput<Name>;
  readonly signal: AbortSignal;
  /** Returns the rows from the cursor of the call on, as JSON. `head`: members besides the rows. */
  readonly page: (rows: AsyncIterable<ResultRow> | Iterable<ResultRow>, head?: ResultRow) => Promise<string>;
}

/** `message` is Markdown. */
export interface Confirmation {
  readonly title: string;
  readonly message: string;
}

export interface Tool<Name extends ToolName> {
  readonly name: Name;
  /** Returns the progress message for the user. */
  readonly progress: () => string;
  /** Returns the confirmation to show before the call; absent if none is needed. */
  readonly confirmation?: (call: ToolCall<Name>) => Promise<Confirmation>;
  /**
   * Runs the tool and returns the result as JSON.
   * @throws {Error} with a message for the model.
   */
  readonly run: (call: ToolCall<Name>) => Promise<string>;
}

/** Registers a tool under its name in the manifest. */
export function registerTool<Name extends ToolName>(app: App, tool: Tool<Name>): void {
  // Editors built on VS Code may not provide `lm`.
  const api: Partial<typeof lm> | undefined = lm;
  if (typeof api?.registerTool !== "function") return;
  const call = async <Result>(
    unparsed: unknown,
    token: CancellationToken,
    work: (call: ToolCall<Name>) => Promise<Result>,
    maxTokens?: number,
  ): Promise<Result> => {
    const cancellation = toAbortSignal(token);
    const { signal } = cancellation;
    try {
      const input = parseToolInput(tool.name, unparsed);
      const open = await chooseProject(app, input.project, signal);
      const { cursor } = input as { readonly cursor?: string };
      const page: ToolCall<Name>["page"] = (rows, head) => createPage(rows, cursor, { head, maxTokens });
      return await work({ app, open, input, signal, page });
    } catch (error) {
      throw signal.aborted ? error : toToolError(error);
    } finally {
      cancellation.dispose();
    }
  };
  app.addDisposable(
    api.registerTool(`project_translations_${tool.name}`, {
      prepareInvocation: async ({ input }, token) => {
        const { confirmation } = tool;
        const invocationMessage = tool.progress();
        if (confirmation === undefined) return { invocationMessage };
        const { title, message } = await call(input, token, confirmation);
        const confirmationMessages = { title, message: new MarkdownString(message) };
        return { invocationMessage, confirmationMessages };
      },
      invoke: async ({ input, tokenizationOptions }, token) => {
        const text = await call(input, token, tool.run, tokenizationOptions?.tokenBudget);
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      },
    }),
  );
}

/**
 * Returns the project of the call: one that is signed in, or one whose local files are shown, as they are on disk now.
 * @throws {Error}
 */
async function chooseProject(app: App, label: string | undefined, signal: AbortSignal): Promise<OpenProject> {
  await app.projects.ready;
  const { all, active } = app.projects;
  const named = label === undefined ? undefined : all.filter((each) => each.label === label);
  const open = named === undefined ? active : named.length === 1 ? named[0] : undefined;
  if (open !== undefined) {
    if (!workspace.isTrusted) throw untrustedError();
    await open.ready;
    await reloadFiles(open, signal);
    // Throws if nobody is signed in and there are no local files.
    if (open.source.hasService || !open.source.isKnown) open.client();
    return open;
  }
  if (all.length === 0)
    throw new CommandError("no_project", "The window has no project with a project-translations.json.");
  const labels = all.map(({ label }) => JSON.stringify(label)).join(", ");
  throw new Error(`Say which project is meant, as "project": ${labels}.`);
}

/** What a model can do about a failure, or should tell the user. */
const ADVICE: Partial<Readonly<Record<FailureCode, string>>> = {
  untrusted: "Ask the user to trust the workspace; nothing is read or sent before that.",
  not_signed_in: 'Ask the user to run the command "Project Translations: Sign In…".',
  unauthorized: 'Ask the user to sign in again with the command "Project Translations: Sign In…".',
  forbidden: "Ask the user for a token that may write.",
  no_project: 'Ask the user to run the command "Project Translations: Configure Project…".',
  offline: "The translation service cannot be reached. Tell the user; do not try again at once.",
  timeout: "The translation service did not answer. Try once more, then tell the user.",
  rate_limited: "Wait a minute before the next call.",
  busy: "The project is busy. Wait a moment, then call the tool again.",
};

/** Converts an error to one with a message for the model. */
function toToolError(error: unknown): Error {
  if (error instanceof Error && error.constructor === Error) return error;
  const { code, message } = toFailure(error);
  const advice = ADVICE[code];
  return new Error(advice === undefined ? message : `${message} ${advice}`);
}
