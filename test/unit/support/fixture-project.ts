/** A small Laravel app on disk with an empty project in the local service. */
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import type { LocalKey } from "../../../src/sync/push/push-plan.ts";
import { startService, type RunningService } from "../../../src/local-service/start-service.ts";
import { NO_LIMITS } from "../../service/support/local-service.ts";
import { temporaryFolder } from "./node-platform.ts";
import { openWindow, type TestWindow, type WindowOptions } from "./test-window.ts";

export const FIXTURE_PROJECT_FILE: ProjectFile = {
  files: [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
    { path: "lang/{locale}.json", format: "laravel_json" },
  ],
};

/** A hundredth of the items that one request may have: large projects are small then. */
export const FEW_ITEMS = { page: 10, diff: 100, sync: 50, write: 10 };

const FIXTURE_FILES: Record<string, string> = {
  "lang/en/cart.php": `<?php

return [
    // The heading.
    'title' => 'Your cart',
    'items' => ':count item|:count items',
    'total' => "Total: :amount",
    'voucher' => [
        'label' => 'Voucher code',
    ],
];
`,
  "lang/nl/cart.php": `<?php

return [
    'title'  => 'Je mandje', // aligned by hand
    'total'  => "Totaal: :amount",
    'extra'  => 'Alleen hier',
];
`,
  "lang/en.json": `{\n    "Save & close": "Save & close",\n    "Log out": "Log out"\n}\n`,
};

/** The project at the service, without keys. */
export const SHOP = {
  slug: "shop",
  name: "Shop",
  type: "laravel",
  sourceLocale: "en",
  languages: [
    { locale: "nl", name: "Nederlands" },
    { locale: "fr", name: "Français" },
  ],
  limits: NO_LIMITS,
};
/** The same with one language. */
export const DUTCH_SHOP = { ...SHOP, languages: SHOP.languages.slice(0, 1) };

/** How the service exports the app's files. */
export const EXPORT_PROFILES = [
  {
    key: "app",
    name: "App",
    format: "laravel_php",
    path: "lang/{locale}/{namespace}.php",
    locales: null,
    missing: "omit",
  },
];

export interface FixtureProject {
  readonly service: RunningService;
  readonly folder: string;
  /** Opens a window. Windows with the same `machine` share a database; default: each has its own. */
  open(
    window?: string,
    more?: Pick<WindowOptions, "intercept" | "clockAheadMs" | "clock" | "file" | "unsaved" | "maxItems"> &
      Partial<Pick<WindowOptions, "token">> & {
        readonly machine?: string;
      },
  ): Promise<TestWindow>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Replaces a part of a file. @throws {Error} if the file does not have it */
  edit(path: string, before: string, after: string): Promise<void>;
  modified(path: string): Promise<number>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service and writes the app's files. @param changes overrides in the service's project file */
export async function openFixtureProject(changes: Record<string, unknown> = {}): Promise<FixtureProject> {
  const { path: folder, remove } = await temporaryFolder();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, "app", path)), { recursive: true });
    await writeFile(join(folder, "app", path), text);
  };
  for (const [path, text] of Object.entries(FIXTURE_FILES)) await write(path, text);
  await writeFile(
    join(folder, "service.json"),
    JSON.stringify({ ...SHOP, exportProfiles: EXPORT_PROFILES, ...changes }),
  );
  const read = (path: string): Promise<string> => readFile(join(folder, "app", path), "utf8");
  const service = await startService({ project: join(folder, "service.json") });
  const { baseUrl, token } = service;
  const windows: TestWindow[] = [];
  return {
    service,
    folder,
    open: async (window = "one", { machine = window, ...more } = {}) => {
      const database = join(folder, machine, "project.db");
      const own = { baseUrl, token, folder, database, window };
      const opened = await openWindow({
        ...own,
        file: FIXTURE_PROJECT_FILE,
        preview: ["en", "nl"],
        ...more,
      });
      windows.push(opened);
      return opened;
    },
    read,
    write,
    edit: async (path, before, after) => {
      const text = await read(path);
      if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
      await write(path, text.replace(before, after));
    },
    modified: async (path) => (await stat(join(folder, "app", path))).mtimeMs,
    remove: (path) => rm(join(folder, "app", path)),
    close: async () => {
      for (const window of windows) window.close();
      await service.stop();
      await remove();
    },
  };
}

/** Returns the source entries as a push expects them. */
export async function sourceKeys(window: TestWindow): Promise<LocalKey[]> {
  const snapshot = await window.local.load();
  return [...snapshot.entries(snapshot.sourceLocale).values()].map((entry) => ({
    hash: entry.hash,
    name: entry.name,
    text: entry.text,
    description: entry.description,
    path: entry.path,
  }));
}
