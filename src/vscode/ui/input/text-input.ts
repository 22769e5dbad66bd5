/** Input boxes for a single-line text or for each of its plural forms, with validation messages. */
import * as vscode from "vscode";
import { neededCategories } from "../../../model/plural-categories.ts";
import { isForms, plainText, type Text, valuesOf } from "../../../model/translation-text.ts";
import { labelText } from "../../../messages/escape-text.ts";
import { checkText, type TextCheckDependencies } from "./translation-input-checks.ts";
import { l10n } from "../../../util/l10n.ts";
import { showUntilHidden } from "./quick-pick.ts";

export interface TextPrompt extends TextCheckDependencies {
  readonly title: string;
  readonly isPlural: boolean;
  readonly current: Text | null;
  /** Shown in the prompt, after the source text; empty for none. */
  readonly hint?: string;
}

const BACK = Symbol("back");

/** Whether the texts have no line breaks, so that an input box can edit them. */
export function isOneLine(...texts: readonly (Text | null)[]): boolean {
  return texts.every((text) => {
    if (text === null) return true;
    return valuesOf(text).every((value) => !/[\n\r]/.test(value));
  });
}

/**
 * Prompts for the text; `undefined` if an input box was dismissed. A plural text has the categories of the locale and
 * those that are already present.
 */
export async function promptForText(prompt: TextPrompt): Promise<Text | undefined> {
  const { current, isPlural, locale } = prompt;
  if (!isPlural) {
    const value = await promptForLine(prompt, plainText(current), null, 1, 1);
    return typeof value === "string" ? { value } : undefined;
  }
  const forms: Record<string, string> = current !== null && isForms(current) ? { ...current.forms } : {};
  const categories = [...new Set([...neededCategories(locale), ...Object.keys(forms)])];
  for (let index = 0; index < categories.length;) {
    const category = categories[index] ?? "";
    const form = forms[category] ?? "";
    const value = await promptForLine(prompt, form, category, index + 1, categories.length);
    if (value === undefined) return undefined;
    if (value === BACK) index--;
    else {
      forms[category] = value;
      index++;
    }
  }
  return { forms: Object.fromEntries(categories.map((category) => [category, forms[category] ?? ""])) };
}

async function promptForLine(
  prompt: TextPrompt,
  value: string,
  form: string | null,
  step: number,
  steps: number,
): Promise<string | typeof BACK | undefined> {
  const input = vscode.window.createInputBox();
  input.title = form === null ? prompt.title : `${prompt.title} · ${form}`;
  input.prompt = inputPrompt(prompt, form);
  input.value = value;
  input.valueSelection = [value.length, value.length];
  input.ignoreFocusOut = true;
  if (steps > 1) {
    input.step = step;
    input.totalSteps = steps;
  }
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  const validate = (): void => {
    const check = checkText(input.value, form, prompt);
    const { Warning, Info } = vscode.InputBoxValidationSeverity;
    // The validation message replaces the prompt, so it repeats the source text.
    input.validationMessage =
      check === null
        ? ""
        : { message: [check.message, input.prompt].join(" · "), severity: check.isWarning ? Warning : Info };
  };
  validate();
  let answer: string | typeof BACK | undefined;
  const close = (value: string | typeof BACK): void => {
    answer = value;
    input.hide();
  };
  input.onDidChangeValue(validate);
  input.onDidAccept(() => close(input.value));
  input.onDidTriggerButton(() => close(BACK));
  await showUntilHidden(input);
  return answer;
}

function inputPrompt({ source, hint = "" }: TextPrompt, form: string | null): string {
  const parts = hint === "" ? [] : [labelText(hint)];
  if (source !== null) {
    const sourceForm = form !== null && isForms(source) ? source.forms[form] : undefined;
    parts.unshift(l10n.t("Source: {0}", labelText(sourceForm ?? plainText(source))));
  }
  return parts.join(" · ");
}
