/** docs/commands.md, from the declarations of the commands. */
import { ALL_COMMANDS } from "./all-commands.ts";
import type { CommandDeclaration, Requirement } from "../../src/commands/define-command.ts";
import { descriptionOf, isOptional } from "../../src/commands/schema-structure.ts";
import { valueText, type Translator } from "../../src/messages/option-messages.ts";

/** English messages. */
export const english: Translator = {
  t: (message, ...values) =>
    message.replaceAll(/\{(\d+)\}/gu, (placeholder, index: string) =>
      String(values[Number(index)] ?? placeholder),
    ),
};

const INTRODUCTION = `# Commands

Most commands are in the Command Palette under “Project Translations”. Key bindings, tasks and other extensions can pass an
options object. Every command takes \`folder\` (a path or \`Uri\`), which selects the project; by default that of the active
editor, else the only one, else the command asks. With \`confirm: false\` a command asks nothing and opens nothing. Options are
strict: with an unknown option, or one with a wrong value, a command fails with the code \`invalid\` and names the option;
nothing is sent, written or asked.

A command never throws: it resolves with a plain object whose \`outcome\` is \`done\`, \`unchanged\`, \`cancelled\`, \`conflict\` or
\`failed\`. A failed command has \`error: { code, message, status?, reason?, errors?, items? }\`:

- \`code\` is one of \`unauthorized\`, \`forbidden\`, \`not_found\`, \`busy\`, \`invalid\`, \`key_limit_reached\`, \`rate_limited\`,
  \`offline\`, \`timeout\`, \`server_error\` (a \`5xx\`), \`bad_response\`, \`job_failed\`, \`untrusted\`, \`not_signed_in\`,
  \`no_project\`, \`unsafe_file\`, \`file_changed\`, \`no_model\`, \`model_refused\` and \`cancelled\`.
- \`message\` tells users what to do, in their language.
- \`reason\` is that of the service, or more specific than \`code\`, such as \`session_ended\` or \`unread_source\`.
- \`items\` lists the keys that the service refused: \`[{ namespace, key, context, locale?, field, file?, messages }]\`.

A command that failed halfway also has the fields of what it did, such as \`result\`, \`written\` or \`jobs\`.
`;

const NEEDS: Readonly<Record<Requirement, string>> = {
  window: "",
  project: "",
  "trusted-workspace": "Needs a trusted workspace.",
  "signed-in": "Needs a sign-in.",
  "write-access": "Needs a token with write access.",
};

/** Returns the page. */
export function commandsPage(): string {
  const documented = ALL_COMMANDS.filter(({ audience }) => audience === "anyone");
  const forPeople = ALL_COMMANDS.filter(({ audience }) => audience === "person");
  return [
    INTRODUCTION,
    ...documented.map(commandSection),
    "## For people only\n",
    "These commands always ask or show something:\n",
    ...forPeople.map(({ title, description }) => `- **${title}**: ${description}`),
    "",
  ].join("\n");
}

function commandSection(declaration: CommandDeclaration): string {
  const { id, description, needs, options, resolvesWith } = declaration;
  const own = Object.entries(options).filter(([name]) => name !== "folder" && name !== "confirm");
  const rows = own.map(([name, schema]) => {
    const value = valueText(schema, english);
    return `- \`${name}\`${isOptional(schema) ? "" : " (required)"}: ${value}. ${descriptionOf(schema)}`;
  });
  return [
    `## \`${id}\`\n`,
    `${[description, NEEDS[needs]].filter((sentence) => sentence !== "").join(" ")}\n`,
    ...(rows.length === 0 ? [] : [...rows, ""]),
    ...(resolvesWith.text === "" ? [] : [`Resolves with ${resolvesWith.text}.\n`]),
  ].join("\n");
}
