/** Deletes what a closed window indexed, so that the next one starts without it. */
import { DatabaseSync } from "node:sqlite";

const CODE = ["usages", "reference_keys", "reference_names", "key_references", "source_files"];
const TRANSLATION_FILES = ["local_entries", "local_names", "local_files"];

/** Deletes the index of the code, and with `translationFiles` that of these too. */
export function deleteIndex(
  path: string,
  { translationFiles }: { readonly translationFiles: boolean },
): void {
  const database = new DatabaseSync(path);
  for (const table of translationFiles ? [...CODE, ...TRANSLATION_FILES] : CODE)
    database.exec(`DELETE FROM ${table}`);
  database.exec("DELETE FROM state WHERE name LIKE 'usages.%'");
  database.close();
}
