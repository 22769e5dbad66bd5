/** Files that are read again when other keys are plural equal files that are read for the first time. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { runCount } from "../../support/full-run.ts";
import { textsIn, createLocalProject, type LocalProject } from "./local-project.ts";

const NEXT: FilesEntry = { path: "{locale}.json", format: "json_js" };
const LARAVEL: FilesEntry = { path: "{locale}.json", format: "laravel_json" };

/** What a file says of a key: one text, forms behind a pipe, or forms in members of their own. */
const said = (key: string, { format }: FilesEntry): fc.Arbitrary<object> => {
  const members = { [`${key}_one`]: "x", [`${key}_other`]: "y" };
  return fc.constantFrom<object[]>(
    { [key]: "x" },
    { [key]: "x|y" },
    ...(format === "json_js" ? [members] : []),
  );
};
const json = (parts: readonly object[]): string => JSON.stringify(Object.assign({}, ...parts));

/** A source file, and what happens then. */
const history = fc.constantFrom(NEXT, LARAVEL).chain((entry) => {
  // It has every key: nothing is read again once it is no longer known whether a key is plural.
  const source = fc.tuple(said("a", entry), said("b", entry)).map(json);
  const some = (key: string) => fc.oneof(fc.constant({}), said(key, entry));
  const target = fc.tuple(some("a"), some("b")).map(json);
  const step = fc.oneof(
    fc.record({ file: fc.constant("en.json"), text: source }),
    fc.record({ file: fc.constantFrom("nl.json", "de.json"), text: target }),
    // What the service says is plural.
    fc.record({ kinds: fc.dictionary(fc.constantFrom("a", "b", "a_one"), fc.boolean(), { maxKeys: 2 }) }),
  );
  const steps = fc.array(step, { minLength: 2, maxLength: 6 });
  return fc.record({ entry: fc.constant(entry), text: source, steps });
});

test("yields the same entries as a fresh read, whatever plural keys were known before", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ entry, text, steps }) => {
      const layout = { files: [entry], serviceLocales: ["en", "nl", "de"] };
      const files: Record<string, string> = { "en.json": text };
      let kinds: Readonly<Record<string, boolean>> = {};
      const fixture = createLocalProject(files, layout);
      for (const each of steps) {
        if ("file" in each) fixture.files.put(each.file, (files[each.file] = each.text));
        else fixture.setKnown((kinds = { ...kinds, ...each.kinds }));
        fixture.local.invalidate();
        await fixture.local.load();
        const fresh = createLocalProject(files, layout);
        fresh.setKnown(kinds);
        await fresh.local.load();
        const texts = (of: LocalProject) => ["en", "nl", "de"].map((locale) => textsIn(of, locale));
        expect(texts(fixture)).toEqual(texts(fresh));
        fresh.database.close();
      }
      fixture.database.close();
    }),
    { numRuns: runCount(200) },
  );
});

test("a key may be plural in one namespace of a file and not in another", async () => {
  const part = (namespace: string): string =>
    `<file original="${namespace}" source-language="en" target-language="nl"><body><trans-unit id="count"><source>A</source><target>${namespace}</target></trans-unit></body></file>`;
  const xliff = `<xliff version="1.2">${part("first")}${part("second")}</xliff>`;
  const entry: FilesEntry = { path: "{locale}.xlf", format: "xliff12" };
  for (const plural of ["first", "second"]) {
    const fixture = createLocalProject({ "nl.xlf": xliff }, { files: [entry], serviceLocales: ["en", "nl"] });
    fixture.setKnown({ "first|count": plural === "first", "second|count": plural === "second" });
    await fixture.local.load();
    const texts = [...fixture.local.entries("nl").values()].map(({ name, text }) => [name.namespace, text]);
    const textOf = (name: string) => (name === plural ? { forms: { other: name } } : { value: name });
    expect(texts).toEqual([
      ["first", textOf("first")],
      ["second", textOf("second")],
    ]);
    fixture.database.close();
  }
});
