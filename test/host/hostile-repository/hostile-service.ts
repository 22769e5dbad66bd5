/** A malicious service on a loopback port; its names, exports and redirects can be set. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileService {
  readonly origin: string;
  /** Every request, as `GET /v1/stats`, with its `Authorization`. */
  readonly asked: { readonly line: string; readonly authorization: string | undefined }[];
  /** The project's and its languages' name. */
  name: string;
  /** The next exports. */
  file: { readonly bytes: Uint8Array; readonly name: string };
  /** Where every request is sent on to; `undefined`: it is answered. */
  elsewhere: string | undefined;
  close(): Promise<void>;
}

/** Starts one. */
export async function startHostile(): Promise<HostileService> {
  const server: Server = createServer((request, response) => {
    const url = request.url ?? "";
    hostile.asked.push({ line: `${request.method} ${url}`, authorization: request.headers.authorization });
    const json = (data: unknown, more: object = {}): void =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ data, ...more }));
    if (hostile.elsewhere !== undefined) {
      response.writeHead(307, { location: hostile.elsewhere + url }).end();
    } else if (url.includes("/exports/")) {
      const { bytes, name } = hostile.file;
      response
        .writeHead(200, {
          "content-type": "application/octet-stream",
          etag: `"${bytes.length}-${hostile.asked.length}"`,
          "content-disposition": `attachment; filename="${name}"`,
        })
        .end(bytes);
    } else if (url.endsWith("/stats")) json(statsOf(hostile.name));
    else if (url.endsWith("/project"))
      json({ slug: "hostile", name: hostile.name, exportProfiles: [{ key: "all", name: hostile.name }] });
    else if (url.endsWith("/keys/diff")) json({ new: [], changed: [], restored: [], unchanged: 0 });
    else json([], { meta: { nextCursor: null, limit: 1000 } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hostile: HostileService = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    name: "Hostile",
    file: { bytes: new Uint8Array(), name: "x.json" },
    elsewhere: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return hostile;
}

function statsOf(name: string): object {
  const language = { name, totalKeys: 0, translated: 0, outdated: 0, qaErrors: 0, percent: 1e300 };
  return {
    contentVersion: 1e300,
    languages: [
      { ...language, locale: "en", isSource: true, lastTranslatedAt: null },
      { ...language, locale: "nl", isSource: false, lastTranslatedAt: "never" },
    ],
  };
}
