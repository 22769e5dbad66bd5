/** Asks for a text of one line, or for each plural form of one, with remarks while it is typed. */
import * as vscode from "vscode";
import { neededCategories } from "../../model/plural-rules.ts";
import { isForms, plainText, type Text } from "../../model/text.ts";
import { labelText } from "../markdown.ts";
import { checkText, type TextCheckDependencies } from "./text-checks.ts";
import { l10n } from "../l10n.ts";

export interface TextQuestion extends TextCheckDependencies {
  readonly title: string;
  readonly isPlural: boolean;
  readonly current: Text | null;
  /** Shown below the field beside the source text. */
  readonly hint?: string;
}

const BACK = Symbol("back");

/** Whether an input of one line can hold the text. */
export function isOneLine(...texts: readonly (Text | null)[]): boolean {
  return texts.every((text) => {
    if (text === null) return true;
    return (isForms(text) ? Object.values(text.forms) : [text.value]).every((value) => !/[\n\r]/.test(value));
  });
}

/** The text as a person left it; `undefined`: closed. Forms are those the locale needs, and those that are there. */
export async function askText(question: TextQuestion): Promise<Text | undefined> {
  const { current, isPlural, locale } = question;
  if (!isPlural) {
    const value = await askLine(question, plainText(current), null, 1, 1);
    return typeof value === "string" ? { value } : undefined;
  }
  const forms: Record<string, string> = current !== null && isForms(current) ? { ...current.forms } : {};
  const categories = [...new Set([...neededCategories(locale), ...Object.keys(forms)])];
  for (let index = 0; index < categories.length;) {
    const category = categories[index] ?? "";
    const value = await askLine(question, forms[category] ?? "", category, index + 1, categories.length);
    if (value === undefined) return undefined;
    if (value === BACK) index--;
    else {
      forms[category] = value;
      index++;
    }
  }
  return { forms: Object.fromEntries(categories.map((category) => [category, forms[category] ?? ""])) };
}

function askLine(
  question: TextQuestion,
  start: string,
  form: string | null,
  step: number,
  steps: number,
): Promise<string | typeof BACK | undefined> {
  const input = vscode.window.createInputBox();
  input.title = form === null ? question.title : `${question.title} · ${form}`;
  input.prompt = promptOf(question, form);
  input.value = start;
  input.valueSelection = [start.length, start.length];
  input.ignoreFocusOut = true;
  if (steps > 1) {
    input.step = step;
    input.totalSteps = steps;
  }
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  const remark = (): void => {
    const remark = checkText(input.value, form, question);
    const { Warning, Info } = vscode.InputBoxValidationSeverity;
    // A message takes the place of the prompt, and the source text must stay in sight.
    input.validationMessage =
      remark === null
        ? ""
        : { message: [remark.message, input.prompt].join(" · "), severity: remark.warning ? Warning : Info };
  };
  remark();
  return new Promise((resolve) => {
    let answer: string | typeof BACK | undefined;
    const end = (value: string | typeof BACK): void => {
      answer = value;
      input.hide();
    };
    const listeners = [
      input.onDidChangeValue(remark),
      input.onDidAccept(() => end(input.value)),
      input.onDidTriggerButton(() => end(BACK)),
      input.onDidHide(() => {
        for (const listener of listeners) listener.dispose();
        input.dispose();
        resolve(answer);
      }),
    ];
    input.show();
  });
}

function promptOf({ source, hint }: TextQuestion, form: string | null): string {
  const parts: string[] = [];
  if (source !== null) {
    const ofForm = form !== null && isForms(source) ? source.forms[form] : undefined;
    parts.push(l10n.t("Source: {0}", labelText(ofForm ?? plainText(source))));
  }
  if (hint !== undefined) parts.push(labelText(hint));
  return parts.join(" · ");
}
