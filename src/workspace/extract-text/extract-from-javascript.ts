/** Extracts text from JavaScript and TypeScript: a complete literal, a JSX attribute, or text between JSX tags. */
import {
  COMPONENTS,
  isKeyAttribute,
  isTranslationFunction,
} from "../../scanners/function-calls/function-signatures.ts";
import type { Splice } from "../../formats/format.ts";
import { mostFrequent } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import type { ParserPlugins } from "../../formats/js/babel-parser.ts";
import type { Quote } from "../../scanners/lexers/string-literals.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";
import {
  type AvoidedQuote,
  coversContent,
  type ExtractionDraft,
  type ProjectConventions,
  componentFor,
  isTextAttribute,
  jsCall,
  keyTextOf,
  scriptStyle,
  type TextPart,
  type ScriptCall,
} from "./replacement-code.ts";
import { parseJavaScript, pathTo, type Node } from "./syntax-tree-parsers.ts";

/** The context of a script, and the style of its calls. */
export interface ScriptContext {
  readonly plugins: ParserPlugins;
  readonly translator: string;
  /** Quote of the attribute around the script. */
  readonly avoided: AvoidedQuote;
  readonly project: ProjectConventions;
  /** The language of the file around the script. */
  readonly language: "js" | "vue" | "svelte";
}

/** A selection in a script. */
interface SelectedScript extends ScriptContext {
  readonly code: string;
  readonly selected: Span;
}

/**
 * Returns `null` if there is no text.
 * @param code the script at its offset in an otherwise blank text
 */
export function scriptDraft(code: string, selected: Span, context: ScriptContext): ExtractionDraft | null {
  const script: SelectedScript = { ...context, code, selected };
  const program = parseJavaScript(code, context.plugins);
  if (program === null) return null;
  const path = pathTo(program, selected);
  // A part of a template literal is in the literal.
  if (path.at(-1)?.type === "TemplateElement") path.pop();
  const last = path.at(-1);
  if (last === undefined || path.some(isTranslating)) return null;
  switch (last.type) {
    case "StringLiteral":
    case "TemplateLiteral":
      return literalDraft(script, last, path.slice(0, -1));
    case "JSXText":
    case "JSXElement":
    case "JSXFragment":
      return elementDraft(script, path);
    default:
      return null;
  }
}

/** Returns the context of a script, with the translator of its other calls. */
export function scriptContext(
  usages: readonly KeyUsage[],
  project: ProjectConventions,
  plugins: ParserPlugins,
): ScriptContext {
  const translator = translatorOf(usages, scriptStyle(project).translator?.script ?? "t");
  return { plugins, translator, avoided: "", project, language: "js" };
}

/** Returns the usual translator, unless all other calls use different ones: then the most frequent of those. */
export function translatorOf(usages: readonly KeyUsage[], usual: string): string {
  const method = usual.split(".").at(-1) ?? usual;
  const isMessage = method.endsWith("formatMessage");
  const translators: string[] = [];
  for (const { callee } of usages) {
    if (callee === usual) return usual;
    const name = callee.split(".").at(-1) ?? callee;
    // Not a component or directive, nor a function whose argument is not a key.
    const isAlike = isMessage
      ? name.endsWith("formatMessage")
      : name === method || /^(?:\$?t(?:[A-Z]\w*)?|__|trans)$/.test(name);
    if (isAlike && /^[\w$.]+$/.test(callee) && !/Choice$/.test(name)) translators.push(callee);
  }
  return mostFrequent(translators) ?? usual;
}

/** Whether the element's text belongs to a key already. */
function isTranslating({ type, raw }: Node): boolean {
  if (type !== "JSXElement") return false;
  const { name } = raw["openingElement"] as { readonly name?: { readonly name?: unknown } };
  const element = String(name?.name);
  return COMPONENTS.has(element) || element === "style" || element === "script";
}

function literalDraft(script: SelectedScript, literal: Node, above: readonly Node[]): ExtractionDraft | null {
  const { code, selected, translator, avoided, project, language } = script;
  if (!isWholeLiteral(code, literal, selected)) return null;
  const parent = above.at(-1);
  if (parent === undefined || isCode(literal, parent, above.at(-2))) return null;
  const parts = literalParts(code, literal);
  if (parts === null) return null;
  const isAttribute = parent.type === "JSXAttribute";
  if (isAttribute && !isTextAttribute(nodeName(parent.raw["name"]))) return null;
  const quote = callQuote(code[literal.start] ?? "", isAttribute, avoided);
  return {
    parts,
    span: { start: literal.start, end: literal.end },
    codeFor: (key, values) => {
      const written = jsCall(project, { translator, quote, avoided }, key, values, language);
      return isAttribute ? `{${written}}` : written;
    },
    extraSplices: importSplices(script, above[0], "call"),
  };
}

function callQuote(written: string, isAttribute: boolean, avoided: AvoidedQuote): Quote {
  if (avoided !== "") return avoided === '"' ? "'" : '"';
  return written === "`" || isAttribute ? '"' : (written as Quote);
}

/** Whether exactly the literal is selected, with or without its quotes. */
function isWholeLiteral(code: string, { start, end }: Span, selected: Span): boolean {
  return coversContent(code, { start: start + 1, end: end - 1 }, selected);
}

/** Whether the literal is a name, type or module specifier rather than a value. */
function isCode(literal: Node, parent: Node, above: Node | undefined): boolean {
  const { type, raw } = parent;
  const isMember = (name: string): boolean =>
    (raw[name] as { readonly start?: unknown } | null)?.start === literal.start;
  if (/^(?:Import|Export(?:All|Named)|TaggedTemplate)/.test(type)) return true;
  if (/^(?:Object|Class|Member|OptionalMember)/.test(type) && (isMember("key") || isMember("property")))
    return true;
  if (type === "TSAsExpression" || type === "TSTypeAssertion") {
    const { type: asserted, typeName } = raw["typeAnnotation"] as {
      readonly type: string;
      readonly typeName?: unknown;
    };
    return asserted === "TSTypeReference" && nodeName(typeName) === "const";
  }
  if (type.startsWith("TS") && type !== "TSSatisfiesExpression" && type !== "TSNonNullExpression")
    return true;
  if (/^(?:Optional)?CallExpression$/.test(type) || type === "NewExpression") {
    const callee = raw["callee"] as { readonly property?: unknown };
    const name = nodeName(callee.property ?? callee);
    return name === "require" || isTranslationFunction(name);
  }
  // `{ id: "…" }` of a message descriptor.
  return type === "ObjectProperty" && above !== undefined && isKeyAttribute(nodeName(raw["key"]));
}

function nodeName(node: unknown): string {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === "string" ? name : typeof value === "string" ? value : "";
}

function literalParts(code: string, { type, raw }: Node): TextPart[] | null {
  if (type === "StringLiteral") return [String(raw["value"])];
  const quasis = raw["quasis"] as readonly { readonly value: { readonly cooked?: string | null } }[];
  const expressions = raw["expressions"] as readonly Expression[];
  const parts: TextPart[] = [];
  for (const [index, { value }] of quasis.entries()) {
    if (value.cooked == null) return null;
    parts.push(value.cooked);
    const expression = expressions[index];
    if (expression === undefined) continue;
    const valueCode = expressionValue(code, expression);
    if (valueCode === null) return null;
    parts.push({ code: valueCode });
  }
  return parts;
}

interface Expression extends Span {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Returns the expression's code if a text can include its value; `null` for markup or expressions without a value. */
function expressionValue(code: string, expression: Expression): string | null {
  const { type, start, end } = expression;
  if (/^(?:JSX|Array|Object|Arrow|Function|Class|Yield|Assignment|Update)/.test(type)) return null;
  // `show && "…"`: `false` renders as nothing but would be a word in the text.
  if (type === "LogicalExpression" && expression["operator"] === "&&") return null;
  // A Vue filter, not an operator.
  if (type === "BinaryExpression" && expression["operator"] === "|") return null;
  const written = code.slice(start, end);
  if (/<\/|\/>/.test(written)) return null;
  return type === "SequenceExpression" ? `(${written})` : written;
}

/** Whether a text can include the value of this code. */
export function isScriptValue(code: string, plugins: ParserPlugins): boolean {
  // Without a line break, since a comment at the end would continue into the call.
  const written = `(${code})`;
  const [statement, ...more] = parseJavaScript(written, plugins)?.children ?? [];
  const expression = statement?.raw["expression"] as Expression | undefined;
  if (expression === undefined || more.length > 0) return false;
  return (
    /^(?:String|Template)Literal$/.test(expression.type) || expressionValue(written, expression) !== null
  );
}

/** Extracts text between JSX tags, with its values. */
function elementDraft(script: SelectedScript, path: readonly Node[]): ExtractionDraft | null {
  const { code, selected, translator, project } = script;
  const element = path.findLast(({ type }) => type === "JSXElement" || type === "JSXFragment");
  if (element === undefined) return null;
  const children = element.raw["children"] as readonly Expression[];
  const parts: TextPart[] = [];
  let covered = selected.start;
  for (const child of children) {
    if (child.end <= selected.start || child.start >= selected.end) continue;
    const start = Math.max(child.start, selected.start);
    const end = Math.min(child.end, selected.end);
    if (start !== covered) return null;
    covered = end;
    if (child.type === "JSXText") {
      // JSX drops a line break beside an expression but not beside a word.
      const isCut = /\S[ \t]*[\r\n]\s*$/.test(code.slice(child.start, start));
      const isCutAfter = /^[ \t]*[\r\n]\s*\S/.test(code.slice(end, child.end));
      const visibleText = isCut || isCutAfter ? null : jsxText(code.slice(start, end));
      if (visibleText === null) return null;
      parts.push(visibleText);
      continue;
    }
    if (child.type !== "JSXExpressionContainer" || start !== child.start || end !== child.end) return null;
    const expression = child["expression"] as Expression;
    if (expression.type === "StringLiteral") {
      parts.push(String(expression["value"]));
      continue;
    }
    const valueCode = expressionValue(code, expression);
    if (valueCode === null) return null;
    parts.push({ code: valueCode });
  }
  if (covered !== selected.end) return null;
  const call: ScriptCall = { translator, quote: '"', avoided: "" };
  const text = keyTextOf(parts, project, "js");
  const isComponent = text !== null && componentFor(project, text.text, text.values) !== null;
  return {
    parts,
    span: selected,
    collapsesWhitespace: true,
    codeFor: (key, values) => componentFor(project, key, values) ?? `{${jsCall(project, call, key, values)}}`,
    extraSplices: importSplices(script, path[0], isComponent ? "component" : "call"),
  };
}

/** Returns the text as JSX renders it: references decoded, lines joined, blank lines dropped. */
function jsxText(written: string): string | null {
  const tree = parseJavaScript(`<>${written}</>`, ["jsx"]);
  const found = tree === null ? undefined : pathTo(tree, { start: 2, end: 2 + written.length }).at(-1);
  if (found?.type !== "JSXText") return null;
  const lines = String(found.raw["value"]).split(/\r\n|[\r\n]/);
  return lines
    .map((line, index) => {
      const end = index === lines.length - 1 ? line : line.replace(/[ \t]+$/, "");
      return index === 0 ? end : end.replace(/^[ \t]+/, "");
    })
    .filter((line) => line !== "")
    .join(" ");
}

/** Returns the import of what the new code uses, if the file needs one. */
function importSplices(
  { code, project, language }: SelectedScript,
  program: Node | undefined,
  kind: "component" | "call",
): readonly Splice[] {
  const style = scriptStyle(project, language).imports?.[kind];
  if (style === undefined) return [];
  const { name, module, olderModule, providers = [] } = style;
  const isImported = new RegExp(`\\bimport\\b[^;]*\\b(?:${[name, ...providers].join("|")})\\b`);
  if (isImported.test(code)) return [];
  const isOlder = olderModule !== undefined && new RegExp(`["']${olderModule}["']`).test(code);
  const line = `import { ${name} } from "${isOlder ? olderModule : module}";`;
  const last = program?.children.findLast(({ type }) => type === "ImportDeclaration");
  if (last !== undefined) return [{ start: last.end, end: last.end, text: `\n${line}` }];
  const directives = program?.raw["directives"] as readonly Span[] | undefined;
  const after = directives?.at(-1)?.end;
  if (after !== undefined) return [{ start: after, end: after, text: `\n${line}` }];
  const start = /^#!.*\n/.exec(code)?.[0].length ?? 0;
  return [{ start, end: start, text: `${line}\n` }];
}
