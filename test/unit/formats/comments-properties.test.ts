/** Properties of comments in any file: read as written, and removed or kept with their keys. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../src/formats/editing/apply-verified-edit.ts";
import type { NewEntry, TextFormat } from "../../../src/formats/format.ts";
import { jsonJs, laravelJson } from "../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../src/formats/php/laravel-php-format.ts";
import { ENGLISH } from "./editing.ts";
import { propertyRuns } from "../support/full-run.ts";

const key = fc
  .array(fc.constantFrom("a", "b", "title", "x y", "it's", "1", "é"), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join("."));
const value = fc.constantFrom("x", "", "it's", "// no comment", "/* none */", "a\nb", 'say "x"', "# x", "\\");
const entries = fc.uniqueArray(fc.record({ key, context: fc.constant(null), text: fc.record({ value }) }), {
  selector: (entry) => entry.key,
  maxLength: 12,
});

const NOTES = ["", "above", "behind", "both", "block", "box", "old", "doc", "linter"] as const;
type Note = (typeof NOTES)[number];

interface Dressed {
  readonly file: string;
  readonly descriptions: ReadonlyMap<string, string | null>;
}

/** The printed file with comments around the keys, and what these say. */
function dress(format: TextFormat, list: readonly NewEntry[], notes: readonly Note[]): Dressed {
  let file = format.print(list, ENGLISH);
  const descriptions = new Map<string, string | null>();
  const { entries: found } = format.read(file, ENGLISH);
  for (const [index, entry] of [...found.entries()].toReversed()) {
    const note = notes[index % notes.length] ?? "";
    const word = `word of ${index} here`;
    const lineStart = file.lastIndexOf("\n", entry.keySpan.start) + 1;
    const indent = /^\s*/.exec(file.slice(lineStart, entry.keySpan.start))?.[0] ?? "";
    const comma = file[entry.valueSpan.end] === "," ? 1 : 0;
    const end = entry.valueSpan.end + comma;
    const behind = note === "behind" || note === "both" ? ` // behind ${word}` : "";
    const above = {
      above: `// above ${word}\n`,
      both: `// above ${word}\n`,
      block: `/* above ${word} */\n`,
      doc: `/**\n${indent} * above ${word}\n${indent} */\n`,
      box: `/*\n${indent}|------\n${indent}| ${word}\n${indent}|------\n${indent}*/\n`,
      old: `// 'a' => 'b',\n`,
      linter: "// eslint-disable-next-line\n",
    }[note as string];
    const before = above === undefined ? "" : indent + above;
    file = file.slice(0, lineStart) + before + file.slice(lineStart, end) + behind + file.slice(end);
    const lines = [
      ...(["above", "both", "block", "doc"].includes(note) ? [`above ${word}`] : []),
      ...(behind === "" ? [] : [`behind ${word}`]),
    ];
    descriptions.set(entry.key, lines.length === 0 ? null : lines.join("\n"));
  }
  return { file, descriptions };
}

function descriptionsIn(format: TextFormat, file: string): Map<string, string | null> {
  return new Map(format.read(file, ENGLISH).entries.map((entry) => [entry.key, entry.description]));
}

const notes = fc.array(fc.constantFrom(...NOTES), { minLength: 1, maxLength: 12 });
const formats: readonly TextFormat[] = [laravelPhp, laravelJson, jsonJs];

describe.each(formats.map((format) => [format.name, format] as const))("%s", (_, format) => {
  test("reads comments, but no values as comments", () => {
    fc.assert(
      fc.property(entries, notes, (list, chosen) => {
        const { file, descriptions } = dress(format, list, chosen);
        expect(descriptionsIn(format, file)).toEqual(descriptions);
      }),
      propertyRuns(200),
    );
  });

  test("removes a key with its own comments only", () => {
    fc.assert(
      fc.property(
        entries,
        notes,
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        (list, chosen, picks) => {
          const { file, descriptions } = dress(format, list, chosen);
          if (descriptions.size === 0) return;
          const keys = [...descriptions.keys()];
          const gone = new Set(picks.map((pick) => keys[pick % keys.length] ?? ""));
          const changes = [...gone].map((name) => ({ key: name, context: null, text: null }));
          const { text, refused } = applyEdit(format, file, changes, ENGLISH);
          for (const { key: name } of refused) gone.delete(name);
          const left = descriptionsIn(format, text);
          const expected = new Map([...descriptions].filter(([name]) => !gone.has(name)));
          expect(left).toEqual(expected);
          for (const name of gone) {
            const words = descriptions.get(name)?.split("\n") ?? [];
            for (const line of words) expect(text).not.toContain(line);
          }
          expect(text.split("|------").length).toBe(file.split("|------").length);
          expect(text.split("'a' => 'b'").length).toBe(file.split("'a' => 'b'").length);
          expect(text).not.toMatch(/\n[ \t]*\n[ \t]*\n/);
        },
      ),
      propertyRuns(300),
    );
  });

  test("adds a key without taking comments, and removes it without a trace", () => {
    fc.assert(
      fc.property(
        entries,
        notes,
        key,
        fc.constantFrom(null, "about the new"),
        (list, chosen, name, about) => {
          const { file, descriptions } = dress(format, list, chosen);
          if (descriptions.has(name)) return;
          const change = { key: name, context: null, text: { value: "new" }, description: about };
          const there = applyEdit(format, file, [change], ENGLISH);
          if (there.refused.length > 0) return;
          const after = descriptionsIn(format, there.text);
          const own = after.get(name);
          after.delete(name);
          expect(after).toEqual(descriptions);
          expect([null, about]).toContain(own);
          expect(applyEdit(format, there.text, [{ ...change, text: null }], ENGLISH).text).toBe(file);
        },
      ),
      propertyRuns(300),
    );
  });

  test("changes a value without touching comments", () => {
    fc.assert(
      fc.property(entries, notes, fc.nat(), value, (list, chosen, pick, now) => {
        const { file, descriptions } = dress(format, list, chosen);
        const all = format.read(file, ENGLISH).entries;
        const entry = all[pick % Math.max(1, all.length)];
        if (entry === undefined) return;
        const change = { key: entry.key, context: null };
        const { text } = applyEdit(format, file, [{ ...change, text: { value: now } }], ENGLISH);
        expect(text.startsWith(file.slice(0, entry.valueSpan.start))).toBe(true);
        expect(text.endsWith(file.slice(entry.valueSpan.end))).toBe(true);
        expect(descriptionsIn(format, text)).toEqual(descriptions);
        expect(applyEdit(format, text, [{ ...change, text: entry.text }], ENGLISH).text).toBe(file);
      }),
      propertyRuns(200),
    );
  });
});
