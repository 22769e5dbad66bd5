/**
 * Where the keys and texts of a project come from, and where changes of them are saved: the files alone, or a service
 * beside them. Decided once, when the session changes; everything else asks the source instead of the session.
 */
import type { Session } from "./session.ts";

/** Why nothing can be written to a service. */
export type WriteRefusal = "untrusted" | "signed-out" | "unauthorized" | "archived" | "read-only";

export interface TextSource {
  /** Whether there is a service, with which the files are compared. */
  readonly hasService: boolean;
  /** Whether keys and languages are shown: those of the service to which somebody is signed in, else those of the files. */
  readonly isKnown: boolean;
  /** Whether somebody is signed in to the service. */
  readonly isConnected: boolean;
  /** Why nothing can be written to the service; `null`: it can. */
  readonly refusal: WriteRefusal | null;
  /** Returns where a changed text of the language is saved. Source texts are saved in the files, and pushed from there. */
  savesTo(locale: string): "file" | "service";
  /** Whether a changed text of the language can be saved. */
  canWrite(locale: string): boolean;
}

/**
 * Returns the source of a project's texts.
 *
 * @param areFilesShown whether keys were derived from local files
 * @param sourceLocale returns the source language; `null` before it is known
 */
export function textSourceOf(
  session: Session,
  areFilesShown: boolean,
  sourceLocale: () => string | null,
): TextSource {
  switch (session.kind) {
    case "untrusted":
    case "signed-out":
      return new FilesSource(areFilesShown, session.kind);
    case "unknown":
      return session.isTokenStored
        ? new ServiceSource(false, "signed-out", sourceLocale)
        : new FilesSource(areFilesShown, "signed-out");
    case "refused":
      return new ServiceSource(false, session.reason, sourceLocale);
    case "signed-in":
      return new ServiceSource(true, session.canWrite ? null : "read-only", sourceLocale);
  }
}

/** The files alone: nobody is signed in. */
class FilesSource implements TextSource {
  readonly hasService = false;
  readonly isConnected = false;
  readonly isKnown: boolean;
  readonly refusal: WriteRefusal;

  constructor(isKnown: boolean, refusal: WriteRefusal) {
    this.isKnown = isKnown;
    this.refusal = refusal;
  }

  savesTo(): "file" {
    return "file";
  }

  canWrite(): boolean {
    return this.isKnown;
  }
}

/** A service, with the files of the project. */
class ServiceSource implements TextSource {
  readonly hasService = true;
  readonly isConnected: boolean;
  readonly isKnown: boolean;
  readonly refusal: WriteRefusal | null;
  readonly #sourceLocale: () => string | null;

  constructor(isConnected: boolean, refusal: WriteRefusal | null, sourceLocale: () => string | null) {
    this.isConnected = isConnected;
    this.isKnown = isConnected;
    this.refusal = refusal;
    this.#sourceLocale = sourceLocale;
  }

  savesTo(locale: string): "file" | "service" {
    return locale === this.#sourceLocale() ? "file" : "service";
  }

  canWrite(locale: string): boolean {
    return this.isKnown && (this.savesTo(locale) === "file" || this.refusal === null);
  }
}
