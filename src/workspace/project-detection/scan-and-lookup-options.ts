/** The options with which a project's code is scanned, and its keys are looked up, by what was detected in its folder. */
import type { FrameworkOptions } from "../../frameworks/framework.ts";
import type { FrameworkName } from "../../frameworks/supported-frameworks.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";
import type { KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";

/** What was detected in a project. Plain data. */
export interface DetectedConventions {
  readonly frameworks: readonly FrameworkName[];
  /** As in `DetectedFrameworks`. */
  readonly domains: readonly string[];
  readonly options: FrameworkOptions;
}

/** Before anything was detected. */
export const NOTHING_DETECTED: DetectedConventions = { frameworks: [], domains: [], options: {} };

/**
 * Returns the options for scanning and lookup.
 * @param functions those of the project file
 */
export function scanAndLookupOptions(
  { frameworks: names, domains, options }: DetectedConventions,
  functions: FindOptions["functions"],
): { readonly configured: FindOptions; readonly lookup: KeyResolutionOptions } {
  const frameworks = new Set(names);
  const { nsMode, macros, ...conventions } = options;
  const configured: FindOptions = {
    frameworks,
    functions,
    ...(domains.length === 0 ? {} : { domains: new Set(domains) }),
    ...(nsMode === undefined ? {} : { nsMode }),
    ...(macros === undefined ? {} : { macros }),
    ...(conventions.interpolation === undefined ? {} : { interpolation: conventions.interpolation }),
    ...(conventions.keySeparator === undefined ? {} : { keySeparator: conventions.keySeparator }),
  };
  return { configured, lookup: { frameworks, ...conventions } };
}
