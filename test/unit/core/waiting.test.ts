/** What waits to be pushed and pulled, counted from columns, against a count of texts one by one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyMap } from "../../../src/core/key-map.ts";
import { Project } from "../../../src/core/project.ts";
import { RowMap } from "../../../src/core/row-map.ts";
import { isEmptyText, sameText, type Text } from "../../../src/core/text.ts";
import { countToPull, countToPush } from "../../../src/core/waiting.ts";
import { yieldNow } from "../support/node-ports.ts";
import { hashOf, nameOf, worldOf } from "./local-world.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const words = fc.constantFrom("", "one", "two", "three");
const texts = fc.dictionary(fc.constantFrom(...NAMES), words, { noNullPrototype: true });
const rows = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.record({ words: fc.option(words, { nil: null }), isTranslated: fc.boolean() }),
  { noNullPrototype: true },
);
const textOf = (value: string | null): Text | null => (value === null ? null : { value });
const idOf = (name: string): string => hashOf(nameOf(name));

test("texts that the other side lacks or has otherwise are counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      texts,
      rows,
      texts,
      fc.boolean(),
      async (source, target, there, keys, isFolded) => {
        const world = worldOf(
          { "en.json": JSON.stringify(source), "nl.json": JSON.stringify(target) },
          { files: [{ path: "{locale}.json", format: "json_js" }], serviceLocales: ["en", "nl"] },
        );
        const local = await world.local.load();
        const project = new Project("id", "label");
        const known = KeyMap.of(
          Object.entries(keys).map(([key, value]) => ({
            ...{ hash: idOf(key), namespace: "*", key, context: null, isPlural: false, text: { value } },
            ...{ sourceHash: null, description: null, maxLength: null, tags: [], updatedAt: null },
          })),
        );
        const translated = RowMap.of(
          Object.entries(there).map(([key, row]) => ({
            ...{
              hash: idOf(key),
              text: textOf(row.words),
              isTranslated: row.isTranslated,
              isOutdated: false,
            },
            ...{ issues: [], version: null, updatedAt: null },
          })),
        );
        expect(await countToPush(project, local, yieldNow)).toBeNull();
        expect(await countToPull(project, local, yieldNow)).toBeNull();
        project.setKeys(isFolded ? await known.folded(yieldNow, 0, 0) : known, true);
        project.setRows("nl", {
          rows: isFolded ? await translated.folded(yieldNow, 0, 0) : translated,
          complete: true,
        });

        const said = Object.entries(source).filter(([, value]) => !isEmptyText({ value }));
        expect(await countToPush(project, local, yieldNow)).toEqual({
          new: said.filter(([key]) => keys[key] === undefined).length,
          changed: said.filter(([key, value]) => keys[key] !== undefined && keys[key] !== value).length,
          restored: 0,
        });
        const toPull = Object.entries(there).filter(([key, row]) => {
          const text = textOf(row.words);
          if (!row.isTranslated || text === null || source[key] === undefined) return false;
          const here = textOf(target[key] ?? null);
          return here === null || !sameText(here, text);
        });
        expect(await countToPull(project, local, yieldNow)).toBe(toPull.length);
      },
    ),
  );
});
