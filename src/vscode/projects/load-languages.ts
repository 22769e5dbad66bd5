/** Background loading of all languages of small projects, which takes few requests. */
import type { App } from "../app.ts";
import type { OpenProject } from "./open-project.ts";
import type { ProjectConnection } from "./project-connection.ts";

/** Keys of a project whose translations fit on one page per language. */
const PAGE_SIZE = 1_000;
const MAX_LANGUAGES = 12;

const requested = new WeakSet<ProjectConnection>();

/** Loads all languages once per connection. Never rejects; failures are logged. */
export async function loadLanguages(app: App, open: OpenProject): Promise<void> {
  const { connection } = open;
  const targets = (connection.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  if (requested.has(connection) || !connection.source.isConnected || targets.length === 0) return;
  requested.add(connection);
  if (targets.length > MAX_LANGUAGES || connection.keys.size > PAGE_SIZE) return;
  try {
    const refresher = await connection.refresher;
    for (const { locale } of targets) await refresher.ensureLocale(locale);
  } catch (error) {
    app.log.info(`Not every language could be read: ${String(error)}`);
  }
}
