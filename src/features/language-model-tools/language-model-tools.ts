/** The language model tools of the extension. */
import type { App } from "../../vscode/app.ts";
import { findUsages, getGlossary, getTranslations, listIssues, listKeys, searchTexts } from "./read-tools.ts";
import { registerTool } from "./tool.ts";
import { pushChanges, stageTranslations } from "./write-tools.ts";

/** Registers all tools. */
export function registerLanguageModelTools(app: App): void {
  registerTool(app, listKeys);
  registerTool(app, searchTexts);
  registerTool(app, getTranslations);
  registerTool(app, findUsages);
  registerTool(app, listIssues);
  registerTool(app, getGlossary);
  registerTool(app, stageTranslations);
  registerTool(app, pushChanges);
}
