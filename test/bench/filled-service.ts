/** The local service with the texts of the bench, which is filled once for each size. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode } from "../setup/ensure.mjs";
import { startProcess } from "../setup/managed-process.ts";

/** What the service has. `name` tells the stores apart. */
interface ServiceProject {
  readonly name: string;
  /** The source first. */
  readonly locales: readonly string[];
  readonly type: string;
}

/** Starts it on its store in the folder, which stays from one time to the next. `undo` takes what ends it. */
export async function startService(
  folder: string,
  { name, locales, type }: ServiceProject,
  undo: (() => Promise<void>)[],
): Promise<{ baseUrl: string; token: string; isNew: boolean; filled: () => void }> {
  const place = join(folder, `service-${name}`);
  const mark = join(place, "filled");
  const isNew = !existsSync(mark);
  if (isNew) rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const project = join(place, "project.json");
  const languages = locales.slice(1).map((locale) => ({ locale }));
  const limits = { perToken: 1_000_000, perAddress: 1_000_000 };
  writeFileSync(
    project,
    JSON.stringify({ type, sourceLocale: "en", languages, keyLimit: 1_000_000, limits }),
  );
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
