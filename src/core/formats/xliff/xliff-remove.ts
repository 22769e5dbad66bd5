/** How units go from an XLIFF document, as splices: with their lines, and the last of a `file` with the file. */
import type { Splice } from "../format.ts";
import type { Addition } from "./xliff-add.ts";
import type { File, Unit, XliffDocument } from "./xliff-elements.ts";
import { ownLines } from "./xliff-layout.ts";

/**
 * A `file` that had only these units and gets no others goes too as long as another one stays: 2.0 has no place for
 * one without units.
 */
export function removals(
  text: string,
  { files }: XliffDocument,
  removed: ReadonlySet<Unit>,
  additions: readonly Addition[],
): readonly Splice[] {
  if (removed.size === 0) return [];
  const filled = new Set(additions.map(({ namespace }) => namespace));
  const emptied = files.filter(
    (file) =>
      file.units.length > 0 &&
      file.units.every((unit) => removed.has(unit)) &&
      !filled.has(file.namespace) &&
      holdsOnlyUnits(text, file),
  );
  const gone = new Set(emptied.length < files.length ? emptied : []);
  const spans = [...removed].flatMap((unit) =>
    gone.has(unit.file) ? [] : [ownLines(text, unit, unit.parent.tagEnd)],
  );
  for (const file of gone) spans.push(ownLines(text, file));
  return spans.map((span) => ({ ...span, text: "" }));
}

function holdsOnlyUnits(text: string, file: File): boolean {
  const { body } = file;
  let rest = "";
  let at = file.tagEnd;
  for (const unit of file.units) {
    rest += text.slice(at, unit.start);
    at = unit.end;
  }
  rest += text.slice(at, file.innerEnd);
  if (body === null || body === file) return rest.trim() === "";
  const [open, close] = [text.slice(body.start, body.tagEnd), text.slice(body.innerEnd, body.end)];
  return rest.trim().startsWith(open) && rest.trim().slice(open.length).trim() === close;
}
