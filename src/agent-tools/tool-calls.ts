/** Calls of tools by name, for a protocol in which a call that writes is planned, confirmed and then carried out. */
import { ALL_TOOLS } from "./all-tools.ts";
import { confirmationText } from "./confirmation-text.ts";
import { runTool, type Tool, type ToolHost } from "./tool.ts";
import type { ToolName } from "./tool-inputs.ts";

/** What a call would write. */
export interface ToolPlan {
  /** Asks a person for their consent: what is written, and the first texts. */
  readonly question: string;
  /** Another one if the files or the service changed what the plan depends on. */
  readonly basis: string;
}

export interface ToolCalls {
  /**
   * Returns what a call would write; `null`: nothing.
   * @throws {Error} with a message for the model
   */
  plan<Name extends ToolName>(name: Name, input: unknown, signal: AbortSignal): Promise<ToolPlan | null>;
  /**
   * Returns the result of a call, as JSON.
   * @throws {Error} with a message for the model
   */
  run<Name extends ToolName>(name: Name, input: unknown, signal: AbortSignal): Promise<string>;
}

/** Returns the calls of the tools at a host. */
export function toolCalls(host: ToolHost): ToolCalls {
  return {
    plan: (name, input, signal) => {
      const tool: Tool<typeof name> = ALL_TOOLS[name];
      return runTool(host, tool, input, signal, async (call) => {
        if (tool.confirmation === undefined || tool.writes?.(call.open) !== true) return null;
        const confirmation = await tool.confirmation(call);
        if (confirmation.lines.length === 0) return null;
        return { question: confirmationText(confirmation), basis: confirmation.basis };
      });
    },
    run: (name, input, signal) => {
      const tool: Tool<typeof name> = ALL_TOOLS[name];
      return runTool(host, tool, input, signal, tool.run);
    },
  };
}
