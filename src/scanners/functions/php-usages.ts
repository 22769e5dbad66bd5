/**
 * The uses in a lexed PHP source: functions by name, Laravel's translator by its receiver, and Blade's directives.
 * Where the PHP stands (a file, a template) is the languages' to say.
 */
import { addCallUses, DEFAULT_SCOPE, UNKNOWN_SCOPE } from "./call-usages.ts";
import { escapeRegExp, isWord, lastBefore, wordStart } from "../lexers/characters.ts";
import { BLADE_DIRECTIVES, holdsLaravel, LARAVEL_TRANSLATOR, phpShapes } from "./function-shapes.ts";
import type { CallShape } from "./call-shape.ts";
import type { Source } from "../source.ts";
import type { FindOptions, KeyUsage } from "../usage.ts";

/** What a project's options come down to, made once. */
export interface PhpFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  /** `name(` of any function, directive or, with Laravel, method of the translator. */
  readonly calls: RegExp;
  /** Whether a text can hold a use at all; cheap. */
  readonly prefilter: RegExp;
  /** Names of classes that hold a key; `null`: there are none. */
  readonly classes: RegExp | null;
  readonly laravel: boolean;
}

const prepared = new WeakMap<FindOptions, PhpFunctions>();
const METHODS = Object.keys(LARAVEL_TRANSLATOR).join("|");

/** The functions that hold under these options. */
export function phpFunctions(options: FindOptions): PhpFunctions {
  let functions = prepared.get(options);
  if (functions === undefined) {
    const shapes = phpShapes(options);
    const laravel = holdsLaravel(options);
    const words = [...shapes.keys()].filter((name) => /^\w/.test(name)).map(escapeRegExp);
    const directives = [...shapes.keys()].filter((name) => name.startsWith("@")).map(escapeRegExp);
    if (laravel) directives.push(...Object.keys(BLADE_DIRECTIVES));
    const classes = [...shapes].flatMap(([name, [shape]]) => (shape?.constructs === true ? [name] : []));
    const names = [`\\b(?:${words.join("|")})`, ...directives].join("|");
    functions = {
      shapes: new Map([...(laravel ? withOwn(BLADE_DIRECTIVES) : []), ...shapes]),
      calls: new RegExp(`(${laravel ? `${names}|\\b(?:${METHODS})` : names})\\s*\\(`, "g"),
      classes: classes.length === 0 ? null : new RegExp(`^(?:${classes.join("|")})$`),
      prefilter: new RegExp(
        `${classes.map((name) => `\\b${name}\\b|`).join("")}(?:${names})\\s*\\(${laravel ? "|\\bLang\\b|[tT]ranslator|->transChoice|\\$fail\\s*\\(" : ""}`,
      ),
      laravel,
    };
    prepared.set(options, functions);
  }
  return functions;
}

function withOwn(shapes: Readonly<Record<string, CallShape>>): (readonly [string, readonly CallShape[]])[] {
  return Object.entries(shapes).map(([name, shape]) => [name, [shape]] as const);
}

/** Adds the uses of the whole source to `out`. */
export function addPhpUses(source: Source, functions: PhpFunctions, out: KeyUsage[]): void {
  const { code } = source;
  const translators = functions.laravel ? findTranslators(source) : NO_TRANSLATORS;
  for (const found of code.matchAll(functions.calls)) {
    const name = found[1] ?? "";
    const start = found.index;
    if (isWord(code.charCodeAt(start - 1))) continue;
    const open = start + found[0].length - 1;
    const receiver = name.startsWith("@") ? null : receiverOf(source, start);
    if (receiver?.kind === "definition") continue;
    const known = shapeOf(functions, name, receiver, translators);
    if (known?.constructs === true) continue;
    const shape = known ?? foreignShape(functions, name, receiver);
    if (shape === undefined) continue;
    const scope = known === undefined ? UNKNOWN_SCOPE : DEFAULT_SCOPE;
    const callStart = receiver?.start ?? start;
    const callee = source.text.slice(callStart, start + name.length).replaceAll(/\s/g, "");
    addCallUses(source, { start: callStart, open, callee }, shape, scope, out);
  }
  if (functions.classes !== null) addConstructions(source, functions, functions.classes, out);
  if (functions.laravel) addValidationMessages(source, out);
}

/** `new TranslatableMessage("key")`, also where the file has another name for the class. */
function addConstructions(source: Source, functions: PhpFunctions, classes: RegExp, out: KeyUsage[]): void {
  const { code } = source;
  const aliases = new Map<string, string>();
  for (const [, name = "", alias = ""] of code.matchAll(/\buse\s+(?:\w+\\)*(\w+)\s+as\s+(\w+)\s*;/g)) {
    if (classes.test(name)) aliases.set(alias, name);
  }
  for (const found of code.matchAll(/\bnew\s+\\?(?:\w+\\)*(\w+)\s*\(/g)) {
    const name = found[1] ?? "";
    const shape = functions.shapes
      .get(aliases.get(name) ?? name)
      ?.find(({ constructs }) => constructs === true);
    if (shape === undefined) continue;
    const open = found.index + found[0].length - 1;
    addCallUses(source, { start: found.index, open, callee: `new ${name}` }, shape, DEFAULT_SCOPE, out);
  }
}

/** `$fail("validation.uppercase")->translate()` of a validation rule; without `translate` it is a text. */
function addValidationMessages(source: Source, out: KeyUsage[]): void {
  const { code, brackets } = source;
  for (const found of code.matchAll(/\$fail\s*\(/g)) {
    const open = found.index + found[0].length - 1;
    const close = brackets.closing(open);
    const then =
      close === -1 ? null : /^\s*->\s*translate(Choice)?\s*\(/.exec(code.slice(close + 1, close + 60));
    if (then === null) continue;
    const shape: CallShape = then[1] === undefined ? { key: 0 } : { key: 0, plural: true };
    addCallUses(source, { start: found.index, open, callee: "$fail" }, shape, DEFAULT_SCOPE, out);
  }
}

/** What a method is called on; a plain function has none. */
interface Receiver {
  readonly kind: "static" | "instance" | "definition";
  readonly start: number;
  /** As written, without white space: `Lang`, `$this->translator`, `trans()`. */
  readonly text: string;
}

function receiverOf(source: Source, nameStart: number): Receiver | null {
  const { code } = source;
  const before = lastBefore(code, nameStart);
  const pair = code.slice(before - 1, before + 1);
  if (pair !== "->" && pair !== "::") {
    const word = code.slice(wordStart(code, before + 1), before + 1);
    const isReference =
      code[before] === "&" && /\bfunction\s*&$/.test(code.slice(Math.max(0, before - 12), before + 1));
    return word === "function" || word === "new" || isReference
      ? { kind: "definition", start: nameStart, text: "" }
      : null;
  }
  const operator = code[before - 2] === "?" ? before - 2 : before - 1;
  const start = chainStart(source, operator);
  return {
    kind: pair === "::" ? "static" : "instance",
    start,
    text: source.text.slice(start, operator).replaceAll(/\s/g, ""),
  };
}

/** Where the expression before `->` or `::` begins: names, `$`, `\`, calls and earlier arrows. */
function chainStart(source: Source, operator: number): number {
  const { code, brackets } = source;
  let place = operator;
  for (let steps = 0; steps < 6; steps++) {
    let last = lastBefore(code, place);
    for (let calls = 0; calls < 3 && (code[last] === ")" || code[last] === "]"); calls++) {
      const open = brackets.enclosing(last);
      if (open === -1 || brackets.closing(open) !== last) return place;
      last = lastBefore(code, open);
    }
    let start = wordStart(code, last + 1);
    while (code[start - 1] === "\\") start = wordStart(code, start - 1);
    if (start > last) return place;
    place = start;
    const arrow = lastBefore(code, place);
    const pair = code.slice(arrow - 1, arrow + 1);
    if (pair !== "->" && pair !== "::") return place;
    place = code[arrow - 2] === "?" ? arrow - 2 : arrow - 1;
  }
  return place;
}

const FACADE = /^\\?(?:Illuminate\\Support\\Facades\\)?Lang$/;
const CONTAINER = String.raw`(?:app\(\)|resolve\(\)|\$(?:this->)?app|App|Container::getInstance\(\))`;
const BY_NAME = String.raw`\((?:["']translator["']|\\?(?:[\w\\]*\\)?Translator::class)\)`;
const TRANSLATOR_EXPRESSION = new RegExp(
  [
    String.raw`^trans\(\)$`,
    `^(?:app|resolve)${BY_NAME}$`,
    `^${CONTAINER}(?:->|::)(?:make|get)${BY_NAME}$`,
    String.raw`^(?:app\(\)|\$(?:this->)?app)\[["']translator["']\]$`,
    String.raw`^\\?Lang::getFacadeRoot\(\)$`,
    String.raw`^(?:\$this->|\$)\w*[tT]ranslator$`,
    String.raw`->getTranslator\(\)$`,
  ].join("|"),
);

/** What stands for Laravel's translator in a file, beside what does so everywhere. */
interface Translators {
  /** `$lang`, `$this->lang`. */
  readonly variables: ReadonlySet<string>;
  /** Other names of the facade. */
  readonly facades: ReadonlySet<string>;
}
const NO_TRANSLATORS: Translators = { variables: new Set(), facades: new Set() };

function shapeOf(
  functions: PhpFunctions,
  name: string,
  receiver: Receiver | null,
  translators: Translators,
): CallShape | undefined {
  if (receiver !== null && functions.laravel) {
    const isTranslator =
      receiver.kind === "static"
        ? FACADE.test(receiver.text) || translators.facades.has(receiver.text)
        : TRANSLATOR_EXPRESSION.test(receiver.text) || translators.variables.has(receiver.text);
    const shape = LARAVEL_TRANSLATOR[name];
    if (isTranslator && shape !== undefined) return shape;
  }
  return functions.shapes.get(name)?.find((shape) => fits(shape, receiver));
}

/** `$locale->trans("…")`: a wrapper of the project's own. It uses a key, but may mean something else by it. */
function foreignShape(
  functions: PhpFunctions,
  name: string,
  receiver: Receiver | null,
): CallShape | undefined {
  const wraps =
    functions.laravel && receiver?.kind === "instance" && (name === "trans" || name === "transChoice");
  return wraps ? LARAVEL_TRANSLATOR[name] : undefined;
}

/** The frameworks' functions stand alone; a user's own one may be a method. */
function fits(shape: CallShape, receiver: Receiver | null): boolean {
  if (shape.qualifier === undefined) return receiver === null;
  if (shape.qualifier === "") return true;
  if (receiver === null) return false;
  const written = `${receiver.text}${receiver.kind === "static" ? "::" : "->"}`;
  return written === shape.qualifier || written.endsWith(`\\${shape.qualifier}`);
}

/** `Translator $lang` makes `$lang`, and `$this->lang`, a translator; so does an assignment of one. */
function findTranslators({ code, text }: Source): Translators {
  const variables = new Set<string>();
  const facades = new Set<string>();
  const types = ["Translator", "TranslatorInterface", "TranslatorContract"];
  if (/\buse\b/.test(code)) {
    for (const found of code.matchAll(/\buse\s+[\w\\]*\b(Lang|Translator)\s+as\s+(\w+)\s*;/g)) {
      if (found[1] === "Lang") facades.add(found[2] ?? "");
      else types.push(found[2] ?? "");
    }
  }
  const typed = new RegExp(`\\b(?:${types.join("|")})(?:\\s*\\|\\s*null)?\\s+&?\\$(\\w+)`, "g");
  for (const found of code.matchAll(typed)) variables.add(`$${found[1]}`).add(`$this->${found[1]}`);
  if (variables.size > 0 || /[tT]ranslator|\btrans\(\)/.test(text)) {
    for (const found of code.matchAll(/(\$(?:this->)?\w+)\s*\??\??=\s*(?=[$\w\\])/g)) {
      const start = found.index + found[0].length;
      const value =
        text
          .slice(start, start + ASSIGNED_LIMIT)
          .split(";", 1)[0]
          ?.replaceAll(/\s/g, "") ?? "";
      if (variables.has(value) || TRANSLATOR_EXPRESSION.test(value)) variables.add(found[1] ?? "");
    }
  }
  return { variables, facades };
}

/** A longer expression than this is none that makes a translator. */
const ASSIGNED_LIMIT = 120;
