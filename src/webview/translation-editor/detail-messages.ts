/** Splitting of cell details into messages of limited length. */
import type { Detail, ToPage } from "./messages-to-page.ts";

/** Characters per message, of up to three bytes each, so that no message exceeds 200 KB. */
export const MESSAGE_LENGTH = 60_000;

/** Returns the messages with the details of a cell. */
export function detailMessages(detail: Detail): readonly Extract<ToPage, { type: "detail" }>[] {
  const json = JSON.stringify(detail);
  const count = Math.ceil(json.length / MESSAGE_LENGTH);
  return Array.from({ length: count }, (_, index) => ({
    type: "detail",
    json: json.slice(index * MESSAGE_LENGTH, (index + 1) * MESSAGE_LENGTH),
    isLast: index === count - 1,
  }));
}
