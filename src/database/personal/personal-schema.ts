/**
 * The tables of a folder's personal database: what a person made and what was agreed, which can be neither fetched nor
 * read again. It is migrated and never emptied: signing out, another token, or a new cache leave it as it is. A released
 * migration is never changed: new ones are appended. No table ever contains a token.
 *
 * `project` is that of `PersonalData`: a project of the service, or empty for the local files without a sign-in.
 */
import type { DatabaseSchema } from "../schema-migrations.ts";

/**
 * Unsaved texts of a person or a machine. `base` and `base_version` are the translation that the draft is based on.
 * `source`: the source text of a machine translation, to detect a change of it before the draft is saved.
 * `rejected_translations`: machine translations that the validation rejected. `unsaved_input`: texts of input boxes that
 * could not be saved. `state`: JSON values by `PersonalStateName`.
 */
const FIRST = `
  CREATE TABLE drafts (
    project TEXT NOT NULL,
    locale TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    base TEXT,
    base_version INTEGER,
    origin TEXT NOT NULL,
    model TEXT,
    source TEXT,
    PRIMARY KEY (project, locale, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE rejected_translations (
    project TEXT NOT NULL,
    locale TEXT NOT NULL,
    hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    version INTEGER,
    PRIMARY KEY (project, locale, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE unsaved_input (
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (project, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE state (
    project TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (project, name)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Projects of the service that the folder was connected to. `base`: hash of the base URL; `id`: the project's id there;
 * `key_hashes`: some of its keys, as JSON.
 */
const PROJECTS = `
  CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    base TEXT NOT NULL,
    id TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    key_hashes TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID;
`;

/** The texts that the files and the service last agreed on. `fingerprint`: that of `textFingerprint`. */
const AGREED_TEXTS = `
  CREATE TABLE agreed_texts (
    project TEXT NOT NULL,
    locale TEXT NOT NULL,
    hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (project, locale, hash)
  ) STRICT, WITHOUT ROWID;
`;

export const PERSONAL_SCHEMA: DatabaseSchema = {
  migrations: [FIRST, PROJECTS, AGREED_TEXTS],
  firstVersion: 1,
  synchronous: "FULL",
  checkpointPages: 1_000,
  counted: { drafts: ["drafts"], rejected_translations: ["drafts"] },
  keptRows: ["drafts", "rejected_translations", "unsaved_input", "state", "projects", "agreed_texts"],
};
