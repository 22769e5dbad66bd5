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
import { runTool, type Tool, type ToolCall } from "../../agent-tools/tool.ts";
import { EDITOR_TOOLS } from "../../agent-tools/tool-descriptions.ts";
import type { ToolName } from "../../agent-tools/tool-inputs.ts";
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
  const call = async <Result>(
    input: unknown,
    token: CancellationToken,
    work: (call: ToolCall<Name>) => Promise<Result>,
    maxTokens?: number,
  ): Promise<Result> => {
    const cancellation = toAbortSignal(token);
    try {
      return await runTool(host, tool, input, cancellation.signal, work, maxTokens);
    } finally {
      cancellation.dispose();
    }
  };
  app.addDisposable(
    api.registerTool(`project_translations_${name}`, {
      prepareInvocation: async ({ input }, token) => {
        const { confirmation } = tool;
        const invocationMessage = tool.progress();
        if (confirmation === undefined) return { invocationMessage };
        const shown = await call(input, token, confirmation);
        const message = new MarkdownString(confirmationMarkdown(shown));
        return { invocationMessage, confirmationMessages: { title: shown.title, message } };
      },
      invoke: async ({ input, tokenizationOptions }, token) => {
        const text = await call(input, token, tool.run, tokenizationOptions?.tokenBudget);
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      },
    }),
  );
}
