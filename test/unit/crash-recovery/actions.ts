/**
 * User actions that write several files, in addition to those of fault-injection/user-actions.ts: a pull, changes
 * of local files, a rename at the service.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../../src/api/client.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { createLocaleMap } from "../../../src/model/locales.ts";
import { planPull } from "../../../src/sync/pull/pull-plan.ts";
import { setInProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { renameAtService } from "../../../src/sync/rename-at-service.ts";
import { FIXTURE_PROJECT_FILE } from "../support/fixture-project.ts";
import { phpFile, source, translated, type Action, type Cell } from "../fault-injection/user-actions.ts";
import { writePull } from "../../../src/sync/pull/write-pull.ts";

/** A row of these matrices. `run` rejects with what the disk or the service said. */
export type Work = Pick<Action, "name" | "prepare" | "files"> & {
  readonly run: (cell: Cell) => Promise<unknown>;
  /** It is done in requests that each hold by themselves; what may be there only between them. */
  readonly inParts?: readonly string[];
  readonly meanwhile?: (cell: Cell) => Promise<unknown>;
};

const TEXTS = { title: "Titel", total: "Totaal" };

async function pull({ window, signal }: Cell): Promise<void> {
  const needs = {
    ...window,
    locationOptions: {
      file: FIXTURE_PROJECT_FILE,
      entries: FIXTURE_PROJECT_FILE.files ?? [],
      locales: new Set(["en", "nl", "fr"]),
      localeMap: createLocaleMap({}, ["en", "nl", "fr"], ["en", "nl", "fr"]),
    },
  };
  const request = { profile: "app", locales: [], missing: undefined };
  const outcome = await planPull(needs, request, { signal });
  if (outcome.kind === "unchanged") return;
  if (outcome.kind !== "planned") throw new Error(`a pull came to ${outcome.kind}`);
  const written = await writePull(needs, outcome.plan);
  if (written.kind !== "written") throw new Error("a pull found changed files");
}

async function edit(cell: Cell, key: string, locales: readonly string[], value: string): Promise<void> {
  const { window, namespace } = cell;
  const name: KeyName = { namespace, key, context: null };
  const changes = locales.map((locale) => ({ name, locale, text: { value } }));
  const { writes, refused } = await window.local.planEdit(changes);
  if (refused.length > 0) throw new Error(`refused: ${refused[0]?.reason}`);
  if (writes.length === 0) return;
  const outcome = await window.files.write(writes);
  if (outcome.kind === "changed") throw new Error("a file was changed");
  window.local.invalidate(writes.map(({ path }) => path));
}

const here = (namespace: string): Readonly<Record<string, string>> => ({
  [`lang/en/${namespace}.php`]: phpFile({ title: "Title", total: "Total" }),
  [`lang/nl/${namespace}.php`]: phpFile(TEXTS),
});

const nothing = (): Promise<void> => Promise.resolve();

/** Files of the person. */
export const FILE_WORK: readonly Work[] = [
  {
    name: "pull of several files",
    files: here,
    prepare: async (colleague: Client, namespace: string) => {
      await source(colleague, namespace);
      await translated(colleague, namespace, ["title", "total"], "Van de dienst");
      const french = ["title", "total"].map((key) => ({
        hash: keyHash({ namespace, key, context: null }),
        namespace,
        key,
        context: null,
        value: "Du service",
      }));
      await colleague.writeTranslations("fr", french, "overwrite");
    },
    run: pull,
  },
  {
    name: "edit a local text",
    files: here,
    prepare: nothing,
    run: (cell) => edit(cell, "title", ["nl"], "Nieuw"),
  },
  {
    name: "create a key",
    files: here,
    prepare: nothing,
    run: (cell) => edit(cell, "voucher", ["en", "nl", "fr"], "Voucher"),
  },
  {
    name: "edit the project file",
    files: () => ({ "project-translations.json": `{\n  // of the team\n  "files": []\n}\n` }),
    prepare: nothing,
    run: async ({ window }) => {
      const path = "project-translations.json";
      const read = await window.files.read(path);
      const before = read.kind === "read" ? read.bytes : new Uint8Array();
      const text = setInProjectFile(new TextDecoder().decode(before), ["pull", "profile"], "app");
      if (text === null) throw new Error("the project file is not understood");
      const after = new TextEncoder().encode(text);
      if (!Buffer.from(after).equals(before)) await window.files.write([{ path, before, after }]);
    },
  },
];

/** A key of the service under another name, in four requests. */
export const RENAME: Work = {
  name: "rename at the service",
  inParts: ["nl new: null"],
  prepare: async (colleague, namespace) => {
    await colleague.sync({ keys: [{ namespace, key: "old", value: "Text" }] });
    await translated(colleague, namespace, ["old"]);
  },
  run: ({ window, namespace, signal }) =>
    renameAtService(
      window,
      { namespace, key: "old", context: null },
      { namespace, key: "new", context: null },
      { signal },
    ),
};

/** The files below `app`, by path. */
export async function filesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const app = join(folder, "app");
  const all = await readdir(app, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files
    .sort()
    .map(async (path) => [path.slice(app.length + 1), await readFile(path, "utf8")] as const);
  return new Map(await Promise.all(texts));
}

/** What the service has in a namespace: keys with their texts, and each language's translations. */
export async function serviceOf(colleague: Client, namespace: string): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  for (const { key, source, description, tags } of (await colleague.keys({ namespace })).data)
    said.set(key, JSON.stringify([source, description, tags]));
  for (const locale of ["nl", "fr"]) {
    for (const { key, value } of (await colleague.translations(locale, { namespace })).data)
      said.set(`${locale} ${key}`, JSON.stringify(value));
  }
  return said;
}
