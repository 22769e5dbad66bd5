/** References to other keys inside texts (`$t(key)`, `@:key`), by the syntax of the project's frameworks. */
import type { LinkSyntax, TextLink } from "../../frameworks/framework.ts";
import { frameworksOf, supportedFrameworks } from "../../frameworks/supported-frameworks.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import {
  findNamedKey,
  type KeyReference,
  type KeyResolutionOptions,
  type KnownKey,
} from "./resolve-usage-to-key.ts";

/** A link, and the syntax that it is written in. */
export interface FoundLink extends TextLink {
  readonly syntax: LinkSyntax;
}

/** Returns the links in a text, in the syntax of each framework that has links; of all if none is known. */
export function linksIn(text: string, options: KeyResolutionOptions): readonly FoundLink[] {
  return linkSyntaxes(options).flatMap((syntax) =>
    text.includes(syntax.marker(options))
      ? syntax.find(text, options).map((link) => ({ ...link, syntax }))
      : [],
  );
}

/** Returns strings of which every text with links has at least one. */
export function linkMarkers(options: KeyResolutionOptions): readonly string[] {
  return linkSyntaxes(options).map(({ marker }) => marker(options));
}

function linkSyntaxes({ frameworks }: KeyResolutionOptions): readonly LinkSyntax[] {
  const used = frameworks.size === 0 ? [...supportedFrameworks.values()] : frameworksOf(frameworks);
  return used.flatMap(({ links }) => links ?? []);
}

/** Returns the link as a usage of its key, in the namespace of the text or in any that calls without one use. */
function usagesOf({ key, usage }: TextLink, owner: KeyName): readonly KeyReference[] {
  const reference: KeyReference = {
    ...usage,
    expression: { kind: "static", key },
    keyPrefix: "",
    namespaces: null,
  };
  return [{ ...reference, namespaces: [owner.namespace] }, reference];
}

/**
 * Returns the key that the link in a text refers to; `undefined` if there is none.
 * @param owner the key of the text
 */
export function resolveLink(
  link: TextLink,
  owner: KeyName,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): (KnownKey & { readonly usage: KeyReference }) | undefined {
  for (const usage of usagesOf(link, owner)) {
    const found = findNamedKey(usage, names, options);
    if (found !== undefined) return { ...found, usage };
  }
  return undefined;
}
