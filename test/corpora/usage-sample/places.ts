/**
 * The places of a project that may be uses of keys: what a crude, wide expression finds, and what the engine finds
 * beside it. The union is what samples are drawn from, so that what the engine misses can show.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  detectFrameworks,
  MANIFEST_GLOBS,
} from "../../../src/workspace/project-detection/detect-frameworks.ts";
import {
  DEFAULT_INCLUDE,
  IgnoreRules,
  exclusionReason,
} from "../../../src/workspace/usages/list-source-files.ts";
import { pathMatcher } from "../../../src/workspace/file-system/globs.ts";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import type { FindOptions, KeyUsage } from "../../../src/scanners/key-usage.ts";
import type { SampledProject } from "./projects.ts";

/** The name of a function, directive or component at a place in a file; line and column count from 1, in UTF-16. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place, what the engine says of it, and whether the wide expression finds it too. */
export interface Candidate extends Place {
  readonly uses: readonly KeyUsage[];
  readonly wide: boolean;
}

const FUNCTIONS = [
  "\\$?t[cemr]?",
  "\\$?trans\\w*(?:\\.\\w+)?",
  "\\w*[tT]ranslate\\w*",
  "\\w*[tT]ranslator\\w*(?:\\(\\))?->\\w+",
  "t[A-Z]\\w*",
  "[a-z]\\w*T",
  "_|__|_[cenx]|_[en]x|_nx?_noop",
  "esc_(?:html|attr|xml)_[_ex]",
  "@?lang|@?choice|Lang::\\w+",
  "[dnpc]*gettext\\w*",
  "i18n(?:ext)?\\w*",
  "\\w*[fF]ormatMessage",
  "defineMessages?",
  "get(?:Text|String|Label|Message)s?",
  "hasTranslation|exists|rich|markup|raw",
].join("|");
const COMPONENTS = "Trans|Translation|Formatted(?:HTML)?Message|i18n-t|I18nT|i18n|Interpolate";
const ATTRIBUTES = "i18nKey|keypath|v-t";

/** Far too wide on purpose: also in comments, strings, definitions, and functions that only sound so. */
const WIDE = new RegExp(
  [
    `(?<![\\w$@-])(?<call>${FUNCTIONS})\\s*(?:<[^<>()]{0,60}>\\s*)?(?:\\?\\.\\s*)?[(\`]`,
    `<(?<component>${COMPONENTS})(?![\\w-])`,
    `(?<![\\w-])(?<attribute>${ATTRIBUTES})(?:\\.\\w+)?=`,
  ].join("|"),
  "g",
);

/** Every candidate of the project in `folder`, by file and place. */
export function candidatesOf(folder: string, project: SampledProject): readonly Candidate[] {
  const root = join(folder, project.name, project.root);
  const options = optionsOf(root, project);
  return filesOf(root, project).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return exclusionReason(text) === null ? candidatesIn(file, text, options) : [];
  });
}

/** The frameworks are decided as the product decides them. */
export function optionsOf(root: string, { functions }: SampledProject): FindOptions {
  const manifests = MANIFEST_GLOBS.flatMap((glob) => globSync(glob, { cwd: root })).map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
  return { frameworks: detectFrameworks(manifests).frameworks, functions };
}

/** The files that the product would search, sorted. */
export function filesOf(root: string, { exclude }: SampledProject): readonly string[] {
  let rules = IgnoreRules.of(exclude);
  for (const path of globSync(".gitignore", { cwd: root })) {
    rules = rules.with({ folder: "", text: readFileSync(join(root, path), "utf8") });
  }
  const wanted = pathMatcher(DEFAULT_INCLUDE);
  return globSync("**/*.*", { cwd: root, exclude: (path) => path === "node_modules" })
    .filter((path) => wanted(path) && !rules.ignores(path))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** The candidates of one text: every wide place, and the engine's that lie at none. */
export function candidatesIn(file: string, text: string, options: FindOptions): readonly Candidate[] {
  const uses = new Map<number, KeyUsage[]>();
  for (const use of usageLanguageFor(file)?.find(text, options) ?? []) {
    const at = nameOf(text, use);
    uses.set(at, [...(uses.get(at) ?? []), use]);
  }
  const wide = new Set<number>();
  for (const found of text.matchAll(WIDE)) {
    const { call, component, attribute } = found.groups ?? {};
    if (call !== undefined) wide.add(found.index + call.length - lastWord(call).length);
    else if (component !== undefined) wide.add(found.index + 1);
    else if (attribute !== undefined) wide.add(attributeAt(text, found.index, attribute));
  }
  return [...new Set([...wide, ...uses.keys()])]
    .sort((a, b) => a - b)
    .map((at) => ({ file, ...position(text, at), uses: uses.get(at) ?? [], wide: wide.has(at) }));
}

/** Where the name stands that a use's callee ends with. */
function nameOf(text: string, { callee, callSpan, keySpan }: KeyUsage): number {
  const at = text.lastIndexOf(lastWord(callee), keySpan.start - 1);
  return at < callSpan.start ? callSpan.start : at;
}

function lastWord(name: string): string {
  return /[@$]?[\w-]+(?:::)?$/.exec(name)?.[0] ?? name;
}

/** A component's attribute belongs to its tag's name; a directive stands for itself. */
function attributeAt(text: string, at: number, attribute: string): number {
  const open = text.lastIndexOf("<", at);
  return attribute === "v-t" || open === -1 ? at : open + 1;
}

function position(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}
