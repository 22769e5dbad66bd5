/**
 * Detects the translation frameworks of a project from its manifests and file headers, never from function names in
 * its code. Pure: the caller finds and reads the files.
 */
import { basename } from "node:path/posix";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { ManifestFile } from "../../frameworks/framework.ts";
import {
  type FrameworkName,
  frameworksOf,
  supportedFrameworks,
} from "../../frameworks/supported-frameworks.ts";

/** The reason why a framework is considered in use. */
interface FrameworkReason {
  readonly framework: FrameworkName;
  readonly path: string;
  /** The package or header that was found. */
  readonly evidence: string;
}

export interface DetectedFrameworks {
  readonly frameworks: ReadonlySet<FrameworkName>;
  readonly reasons: readonly FrameworkReason[];
  /** Text domains of the project's plugins and themes; empty if one of them cannot be determined. */
  readonly domains: ReadonlySet<string>;
}

/** Globs of the files to pass to `detectFrameworks`, without nested braces: manifests of packages, and what frameworks add. */
export const MANIFEST_GLOBS: readonly string[] = [
  "{composer.json,package.json}",
  "{requirements*.txt,pyproject.toml,setup.py,setup.cfg,Pipfile}",
  "requirements/*.txt",
  "{backend,server,src,api,app}/{requirements*.txt,pyproject.toml,Pipfile}",
  "{apps,packages,frontend,client,web,resources,plugins,themes}/*/package.json",
  "{frontend,client,web,app,ui}/package.json",
  ...[...supportedFrameworks.values()].flatMap(({ evidence }) => evidence.globs ?? []),
];

/**
 * Returns globs of the files to pass to `detectFrameworks`: the usual ones, and the manifests above the translation files, of
 * which the project's folder may have a single one somewhere (`webapp/i18n/{locale}.json`).
 */
export function manifestGlobs(layouts: readonly { readonly path: string }[]): readonly string[] {
  const folders = layouts.flatMap(({ path }) => foldersAbove(path.split(/[{*?[(!]/u)[0] ?? ""));
  const above = [...new Set(folders)].filter((folder) => folder !== "" && !folder.startsWith("."));
  return [...MANIFEST_GLOBS, ...above.map((folder) => `${folder}/{${SHARED_MANIFESTS.join(",")}}`)];
}

/** Names of the manifests that a monorepo may have for all of its packages. */
export const SHARED_MANIFESTS: readonly string[] = ["package.json", "composer.json", "pyproject.toml"];

/** Returns the folders above a project, the nearest first, up to the workspace folder (empty); paths are relative to it. */
export function foldersAbove(project: string): readonly string[] {
  const parts = project.split("/");
  return project === "" ? [] : parts.map((_, index) => parts.slice(0, -1 - index).join("/"));
}

/**
 * A glob of the files whose changes may change what is detected, in any folder. Files with any name
 * (`*.php`) change too often, and their headers hardly ever.
 */
export const MANIFEST_WATCH_GLOB = `**/{${[...new Set(MANIFEST_GLOBS.flatMap(fileNamesOf))].join(",")}}`;

function fileNamesOf(glob: string): readonly string[] {
  const name = /(?:\{[^{}]*\}|[^/])*$/.exec(glob)?.[0] ?? "";
  return name
    .replaceAll(/[{}]/g, "")
    .split(",")
    .filter((each) => !each.startsWith("*"));
}

/** A package name in a requirements line or list: `Django==5`, `"Flask-Babel>=4"`, `django = "^5"`. */
const REQUIREMENT = /(?:^|["'[,])[ \t]*([A-Za-z][\w.-]*)(?=[ \t]*(?:$|["'\][<>=~!;@, #\r]))/gm;

/** Whether one of the frameworks uses the key itself: it belongs to one of its groups, or is a text that it shows. */
export function isFrameworkKey(name: KeyName, frameworks: ReadonlySet<FrameworkName>): boolean {
  return isInFrameworkGroup(name, frameworks) || isFrameworkText(name, frameworks);
}

/** Whether it is a text that one of the frameworks shows itself. */
function isFrameworkText({ namespace, key }: KeyName, frameworks: ReadonlySet<FrameworkName>): boolean {
  return (
    namespace === NO_NAMESPACE &&
    frameworksOf(frameworks).some(({ provided }) => provided?.texts?.has(key) === true)
  );
}

function isInFrameworkGroup(name: KeyName, frameworks: ReadonlySet<FrameworkName>): boolean {
  return frameworksOf(frameworks).some(
    ({ provided }) => provided?.groups.some((group) => provided.isInGroup(name, group)) === true,
  );
}

/**
 * Whether one of the names is a text of a framework (also in a view that was taken over from it), or belongs to its group that
 * the project does not define, so that the texts come from the framework.
 * @param local namespaces of the project's files
 */
export function isProvidedByFramework(
  candidates: readonly KeyName[],
  frameworks: ReadonlySet<FrameworkName>,
  names: Pick<KeyNameQueries, "hasNamespace" | "hasPrefix">,
  local: ReadonlySet<string>,
): boolean {
  return candidates.some((name) => {
    if (isFrameworkText(name, frameworks)) return true;
    if (!isInFrameworkGroup(name, frameworks)) return false;
    const { namespace, key } = name;
    const group = namespace === NO_NAMESPACE ? key.slice(0, key.indexOf(".")) : namespace;
    return !local.has(group) && !names.hasNamespace(group) && !names.hasPrefix(NO_NAMESPACE, `${group}.`);
  });
}

/** The name of a JSON member, also in a file that is invalid while it is being edited. */
const MEMBER = /"([@\w./-]+)"\s*:\s*"/g;

/**
 * Returns what is detected in a project: in its own manifests, or, where these name no framework, in those of the nearest
 * folder above it that do: in many monorepos the root has the dependencies of all apps.
 * @param above the manifests of each folder of `foldersAbove`
 * @param folder name of the project's folder
 */
export function detectFrameworksIn(
  own: readonly ManifestFile[],
  above: readonly (readonly ManifestFile[])[],
  folder?: string,
): DetectedFrameworks {
  const detected = detectFrameworks(own, folder);
  if (detected.frameworks.size > 0) return detected;
  const shared = above.map((files) => detectFrameworks(files)).find(({ frameworks }) => frameworks.size > 0);
  return shared ?? detected;
}

/**
 * Returns the frameworks found in the files, with their reasons.
 * @param folder name of the project's folder, which may be a plugin's slug
 */
export function detectFrameworks(files: readonly ManifestFile[], folder?: string): DetectedFrameworks {
  const reasons = files.flatMap(reasonsOf);
  const domains = files.flatMap((file) => domainsOf(file, folder));
  return {
    frameworks: new Set(reasons.map((reason) => reason.framework)),
    reasons,
    domains: new Set(domains.includes(null) ? [] : domains.flatMap((domain) => domain ?? [])),
  };
}

function domainsOf(file: ManifestFile, folder: string | undefined): readonly (string | null)[] {
  return Array.from(supportedFrameworks.values(), ({ evidence }) => evidence.domain?.(file, folder)).filter(
    (domain) => domain !== undefined,
  );
}

function reasonsOf(file: ManifestFile): readonly FrameworkReason[] {
  const { path } = file;
  const name = basename(path);
  const manager = packageManagerOf(name);
  const packages = manager === null ? [] : packagesIn(manager, file.text);
  return [...supportedFrameworks].flatMap(([framework, { evidence }]) => {
    const pattern = manager === null ? undefined : evidence[manager];
    const found = [
      evidence.file?.(file, name),
      pattern && packages.find((each) => pattern.test(each)),
    ].filter((each) => each !== undefined);
    return found.map((each) => ({ framework, path, evidence: each }));
  });
}

type PackageManager = "composer" | "npm" | "python";

/** Returns whose packages the file names; `null` if it names none. */
function packageManagerOf(name: string): PackageManager | null {
  if (name === "composer.json") return "composer";
  if (name === "package.json") return "npm";
  return /\.txt$|^(?:pyproject\.toml|setup\.py|setup\.cfg|Pipfile)$/.test(name) ? "python" : null;
}

function packagesIn(manager: PackageManager, text: string): readonly string[] {
  return manager === "python" ? requirementsOf(text) : membersOf(text);
}

function requirementsOf(text: string): readonly string[] {
  return [...text.matchAll(REQUIREMENT)].map(([, name = ""]) => name.toLowerCase().replaceAll(/[._]/g, "-"));
}

function membersOf(text: string): readonly string[] {
  return [...text.matchAll(MEMBER)].map(([, name = ""]) => name);
}
