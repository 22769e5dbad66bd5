/** Single values of the store: secrets, the content version, the last settings. */
import type { Connection } from "./store.ts";

type MetaName =
  | "token"
  | "readToken"
  | "cursorSecret"
  | "contentVersion"
  | "settings"
  | "base"
  | "sourceLocale"
  | "updatedEvent";

/** Returns a value; `undefined` if it was never set. */
export function getMeta(connection: Connection, name: MetaName): string | undefined {
  const row = connection.sql("SELECT value FROM meta WHERE name = ?").get(name);
  return row === undefined ? undefined : String(row["value"]);
}

/** Returns a value, which is created when it is first needed. */
export function getOrCreateMeta(connection: Connection, name: MetaName, create: () => string): string {
  const stored = getMeta(connection, name);
  if (stored !== undefined) return stored;
  const value = create();
  setMeta(connection, name, value);
  return value;
}

export function setMeta(connection: Connection, name: MetaName, value: string): void {
  connection
    .sql(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(name, value);
}

/** § Stats, `contentVersion`: 0 until something is written. */
export function contentVersion(connection: Connection): number {
  return Number(getMeta(connection, "contentVersion") ?? 0);
}

/** Increments the content version, after a change that readers can see. */
export function incrementContentVersion(connection: Connection): void {
  setMeta(connection, "contentVersion", String(contentVersion(connection) + 1));
}
