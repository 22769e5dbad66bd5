/** When a push with few known keys is questioned, and the alternative mapping that is offered. */
import { describe, expect, test } from "vitest";
import { Project } from "../../../../src/database/project-state.ts";
import { keyHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { checkMapping, type MappingVerdict } from "../../../../src/sync/push/key-mapping-check.ts";
import type { LocalKey } from "../../../../src/sync/push/push-plan.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { type LocalProject, createLocalProject } from "../../workspace/local-files/local-project.ts";
import { COMPLETE_CURSOR } from "../../support/complete-cursor.ts";

const FILES: readonly FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];

/** Keys `key0` and so on, in the namespace `app`. */
const names = (count: number): KeyName[] =>
  Array.from({ length: count }, (_, index) => ({ namespace: "app", key: `key${index}`, context: null }));

async function check(
  local: number,
  service: readonly KeyName[],
  isComplete = true,
  files = FILES,
): Promise<MappingVerdict> {
  const texts = Object.fromEntries(names(local).map(({ key }) => [key, "Text"]));
  const fixture: LocalProject = createLocalProject({ "en/app.json": JSON.stringify(texts) }, { files });
  await fixture.local.load();
  const project = new Project("id", "label", fixture.database);
  project.keys.put(
    service.map((name) => ({
      ...name,
      hash: keyHash(name),
      isPlural: false,
      text: { value: "Text" },
      sourceHash: null,
      description: null,
      maxLength: null,
      tags: [],
      updatedAt: null,
    })),
    1,
  );
  if (isComplete) project.syncMetadata.setCursor(COMPLETE_CURSOR);
  const keys = [...fixture.local.entries("en").values()].map(({ hash, name, text, path }): LocalKey => ({
    hash,
    name,
    text,
    description: null,
    path,
  }));
  return checkMapping({ project, local: fixture.local, files }, keys);
}

const others = (count: number): KeyName[] => names(count).map((name) => ({ ...name, namespace: "other" }));

describe("verdict", () => {
  test.each<[string, number, readonly KeyName[], MappingVerdict["kind"]]>([
    ["of four keys is not doubted", 4, others(9), "fits"],
    ["of five keys, none of them known, is", 5, others(9), "suspicious"],
    ["to a project of four keys is not", 9, others(4), "fits"],
    ["to a project of five keys is", 9, others(5), "suspicious"],
    ["of which half is known is not", 8, [...names(4), ...others(9)], "fits"],
    ["of which less is known is", 9, [...names(4), ...others(9)], "suspicious"],
    ["that holds half of a small project is not", 99, [...names(4), ...others(9).slice(5)], "fits"],
    ["that holds less of it is", 99, [...names(4), ...others(9).slice(4)], "suspicious"],
  ])("%s", async (_, local, service, kind) => {
    expect((await check(local, service)).kind).toBe(kind);
  });

  test.each<[number, MappingVerdict["kind"]]>([
    [4, "fits"],
    [5, "unknown"],
  ])("of %d keys while the service's are not completely known: %s", async (local, kind) => {
    expect((await check(local, names(9), false)).kind).toBe(kind);
  });
});

describe("offered mappings", () => {
  test("match more keys, the best first", async () => {
    const bare = names(9).map((name) => ({ ...name, namespace: "*" }));
    const prefixed = bare.slice(0, 7).map((name) => ({ ...name, key: `app.${name.key}` }));
    const verdict = await check(9, [...names(1), ...bare.slice(0, 2), ...prefixed]);
    expect(verdict).toEqual({
      kind: "suspicious",
      known: 1,
      local: 9,
      alternatives: [
        {
          code: "namespace-in-key",
          known: 7,
          local: 9,
          files: [{ ...FILES[0], namespace: "*", keyPrefix: "{namespace}." }],
        },
        { code: "no-namespace", known: 2, local: 9, files: [{ ...FILES[0], namespace: "*" }] },
      ],
    });
  });

  test("are empty if no other matches more", async () => {
    const bare = names(3).map((name) => ({ ...name, namespace: "*" }));
    expect(await check(9, [...names(3), ...bare, ...others(9)])).toEqual({
      kind: "suspicious",
      known: 3,
      local: 9,
      alternatives: [],
    });
  });

  test.each<[string, FilesEntry, KeyName]>([
    ["the path's namespace", { ...(FILES[0] as FilesEntry), namespace: "x" }, names(1)[0] as KeyName],
    [
      "i18next's own namespace",
      { path: "{locale}/app.json", format: "json_js" },
      { namespace: "translation", key: "key0", context: null },
    ],
  ])("have %s", async (_, entry, name) => {
    const keys = names(9).map(({ key }) => ({ ...name, key }));
    const verdict = await check(9, keys, true, [entry]);
    expect(verdict).toMatchObject({ kind: "suspicious", known: 0, alternatives: [{ known: 9, local: 9 }] });
  });
});
