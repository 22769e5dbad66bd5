/** Stores what the files and the service agree on after local translations were sent. */
import type { RequestOptions } from "../../api/client.ts";
import type { Project } from "../../database/project-state.ts";
import type { AgreedText } from "../../model/agreed-text.ts";
import { textFingerprint } from "../../model/agreed-text.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import type { Refresher } from "../refresh/refresh.ts";

interface Dependencies {
  readonly project: Project;
  readonly refresher: Refresher;
}

/**
 * Reads the language back and stores the sent texts that the service has now: it keeps existing translations, refuses
 * single ones, and an import does not name what it skipped.
 * @param sent Texts that the files have on disk; unsaved ones say nothing about the files.
 * @throws {ApiError}
 */
export async function storeAgreedTranslations(
  { project, refresher }: Dependencies,
  locale: string,
  sent: readonly LocalEntry[],
  options: RequestOptions = {},
): Promise<void> {
  const isSameSession = project.sessionGuard();
  await refresher.refresh({ priority: "person", ...options });
  await refresher.ensureLocale(locale, { priority: "person", ...options });
  if (!isSameSession()) return;
  const agreed: AgreedText[] = [];
  await forEachInSlices(sent, ({ hash, text }) => {
    const atService = project.translation(locale, hash)?.text ?? null;
    const fingerprint = textFingerprint(text);
    if (atService !== null && textFingerprint(atService) === fingerprint)
      agreed.push({ locale, hash, fingerprint });
  });
  await project.agreedTexts.store(agreed);
}
