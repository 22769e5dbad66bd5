/** Components for texts with highlighted placeholders and for key names. Texts are rendered as text nodes only. */
import { l10n } from "./l10n.ts";
import type { ComponentChildren } from "preact";
import type { Detail, Row } from "./messages-to-page.ts";
import { separator } from "./page-state.ts";

/** Renders a text with its own direction (`dir="auto"`) and isolated placeholders. */
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
  // The longest first, since one may be the start of another.
  const longest = placeholders.filter((each) => each !== "").sort((a, b) => b.length - a.length);
  if (longest.length === 0) return [text];
  const escaped = longest.map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return text
    .split(new RegExp(`(${escaped.join("|")})`))
    .map((part, index) => (index % 2 === 1 ? <bdi class="placeholder">{part}</bdi> : part));
}

/** Returns the value, or all forms joined. */
export function flatText(text: NonNullable<Detail["text"]>): string {
  return "value" in text ? text.value : Object.values(text.forms).join(" · ");
}

/** Renders a key as written in code, with the namespace dimmed. */
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

/** Renders a value, or every form with its category. */
export function TextView({ row, text }: { readonly row: Row; readonly text: Detail["text"] }) {
  if (text === null) return <div class="quiet">{l10n.t("not translated")}</div>;
  if ("value" in text)
    return (
      <div class="text">
        <MarkedText text={text.value} placeholders={row.placeholders} />
      </div>
    );
  return (
    <>
      {Object.entries(text.forms).map(([category, form]) => (
        <div class="text" key={category}>
          <span class="category">{category}</span>
          <MarkedText text={form} placeholders={row.placeholders} />
        </div>
      ))}
    </>
  );
}
