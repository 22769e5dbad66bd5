/**
 * The server of the Model Context Protocol, over a pair of streams: the tools, prompts and instructions for agents. A bundle
 * of its own, since it contains the protocol's SDK. What is done is done by the caller's `ToolCalls`.
 */
import { finished, type Readable, type Writable } from "node:stream";
import {
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { inputSchema } from "../agent-tools/input-schema.ts";
import type { CallTool } from "../agent-tools/tool-calls.ts";
import { TOOL_DESCRIPTIONS } from "../agent-tools/tool-descriptions.ts";
import { TOOL_INPUTS, type ToolName } from "../agent-tools/tool-inputs.ts";
import { readInstructions, readPrompts } from "./chat-files.ts";
import { ToolPlans } from "./tool-plans.ts";

export interface McpServerOptions {
  readonly callTool: CallTool;
  /** Whether a person looks at proposed translations in a window, and saves them there. */
  readonly hasWindow: boolean;
  readonly version: string;
  /** The folder of the prompts and instructions. */
  readonly chatFolder: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
}

const NAMES = Object.keys(TOOL_INPUTS) as ToolName[];
/** The name of the question whether a call may write. */
const CONSENT = "consent";

/** Serves until the input ends. */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const { input, output, onError } = options;
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createServer(options), { transport, onerror: onError });
  await new Promise<void>((resolve) => finished(input, { writable: false }, () => resolve()));
  await handle.close();
}

function createServer({ callTool, hasWindow, version, chatFolder }: McpServerOptions): Server {
  const plans = new ToolPlans();
  const prompts = readPrompts(chatFolder);
  const server = new Server(
    { name: "project-translations", title: "Project Translations", version },
    { capabilities: { tools: {}, prompts: {} }, instructions: readInstructions(chatFolder) },
  );
  server.setRequestHandler("tools/list", () => ({ tools: NAMES.map((name) => listedTool(name, hasWindow)) }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const name = NAMES.find((each) => each === params.name.replace(/^project_translations_/u, ""));
    if (name === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    try {
      return await call(name, params.arguments ?? {}, {
        callTool,
        plans,
        context,
        canAsk: canAsk(server, context),
      });
    } catch (error) {
      context.mcpReq.signal.throwIfAborted();
      return { ...textResult(error instanceof Error ? error.message : String(error)), isError: true };
    }
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, description }) => ({ name, description })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
    const { description, text } = prompt;
    return { description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  return server;
}

function listedTool(name: ToolName, hasWindow: boolean): Tool {
  const { title, description, withoutWindow, isReadOnly, isDestructive } = TOOL_DESCRIPTIONS[name];
  const schema = inputSchema(name) as Tool["inputSchema"];
  const { required = [] } = schema;
  const text = hasWindow ? description : (withoutWindow ?? description);
  // A call with a plan needs nothing else.
  const needed = isReadOnly || required.length === 0 ? "" : ` Needed without a plan: ${required.join(", ")}.`;
  const properties = { ...schema.properties, plan: PLAN_SCHEMA };
  return {
    name,
    title,
    description: `${text}${needed}`,
    inputSchema: isReadOnly ? schema : { type: "object", properties, additionalProperties: false },
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isReadOnly,
      openWorldHint: name === "push_changes",
    },
  };
}

const PLAN_SCHEMA = {
  type: "string",
  description:
    "Only after the user agreed to a plan: its id, from the result of the first call. Give nothing else then.",
};

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** Whether the client can ask a person (elicitation with a form). */
function canAsk(server: Server, { mcpReq }: ServerContext): boolean {
  // A client of an earlier revision says it once, when it connects.
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const ofRequest = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = ofRequest ?? server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

interface CallContext {
  readonly callTool: CallTool;
  readonly plans: ToolPlans;
  readonly context: ServerContext;
  /** As of the function. */
  readonly canAsk: boolean;
}

/** Calls a tool. If a person has to agree first, the client asks them, or the agent does and calls again with the plan. */
async function call(
  name: ToolName,
  { plan: id, ...input }: Readonly<Record<string, unknown>>,
  { callTool, plans, context: { mcpReq }, canAsk }: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal, inputResponses } = mcpReq;
  const asked = mcpReq.requestState();
  const plan =
    asked === undefined && id === undefined
      ? null
      : plans.take(asked ?? id, { tool: name, input, isAsked: asked !== undefined });
  if (asked !== undefined) {
    const answer = inputResponse(inputResponses, CONSENT);
    if (answer.kind !== "elicit" || answer.action !== "accept")
      return textResult("The user did not agree. Nothing was changed.");
  }
  const result = await callTool(name, plan?.input ?? input, { signal, agreed: plan?.basis });
  if (typeof result === "string") return textResult(result);
  const { text: question, basis } = result;
  const stored = plans.put({ tool: name, input, basis, isAsked: canAsk });
  if (canAsk) {
    const requestedSchema = { type: "object" as const, properties: {} };
    const consent = inputRequired.elicit({ message: question, requestedSchema });
    return inputRequired({ inputRequests: { [CONSENT]: consent }, requestState: stored });
  }
  const next = `Nothing was changed yet. Show this to the user. If they agree, call ${name} again with this plan and nothing else.`;
  return textResult(JSON.stringify({ plan: stored, question, next }));
}
