/** All tools for agents, with what models are told of them. */
import { addKey } from "./add-key.ts";
import { findUsages, getGlossary, getTranslations, listIssues, listKeys, searchTexts } from "./read-tools.ts";
import type { Tool } from "./tool.ts";
import type { ToolName } from "./tool-inputs.ts";
import { pushChanges, stageTranslations } from "./write-tools.ts";

export const ALL_TOOLS: { readonly [Name in ToolName]: Tool<Name> } = {
  list_keys: listKeys,
  search_texts: searchTexts,
  get_translations: getTranslations,
  find_usages: findUsages,
  list_issues: listIssues,
  get_glossary: getGlossary,
  stage_translations: stageTranslations,
  push_changes: pushChanges,
  add_key: addKey,
};
