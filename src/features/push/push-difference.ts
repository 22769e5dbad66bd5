/** Both sides of the rows of a push preview. */
import { labelText } from "../../messages/escape-text.ts";
import type { PreviewRow } from "../../messages/preview-rows.ts";
import { nameOf, textOn, type PlannedKey } from "../../messages/sync/push-rows.ts";
import { l10n } from "../../util/l10n.ts";
import { textDocument, type VirtualText } from "../../vscode/ui/documents/virtual-documents.ts";
import type { Difference } from "../../vscode/ui/preview/show-preview.ts";

/** Returns both sides of a key, or of the keys of a namespace. */
export function pushDifference({ changes, label }: PreviewRow<PlannedKey>): Difference {
  const [first, ...others] = changes;
  const name = first === undefined || others.length > 0 ? label : nameOf(first).key;
  const sideOf = (side: "service" | "local"): VirtualText => {
    const texts = changes.map((key) => {
      const text = textDocument(textOn(side, key));
      return others.length === 0 || textOn(side, key) === null ? text : `# ${nameOf(key).key}\n${text}\n`;
    });
    return { name: `${name}.txt`, text: texts.join("\n") };
  };
  const title = l10n.t("{0}: service ↔ local", labelText(name));
  return { title, before: sideOf("service"), after: sideOf("local") };
}
