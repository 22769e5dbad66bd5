/** Buttons, texts with highlighted placeholders, and key names. Texts are rendered as text nodes only. */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { escapeRegExp, isForms, type Text } from "../../model/translation-text.ts";
import { l10n } from "./l10n.ts";
import type { EditorRow } from "./editor-protocol.ts";
import { separator } from "./page-state.ts";

interface ButtonProps extends ButtonHTMLAttributes {
  label: string;
}

export function Button({ label, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {label}
    </button>
  );
}

type SelectOption = readonly [value: string, label: string];

interface SelectProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
}

export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface MarkedTextProps {
  text: string;
  /** Those of the source text. */
  placeholders: readonly string[];
  /** Those that the source text does not have. */
  wrong?: readonly string[];
}

/** Renders a text with its own direction and isolated placeholders. */
export function MarkedText({ text, placeholders, wrong = [] }: MarkedTextProps) {
  return <bdi dir="auto">{marked(text, placeholders, wrong)}</bdi>;
}

function marked(
  text: string,
  placeholders: readonly string[],
  wrong: readonly string[],
): ComponentChildren[] {
  // The longest first, since one may be the start of another.
  const longest = [...placeholders, ...wrong]
    .filter((each) => each !== "")
    .sort((a, b) => b.length - a.length);
  if (longest.length === 0) return [text];
  return text
    .split(new RegExp(`(${longest.map(escapeRegExp).join("|")})`))
    .map((part, index) =>
      index % 2 === 1 ? (
        <bdi class={wrong.includes(part) ? "placeholder wrong" : "placeholder"}>{part}</bdi>
      ) : (
        part
      ),
    );
}

/** Renders a key as written in code, with the namespace dimmed. Where lines break, they do after it at first. */
export function KeyName({ row: { namespace, key } }: { row: EditorRow }) {
  return (
    <bdi>
      {namespace !== "" && (
        <span class="quiet">
          {namespace}
          {separator.value}
          <wbr />
        </span>
      )}
      {key}
    </bdi>
  );
}

/** Renders a value, or every form with its category. */
export function TextView({ row, text }: { row: EditorRow; text: Text | null }) {
  if (text === null) return <div class="quiet">{l10n.t("untranslated")}</div>;
  const forms = isForms(text) ? Object.entries(text.forms) : [[null, text.value] as const];
  return (
    <>
      {forms.map(([category, form]) => (
        <div class="text" key={category}>
          {category !== null && <span class="category">{category}</span>}
          <MarkedText text={form} placeholders={row.placeholders} />
        </div>
      ))}
    </>
  );
}

/** Returns how often code uses a key, as its code lens does. */
export function usagesMessage({ usageCount, mayBeUsed }: EditorRow): string {
  if (mayBeUsed) return l10n.t("may be used");
  if (usageCount === 0) return l10n.t("no references");
  return usageCount === 1 ? l10n.t("used once") : l10n.t("used {0} times", usageCount ?? 0);
}
