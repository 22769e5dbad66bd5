/**
 * Finds key usages in PHP files, between `<?php` or `<?=` and `?>`, and in Blade templates: functions by name,
 * the framework's translator by its receiver, and Blade's directives.
 */
import { cachedByObject } from "../util/maps.ts";
import { addCallUsages, DEFAULT_SCOPE, UNKNOWN_SCOPE } from "./function-calls/call-usages.ts";
import type { CallShape, ConstructorMessages, TranslatorObject } from "../frameworks/framework.ts";
import { addConstructorMessages } from "./constructor-messages.ts";
import { callsOf, nameAlternatives, phpShapes } from "./function-calls/function-signatures.ts";
import { type FindOptions, type KeyUsage, sortByOffset, type UsageLanguage } from "./key-usage.ts";
import type { Source } from "./source-reader.ts";
import { isWord, skipSpaceBack, wordEnd, wordStart } from "./lexers/characters.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import { lexPhp, type PhpUntil } from "./lexers/php-lexer.ts";
import { findHeaderUsages } from "./file-texts-scanner.ts";

export const php: UsageLanguage = {
  languageIds: ["php"],
  extensions: [".phtml", ".php", ".inc"],
  comments: "block",
  find: findInPhp,
};

function findInPhp(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = phpFunctions(options);
  const usages = [...findHeaderUsages(text, options)];
  if (functions.prefilter.test(text)) addPhpUsages(new PhpLexer(text).run(), functions, usages);
  return sortByOffset(usages);
}

class PhpLexer extends EmbeddedCodeLexer {
  constructor(text: string) {
    super(text, "php");
  }

  protected openers(): RegExp {
    return /<\?/g;
  }

  protected open({ index }: RegExpExecArray): number {
    return this.tag(index);
  }

  /** Lexes the code between `<?php`, `<?=` or the short `<?` at the offset and the next `?>`. */
  protected tag(open: number): number {
    const { text } = this;
    if (text.startsWith("<?=", open)) return this.php(open + 3, text.length, "tag");
    const isLong = text.slice(open + 2, open + 5).toLowerCase() === "php";
    return this.php(open + (isLong ? 5 : 2), text.length, "tag");
  }

  /** Lexes `[start, end)` as PHP; returns the offset after it. */
  protected php(start: number, end: number, until: PhpUntil): number {
    return this.embed(start, () => lexPhp(this.text, start, end, this.mask, until));
  }
}

/** The functions and patterns of a project, computed once per options. */
interface PhpFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  /** Matches `name(` for every function, directive and translator method. */
  readonly calls: RegExp;
  /** Cheap test whether a text may contain key usages at all. */
  readonly prefilter: RegExp;
  /** The framework's translator object; `null` if it has none. */
  readonly translator: TranslatorObject | null;
  readonly messages: readonly ConstructorMessages[];
}

/** Returns the functions that apply with these options. */
const phpFunctions = cachedByObject((options: FindOptions): PhpFunctions => {
  const calls = callsOf(options, "php");
  const translator = calls.find((one) => one.translator !== undefined)?.translator ?? null;
  const directives = calls.map((one) => one.directives ?? {});
  const shapes = phpShapes(options, directives);
  const names = nameAlternatives([...shapes.keys()].filter((name) => /^[\w@]/.test(name)));
  const classes = [...shapes].flatMap(([name, [shape]]) =>
    shape?.constructs === true ? [`\\b${name}\\b`] : [],
  );
  const methods = translator === null ? "" : `|\\b(?:${Object.keys(translator.methods).join("|")})`;
  const translators = translator === null ? [] : [translator.mayCall.source];
  const messages = calls.flatMap((one) => one.messages ?? []);
  return {
    shapes,
    calls: new RegExp(`(${names}${methods})\\s*\\(`, "g"),
    prefilter: new RegExp(
      [...classes, `(?:${names})\\s*\\(`, ...translators, ...messages.map((one) => one.classes.source)].join(
        "|",
      ),
    ),
    translator,
    messages,
  };
});

/** Adds the key usages in the source to `out`. */
function addPhpUsages(source: Source, functions: PhpFunctions, out: KeyUsage[]): void {
  const { code } = source;
  const translators =
    functions.translator === null ? NO_TRANSLATORS : findTranslators(source, functions.translator);
  for (const found of code.matchAll(functions.calls)) {
    const name = found[1] ?? "";
    const start = found.index;
    if (isWord(code.charCodeAt(start - 1))) continue;
    const open = start + found[0].length - 1;
    const receiver = name.startsWith("@") ? null : receiverOf(source, start);
    if (receiver === "definition") continue;
    const known = shapeOf(functions, name, receiver, translators);
    if (known?.constructs === true) continue;
    const shape = known ?? wrapperShape(functions, name, receiver);
    if (shape === undefined) continue;
    const scope = known === undefined ? UNKNOWN_SCOPE : DEFAULT_SCOPE;
    const callStart = receiver?.start ?? start;
    const callee = source.text.slice(callStart, start + name.length).replaceAll(/\s/g, "");
    addCallUsages(source, { start: callStart, open, callee }, shape, scope, out);
  }
  addConstructions(source, functions, out);
  for (const messages of functions.messages) addConstructorMessages(source, messages, out);
  if (functions.translator?.message !== undefined)
    addResultMessages(source, functions.translator.message, out);
}

/** Adds `new TranslatableMessage("key")`, also if the file imports the class under an alias. */
function addConstructions(source: Source, { shapes }: PhpFunctions, out: KeyUsage[]): void {
  const { code } = source;
  const classOf = (name: string): CallShape | undefined =>
    shapes.get(name)?.find(({ constructs }) => constructs === true);
  const aliases = new Map<string, CallShape | undefined>();
  for (const [, name = "", alias = ""] of code.matchAll(/\buse\s+(?:\w+\\)*(\w+)\s+as\s+(\w+)\s*;/g)) {
    aliases.set(alias, classOf(name));
  }
  for (const { index: start, 0: found, 1: name = "" } of code.matchAll(/\bnew\s+\\?(?:\w+\\)*(\w+)\s*\(/g)) {
    const shape = aliases.get(name) ?? classOf(name);
    const call = { start, open: start + found.length - 1, callee: `new ${name}` };
    if (shape !== undefined) addCallUsages(source, call, shape, DEFAULT_SCOPE, out);
  }
}

/** Adds calls of a function whose argument is a key only if one of these methods is called on its result. */
function addResultMessages(
  source: Source,
  { call, callee, methods }: NonNullable<TranslatorObject["message"]>,
  out: KeyUsage[],
): void {
  const { code, brackets } = source;
  for (const { index: start, 0: head } of code.matchAll(call)) {
    const open = start + head.length - 1;
    const close = brackets.closing(open);
    const method = /^\s*->\s*(\w+)\s*\(/.exec(code.slice(close + 1, close + 60))?.[1];
    const shape = close === -1 || method === undefined ? undefined : methods[method];
    if (shape !== undefined) addCallUsages(source, { start, open, callee }, shape, DEFAULT_SCOPE, out);
  }
}

/** The receiver of a method call; a plain function call has none. */
interface Receiver {
  readonly operator: "::" | "->";
  readonly start: number;
  /** As written, without whitespace: `Lang`, `$this->translator`, `trans()`. */
  readonly text: string;
}

/** An operator of a method call, and the end of its receiver. */
interface MemberOperator {
  readonly operator: Receiver["operator"];
  readonly receiverEnd: number;
}

/** Returns the `->`, `?->` or `::` before the offset; `null` if there is none. */
function operatorBefore(code: string, offset: number): MemberOperator | null {
  const last = skipSpaceBack(code, offset);
  const operator = code.slice(last - 1, last + 1);
  if (operator !== "->" && operator !== "::") return null;
  return { operator, receiverEnd: code[last - 2] === "?" ? last - 2 : last - 1 };
}

/** Returns the receiver of a call; `definition` if the name is not called, but defined or instantiated. */
function receiverOf(source: Source, nameStart: number): Receiver | "definition" | null {
  const found = operatorBefore(source.code, nameStart);
  if (found === null) {
    const before = source.code.slice(Math.max(0, nameStart - 40), nameStart);
    return /(?:\b(?:function|new)\s*|\bfunction\s*&\s*)$/.test(before) ? "definition" : null;
  }
  const { operator, receiverEnd } = found;
  const start = chainStart(source, receiverEnd);
  return { operator, start, text: source.text.slice(start, receiverEnd).replaceAll(/\s/g, "") };
}

/** Returns the start of the expression before `->` or `::`: names, `$`, `\`, calls and preceding arrows. */
function chainStart({ code, brackets }: Source, end: number): number {
  let offset = end;
  for (let steps = 0; steps < 6; steps++) {
    let last = skipSpaceBack(code, offset);
    for (let calls = 0; calls < 3 && (code[last] === ")" || code[last] === "]"); calls++) {
      const open = brackets.opening(last);
      if (open === -1) return offset;
      last = skipSpaceBack(code, open);
    }
    let start = wordStart(code, last + 1);
    while (code[start - 1] === "\\") start = wordStart(code, start - 1);
    if (start > last) return offset;
    const previous = operatorBefore(code, start);
    if (previous === null) return start;
    offset = previous.receiverEnd;
  }
  return offset;
}

/** A file's names for the framework's translator, in addition to the global ones. */
interface Translators {
  /** Variables and properties: `$lang`, `$this->lang`. */
  readonly variables: ReadonlySet<string>;
  /** Those of other translators. */
  readonly others: ReadonlySet<string>;
  /** Aliases of the facade. */
  readonly facades: ReadonlySet<string>;
}
const NO_TRANSLATORS: Translators = { variables: new Set(), others: new Set(), facades: new Set() };

function shapeOf(
  functions: PhpFunctions,
  name: string,
  receiver: Receiver | null,
  translators: Translators,
): CallShape | undefined {
  if (receiver !== null && functions.translator !== null) {
    const { facade, expression, methods } = functions.translator;
    const isTranslator =
      receiver.operator === "::"
        ? facade.test(receiver.text) || translators.facades.has(receiver.text)
        : !translators.others.has(receiver.text) &&
          (expression.test(receiver.text) || translators.variables.has(receiver.text));
    const shape = methods[name];
    if (isTranslator && shape !== undefined) return shape;
  }
  return functions.shapes.get(name)?.find((shape) => matchesReceiver(shape, receiver));
}

/**
 * Returns the shape for `$locale->trans("…")`, a wrapper in the project: it uses a key, but the other arguments may
 * have another meaning.
 */
function wrapperShape(
  functions: PhpFunctions,
  name: string,
  receiver: Receiver | null,
): CallShape | undefined {
  const { translator } = functions;
  const isWrapper = receiver?.operator === "->" && translator?.wrapped.test(name) === true;
  return isWrapper ? translator?.methods[name] : undefined;
}

/** Framework functions have no receiver; a custom function may be a method. */
function matchesReceiver(shape: CallShape, receiver: Receiver | null): boolean {
  if (shape.qualifier === undefined) return receiver === null;
  if (shape.qualifier === "") return true;
  if (receiver === null) return false;
  const written = `${receiver.text}${receiver.operator}`;
  return written === shape.qualifier || written.endsWith(`\\${shape.qualifier}`);
}

/**
 * Finds the variables and properties that contain a translator: `Translator $lang` declares `$lang` and
 * `$this->lang`, and so does assigning a translator to them.
 */
function findTranslators({ code, text }: Source, translator: TranslatorObject): Translators {
  const { className, expression, facadeName, mayContain, otherNamespaces } = translator;
  const variables = new Set<string>();
  const others = new Set<string>();
  const facades = new Set<string>();
  const types = [...translator.types];
  const otherTypes = new Set<string>();
  for (const [, path = "", name = ""] of code.matchAll(/\buse\s+([\w\\]*\\(\w+))\s*;/g))
    if (otherNamespaces?.test(path) === true) otherTypes.add(name);
  const imports = new RegExp(`\\buse\\s+[\\w\\\\]*\\b(${facadeName}|${className})\\s+as\\s+(\\w+)\\s*;`, "g");
  for (const [, name, alias = ""] of code.matchAll(imports)) {
    if (name === facadeName) facades.add(alias);
    else types.push(alias);
  }
  const typed = new RegExp(`\\b(${types.join("|")})(?:\\s*\\|\\s*null)?\\s+&?\\$(\\w+)`, "g");
  for (const [, type = "", name] of code.matchAll(typed)) {
    const found = otherTypes.has(type) ? others : variables;
    found.add(`$${name}`).add(`$this->${name}`);
  }
  if (variables.size > 0 || mayContain.test(text)) {
    for (const found of code.matchAll(/(\$(?:this->)?\w+)\s*\??\??=\s*(?=[$\w\\])/g)) {
      const start = found.index + found[0].length;
      const [assigned = ""] = text.slice(start, start + MAX_ASSIGNED_CHARACTERS).split(";", 1);
      const value = assigned.replaceAll(/\s/g, "");
      if (variables.has(value) || expression.test(value)) variables.add(found[1] ?? "");
    }
  }
  return { variables, others, facades };
}

/** Longer assigned expressions are not considered translators. */
const MAX_ASSIGNED_CHARACTERS = 120;

export const blade: UsageLanguage = {
  languageIds: ["blade"],
  extensions: [".blade.php"],
  comments: "block",
  find: findInBlade,
};

function findInBlade(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = phpFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const usages: KeyUsage[] = [];
  addPhpUsages(new BladeLexer(text, functions).run(), functions, usages);
  return sortByOffset(usages);
}

class BladeLexer extends PhpLexer {
  readonly #functions: PhpFunctions;

  constructor(text: string, functions: PhpFunctions) {
    super(text);
    this.#functions = functions;
  }

  protected override openers(): RegExp {
    return /\{\{--|@?\{\{\{?|@?\{!!|@@?\w+|<\?(?:php|=)?|(?<=[\s"'])::?[\w.:-]+\s*=\s*["']/gi;
  }

  protected override open({ 0: opener, index: start }: RegExpExecArray): number {
    const after = start + opener.length;
    if (opener === "{{--") return this.after("--}}", after);
    if (opener.startsWith("@{")) return this.after(opener.includes("!!") ? "!!}" : "}}", after);
    if (opener.startsWith("::")) return after;
    if (opener.startsWith("{")) {
      const closer = opener.includes("!!") ? "!!}" : "}".repeat(opener.length);
      return this.php(after, this.find(closer, after), "end");
    }
    if (opener.startsWith("<?")) return this.tag(start);
    if (opener.startsWith("@")) return this.#directive(opener, start, after);
    const close = this.find(opener.at(-1) ?? '"', after);
    // Echoes inside an attribute value end at their own braces, so they are lexed separately.
    return /\{\{|\{!!/.test(this.text.slice(after, close)) ? after : this.php(after, close, "end");
  }

  #directive(opener: string, start: number, after: number): number {
    // `name@example.com` is not a directive.
    if (isWord(this.text.charCodeAt(start - 1))) return after;
    if (opener === "@verbatim") return this.after("@endverbatim", after);
    let open = wordEnd(this.text, start + 1);
    while (this.text[open] === " " || this.text[open] === "\t") open++;
    if (this.text[open] === "(") {
      // The name stays unmasked if the directive itself takes a key.
      const codeStart = this.#functions.shapes.has(opener) ? start : open;
      return this.embed(codeStart, () => lexPhp(this.text, open, this.text.length, this.mask, "parenthesis"));
    }
    if (opener === "@php") return this.php(after, this.find("@endphp", after), "end");
    return after;
  }
}
