/** A new database in a folder of its own, and its repositories of what the service has. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { SyncMetadataRepository } from "../../../src/database/sync-metadata-repository.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";

export function openRepositories() {
  const folder = mkdtempSync(join(tmpdir(), "repositories-"));
  const database = new Database(join(folder, "project.db"));
  return {
    folder,
    database,
    keys: new KeyRepository(database),
    translations: new TranslationRepository(database),
    syncMetadata: new SyncMetadataRepository(database),
    close: (): void => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
