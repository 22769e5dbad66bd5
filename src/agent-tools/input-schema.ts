/** The JSON schemas of the tools' inputs, for models. */
import { toJsonSchema } from "@valibot/to-json-schema";
import { TOOL_INPUTS, type ToolName } from "./tool-inputs.ts";

/** What only validators need. */
const OMITTED = new Set(["$schema", "minLength", "maxLength", "maximum"]);

/** Returns the schema of a tool's input, shortened: a member that may be `null` can as well be left out. */
export function inputSchema(tool: ToolName): object {
  const shorten = (name: string, value: unknown): unknown => {
    // A member of an input may have such a name, too.
    if (OMITTED.has(name) && typeof value !== "object") return undefined;
    if (name === "propertyNames") return undefined;
    const { anyOf } = (value ?? {}) as { readonly anyOf?: readonly { readonly type?: string }[] };
    return anyOf?.some(({ type }) => type === "null") === true ? anyOf[0] : value;
  };
  const schema = toJsonSchema(TOOL_INPUTS[tool], { ignoreActions: ["regex"] });
  return JSON.parse(JSON.stringify(schema, shorten)) as object;
}
