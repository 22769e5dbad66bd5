/** Single values of the store: secrets, the content version, what was last set. */
import type { Connection } from "./store.ts";

export type MetaName =
  | "token"
  | "readToken"
  | "cursorSecret"
  | "contentVersion"
  | "settings"
  | "base"
  | "sourceLocale"
  | "updatedEvent";

/** The value, or `undefined` when it was never set. */
export function getMeta(connection: Connection, name: MetaName): string | undefined {
  const row = connection.sql("SELECT value FROM meta WHERE name = ?").get(name);
  return row === undefined ? undefined : String(row["value"]);
}

export function setMeta(connection: Connection, name: MetaName, value: string): void {
  connection
    .sql(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(name, value);
}

/** § Stats, `contentVersion`: 0 before anything was written. */
export function contentVersion(connection: Connection): number {
  return Number(getMeta(connection, "contentVersion") ?? 0);
}

/** Something that readers can see has changed: the next version. */
export function bumpContentVersion(connection: Connection): number {
  const next = contentVersion(connection) + 1;
  setMeta(connection, "contentVersion", String(next));
  return next;
}
