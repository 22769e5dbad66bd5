/** Finds key usages in HTML files, which are templates of the project's frameworks; without one they have none. */
import type { TemplateDialect } from "../frameworks/framework.ts";
import { findInAngularTemplate } from "./angular-template-scanner.ts";
import { findInTemplate } from "./django-and-jinja-scanner.ts";
import { htmlTemplatesOf } from "./function-calls/function-signatures.ts";
import {
  type FindOptions,
  type Imports,
  type KeyUsage,
  sortByOffset,
  type UsageLanguage,
} from "./key-usage.ts";

export const html: UsageLanguage = {
  languageIds: ["html"],
  // Django's email bodies are templates too.
  extensions: [".html", ".htm", ".txt"],
  comments: "template",
  appliesTo: (options) => htmlTemplatesOf(options).length > 0,
  find: (text, options, imports) => {
    const found = htmlTemplatesOf(options).map((dialect) => findIn(text, options, dialect, imports));
    return found.length === 1 ? (found[0] ?? []) : sortByOffset(found.flat());
  },
};

function findIn(
  text: string,
  options: FindOptions,
  dialect: TemplateDialect,
  imports: Imports | undefined,
): readonly KeyUsage[] {
  switch (dialect) {
    case "angular-html":
      return findInAngularTemplate(text, options, imports);
    case "django-html":
    case "jinja-html":
      return findInTemplate(text, options, dialect === "jinja-html");
  }
}
