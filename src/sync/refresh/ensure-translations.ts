/** Reads the translations of a language before they are used. */
import type { Project } from "../../database/project-state.ts";
import type { Refresher } from "./refresh.ts";

/**
 * Loads the translations of a language; if the request fails, a complete cache is sufficient.
 * @throws {ApiError}
 */
export async function ensureTranslations(
  {
    project,
    refresher,
  }: { readonly project: Pick<Project, "isComplete">; readonly refresher: Pick<Refresher, "ensureLocale"> },
  locale: string,
): Promise<void> {
  try {
    await refresher.ensureLocale(locale, { priority: "person" });
  } catch (error) {
    if (!project.isComplete(locale)) throw error;
  }
}
