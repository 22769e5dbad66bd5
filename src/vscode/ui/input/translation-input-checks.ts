/**
 * Checks of a translation while it is typed: placeholders that differ from the source text, and the length. Warnings only.
 */
import { checkPlaceholders } from "../../../model/placeholder-checks.ts";
import { neededCategories } from "../../../model/plural-categories.ts";
import { placeholderFamilies } from "../../../model/placeholder-families.ts";
import type { PlaceholderFamily } from "../../../model/placeholders.ts";
import { type Text, codePointCount } from "../../../model/translation-text.ts";
import { supportedFrameworks } from "../../../frameworks/supported-frameworks.ts";
import { bilingualFamily } from "../../../model/file-formats.ts";
import type { LocalEntry } from "../../../workspace/local-files/local-entries.ts";
import { projectPlaceholderFamilies } from "../../../workspace/problems/project-placeholder-families.ts";
import type { App } from "../../app.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { issueMessage } from "../../../messages/issue-messages.ts";
import { labelText } from "../../../messages/escape-text.ts";
import { l10n } from "../../../util/l10n.ts";

/** Returns the placeholder families of the project, by its frameworks and file formats. */
export function familiesOf(app: App, open: OpenProject): readonly PlaceholderFamily[] {
  return projectPlaceholderFamilies(app.documentUsages.lookupOptions(open), open.file.files ?? []);
}

/** Returns the placeholder families of a text in a file, by its flags and the file's format. */
export function familiesOfEntry(
  app: App,
  open: OpenProject,
  { path, entry }: Pick<LocalEntry, "path" | "entry">,
  source: Text | null,
): readonly PlaceholderFamily[] {
  return placeholderFamilies(familiesOf(app, open), {
    path,
    family: bilingualFamily(open.local.locate(path)?.entry.format ?? ""),
    formatFlags: entry.formatFlags ?? [],
    source,
  });
}

/** Returns the plural categories of a language that the app never shows: Laravel has fewer parts than CLDR. */
export function hiddenCategories(app: App, open: OpenProject, locale: string): readonly string[] {
  return hiddenCategoriesOf(familiesOf(app, open), locale);
}

function hiddenCategoriesOf(families: readonly PlaceholderFamily[], locale: string): readonly string[] {
  const rules = [...supportedFrameworks.values()].flatMap(({ placeholders, pipes }) =>
    pipes !== undefined && families.includes(placeholders) ? [pipes] : [],
  );
  const isHidden = (category: string): boolean =>
    rules.some((pipes) => !pipes.shownCategories(locale).includes(category));
  return neededCategories(locale).filter(isHidden);
}

/** The result of a check. */
interface TextCheck {
  readonly message: string;
  readonly isWarning: boolean;
}

export interface TextCheckDependencies {
  readonly families: readonly PlaceholderFamily[];
  readonly source: Text | null;
  readonly locale: string;
  readonly maxLength: number | null;
}

/** Checks a value, or one form of a plural text; `null` if there is nothing to report. */
export function checkText(
  value: string,
  form: string | null,
  dependencies: TextCheckDependencies,
): TextCheck | null {
  const { families, source, locale, maxLength } = dependencies;
  const text: Text = form === null ? { value } : { forms: { [form]: value } };
  const [issue] = checkPlaceholders(families, source, text, locale);
  const length = codePointCount(value);
  const isTooLong = maxLength !== null && length > maxLength;
  const messages = issue === undefined ? [] : [labelText(issueMessage({ ...issue, form: "" }))];
  if (maxLength !== null && (issue === undefined || isTooLong))
    messages.push(l10n.t("{0} of at most {1} characters", length, maxLength));
  const isHidden = hiddenCategoriesOf(families, locale).includes(form ?? "");
  if (isHidden) messages.push(l10n.t("The app shows “other” instead of this form."));
  if (messages.length === 0) return null;
  return { message: messages.join(" · "), isWarning: issue !== undefined || isTooLong };
}
