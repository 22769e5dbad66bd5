/** Calls of tools by name: one that writes is planned, agreed to by a person, planned again, and carried out if nothing changed. */
import { ALL_TOOLS } from "./all-tools.ts";
import { confirmationText } from "./confirmation-text.ts";
import { runTool, type Tool, type ToolHost, type ToolPlan } from "./tool.ts";
import type { ToolName } from "./tool-inputs.ts";

/** What a person has to agree to. */
export interface ToolQuestion {
  /** What would be written, and the first texts. */
  readonly text: string;
  /** As of `ToolPlan`. */
  readonly basis: string;
}

export interface ToolCallOptions {
  readonly signal: AbortSignal;
  /** The basis of what a person agreed to; `undefined`: nobody was asked. */
  readonly agreed?: string | undefined;
  /** Of the result, if it may have fewer than usual. */
  readonly maxTokens?: number | undefined;
}

/**
 * Calls a tool. Returns the result as JSON or, if a person has to agree first, the question; nothing was changed then.
 * @throws {Error} with a message for the model
 */
export type CallTool = (
  name: ToolName,
  input: unknown,
  options: ToolCallOptions,
) => Promise<string | ToolQuestion>;

/** Returns the function that calls the tools at a host. */
export function toolCalls(host: ToolHost): CallTool {
  return <Name extends ToolName>(
    name: Name,
    input: unknown,
    { signal, agreed, maxTokens }: ToolCallOptions,
  ): Promise<string | ToolQuestion> => {
    const tool: Tool<Name> = ALL_TOOLS[name];
    return runTool(
      host,
      tool,
      input,
      signal,
      async (call) => ("run" in tool ? tool.run(call) : carryOut(await tool.plan(call), agreed)),
      maxTokens,
    );
  };
}

/** Carries out what a person agreed to, or returns the question. */
export async function carryOut(plan: ToolPlan, agreed: string | undefined): Promise<string | ToolQuestion> {
  if (agreed !== undefined && agreed !== plan.basis)
    throw new Error(
      "The files or the service changed since this was planned. Nothing was changed: call the tool again.",
    );
  const isQuestion = agreed === undefined && plan.writes && plan.lines.length > 0;
  return isQuestion ? { text: confirmationText(plan), basis: plan.basis } : plan.run();
}
