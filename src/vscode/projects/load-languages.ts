/** Reads the languages that nobody asked for yet, where that costs the team's rate budget next to nothing. */
import type { App } from "../app.ts";
import type { OpenProject } from "./project-handle.ts";

/** A project of so many keys has one page of rows in each language. */
const ONE_PAGE = 1_000;
const MAX_LANGUAGES = 12;

const asked = new WeakSet<OpenProject>();

/** Reads them once for each project; what cannot be read is logged. Rejects never. */
export async function readLanguages(app: App, open: OpenProject): Promise<void> {
  const { project } = open;
  const targets = (project.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  if (asked.has(open) || project.session.kind !== "signed-in" || targets.length === 0) return;
  asked.add(open);
  if (targets.length > MAX_LANGUAGES || project.keys.size > ONE_PAGE) return;
  try {
    const refresher = await open.refresher;
    for (const { locale } of targets) await refresher.ensureLocale(locale);
  } catch (error) {
    app.log.info(`Not every language could be read: ${String(error)}`);
  }
}
