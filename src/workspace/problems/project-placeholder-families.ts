/** The placeholder families of a project's texts. */
import { formatInfoOf } from "../../model/file-formats.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { delimitedFamily, type Delimiters, type PlaceholderFamily } from "../../model/placeholders.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";

/** Returns the placeholder families of a project, by its frameworks and file formats. */
export function projectPlaceholderFamilies(
  { frameworks, interpolation }: Pick<KeyResolutionOptions, "frameworks" | "interpolation">,
  files: readonly FilesEntry[],
): readonly PlaceholderFamily[] {
  const families = new Set(
    frameworksOf(frameworks).map(({ placeholders, hasOwnDelimiters }) =>
      hasOwnDelimiters === true && interpolation !== undefined
        ? delimitedFamily(interpolation)
        : placeholders,
    ),
  );
  for (const { format } of files) {
    const own = formatInfoOf(format)?.placeholders ?? null;
    if (own !== null) families.add(own);
  }
  return [...families];
}

/** Returns the delimiters that a project has chosen for placeholders, and for links to other keys. */
export function chosenDelimiters({
  frameworks,
  interpolation,
  nesting,
}: Pick<KeyResolutionOptions, "frameworks" | "interpolation" | "nesting">): readonly Delimiters[] {
  const isUsed = frameworksOf(frameworks).some(({ hasOwnDelimiters }) => hasOwnDelimiters === true);
  return isUsed ? [interpolation, nesting].filter((each) => each !== undefined) : [];
}
