/** The texts that the window shows, in its language. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";

export type ShownLanguage = "en" | "nl";

type Texts = Readonly<Record<string, string>>;

const readTexts = (path: string): Texts => JSON.parse(readFileSync(join(root, path), "utf8")) as Texts;
const english = readTexts("package.nls.json");
let manifest = english;
let messages: Texts = {};

/** Sets the language of what the others return. */
export function setShownLanguage(language: ShownLanguage): void {
  manifest = language === "en" ? english : readTexts(`package.nls.${language}.json`);
  messages = language === "en" ? {} : readTexts(`l10n/bundle.l10n.${language}.json`);
}

/** Returns the title of a command by the last part of its id. */
export function commandTitle(name: string): string {
  const title = manifest[`command.${name}`];
  if (title === undefined) throw new Error(`There is no title for the command ${name}.`);
  return title;
}

/** Returns a text of the manifest by its name there. */
export function manifestText(name: string): string {
  const text = manifest[name];
  if (text === undefined) throw new Error(`The manifest has no text ${name}.`);
  return text;
}

/** Returns a message as it is shown, with its values. */
export function shown(message: string, ...values: readonly string[]): string {
  const text = messages[message] ?? message;
  return text.replaceAll(/\{(\d)\}/gu, (all, index: string) => values[Number(index)] ?? all);
}
