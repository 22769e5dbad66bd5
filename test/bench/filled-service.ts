/** The local service with the texts of the bench, which is filled once for each size. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode } from "../setup/ensure.mjs";
import { startProcess } from "../setup/managed-process.ts";
import { LOCALES, type VueSize } from "./vue-workspace.ts";

/** Starts it on its store in the folder, which stays from one time to the next. `undo` takes what ends it. */
export async function startService(
  folder: string,
  { keys }: VueSize,
  undo: (() => Promise<void>)[],
): Promise<{ baseUrl: string; token: string; isNew: boolean; filled: () => void }> {
  const place = join(folder, `service-${keys}`);
  const mark = join(place, "filled");
  const isNew = !existsSync(mark);
  if (isNew) rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const project = join(place, "project.json");
  const languages = LOCALES.slice(1).map((locale) => ({ locale }));
  const limits = { perToken: 1_000_000, perAddress: 1_000_000 };
  writeFileSync(project, JSON.stringify({ sourceLocale: "en", languages, keyLimit: 1_000_000, limits }));
  const program = join(import.meta.dirname, "../../dist/service.mjs");
  const running = startProcess(projectNode, [
    program,
    "--data",
    join(place, "service.db"),
    "--project",
    project,
  ]);
  undo.push(() => running.stop());
  const [line] = await running.line(/^\{.*\}$/, 60);
  const { baseUrl, token } = JSON.parse(line) as { baseUrl: string; token: string };
  return { baseUrl, token, isNew, filled: () => writeFileSync(mark, "") };
}
