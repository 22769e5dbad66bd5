/** The language model tools of the editor. */
import {
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  type CancellationToken,
  MarkdownString,
} from "vscode";
import { ALL_TOOLS } from "../../agent-tools/all-tools.ts";
import { confirmationMarkdown } from "../../agent-tools/confirmation-text.ts";
import { runTool, type Tool } from "../../agent-tools/tool.ts";
import { toolCalls } from "../../agent-tools/tool-calls.ts";
import { EDITOR_TOOLS } from "../../agent-tools/tool-descriptions.ts";
import type { ToolName } from "../../agent-tools/tool-inputs.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import type { App } from "../../vscode/app.ts";
import { windowToolHost } from "../../vscode/window-tool-host.ts";

/** Registers all tools. */
export function registerLanguageModelTools(app: App): void {
  for (const name of EDITOR_TOOLS) registerTool(app, name);
}

/** Registers a tool under its name in the manifest. */
function registerTool<Name extends ToolName>(app: App, name: Name): void {
  // Editors built on VS Code may not provide `lm`.
  const api: Partial<typeof lm> | undefined = lm;
  if (typeof api?.registerTool !== "function") return;
  const tool: Tool<Name> = ALL_TOOLS[name];
  const host = windowToolHost(app);
  const callTool = toolCalls(host);
  /** The bases of what a person was shown, by the input of the call: a model may make several calls at once. */
  const shown = new Map<string, string>();
  app.addDisposable(
    api.registerTool<object>(`project_translations_${name}`, {
      prepareInvocation: async ({ input }, token) => {
        const invocationMessage = tool.progress();
        if (!("plan" in tool)) return { invocationMessage };
        const plan = await cancellable(token, (signal) => runTool(host, tool, input, signal, tool.plan));
        shown.set(fingerprintOf(input), plan.basis);
        if (plan.lines.length === 0) return { invocationMessage };
        const message = new MarkdownString(confirmationMarkdown(plan));
        return { invocationMessage, confirmationMessages: { title: plan.title, message } };
      },
      invoke: async ({ input, tokenizationOptions }, token) => {
        const agreed = shown.get(fingerprintOf(input));
        shown.delete(fingerprintOf(input));
        const maxTokens = tokenizationOptions?.tokenBudget;
        const result = await cancellable(token, (signal) =>
          callTool(name, input, { signal, agreed, maxTokens }),
        );
        if (typeof result !== "string") throw new Error("The user was not asked. Call the tool again.");
        return new LanguageModelToolResult([new LanguageModelTextPart(result)]);
      },
    }),
  );
}

async function cancellable<Result>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const cancellation = toAbortSignal(token);
  try {
    return await work(cancellation.signal);
  } finally {
    cancellation.dispose();
  }
}
