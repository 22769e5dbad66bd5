/** The prompts and instructions for agents that the editor has, too, with the tools' names in this protocol. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface AgentPrompt {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}

const PROMPTS = ["translate-new-texts", "fix-qa-issues"] as const;

/** Reads the prompts. `folder`: with the files of the editor. */
export function readPrompts(folder: string): readonly AgentPrompt[] {
  return PROMPTS.map((file) => {
    const { description, text } = read(join(folder, `${file}.prompt.md`));
    return { name: file.replaceAll("-", "_"), description, text };
  });
}

/** Reads what agents are told when they begin. */
export function readInstructions(folder: string): string {
  return read(join(folder, "project-translations.instructions.md")).text;
}

function read(path: string): Pick<AgentPrompt, "description" | "text"> {
  const [, description = "", text = ""] =
    /^---\n(?:.*\n)*?description: (.*)\n(?:.*\n)*?---\n([^]*)$/u.exec(
      readFileSync(path, "utf8").replaceAll("\r\n", "\n"),
    ) ?? [];
  const toolName = (_: string, name: string): string =>
    name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`).slice(1);
  return {
    description,
    text: text
      .replaceAll(/#projectTranslations(\w+)/gu, toolName)
      .replaceAll(" `project_translations_*`", " of this server")
      .trim(),
  };
}
