/** A translation with its placeholders marked, and the name of a key. Texts are only ever text nodes. */
import type { ComponentChildren } from "preact";
import type { Row } from "./messages.ts";
import { separator } from "./state.ts";

/** `dir="auto"` gives each text its own direction, and a placeholder does not change that of what is around it. */
export function MarkedText({
  text,
  placeholders,
}: {
  readonly text: string;
  readonly placeholders: readonly string[];
}) {
  return <bdi dir="auto">{marked(text, placeholders)}</bdi>;
}

function marked(text: string, placeholders: readonly string[]): ComponentChildren[] {
  const longest = [...placeholders].filter((each) => each !== "").sort((a, b) => b.length - a.length);
  const parts: ComponentChildren[] = [];
  let plain = 0;
  for (let at = 0; at < text.length && longest.length > 0;) {
    const found = longest.find((each) => text.startsWith(each, at));
    if (found === undefined) {
      at++;
      continue;
    }
    if (at > plain) parts.push(text.slice(plain, at));
    parts.push(<bdi class="placeholder">{found}</bdi>);
    at += found.length;
    plain = at;
  }
  return [...parts, text.slice(plain)];
}

/** As code says it, the namespace a shade lighter. */
export function KeyName({ row: { namespace, key } }: { readonly row: Row }) {
  return (
    <bdi>
      {namespace !== "" && (
        <span class="quiet">
          {namespace}
          {separator.value}
        </span>
      )}
      {key}
    </bdi>
  );
}
