/**
 * The browser for VS Code's windows: a headless Chromium that reaches only this machine, and the URL of a window.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { ensureChromium } from "../../setup/ensure.mjs";
import type { StoredText } from "./find-leaks.ts";
import { READ_STORAGE } from "./browser-storage-script.ts";

/** Pixels of the screen. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export interface OpenBrowser {
  /** Creates an empty profile. `size`: of its windows; `zoom`: 2 shows everything twice as large. */
  newProfile(window?: { readonly size?: WindowSize; readonly zoom?: number }): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Starts the browser. @param debuggingPort the port for remote debugging; default: none */
export async function openBrowser({ debuggingPort = "" } = {}): Promise<OpenBrowser> {
  const { executablePath, env } = await ensureChromium();
  const folder = mkdtempSync(join(tmpdir(), "pt-browser-"));
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const browser = await chromium.launch({
    executablePath,
    // The sandbox cannot start as root; only this project's pages are shown.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      ...quiet,
      // Only this machine is reachable. (A Playwright request handler would also disable the HTTP cache.)
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ...(debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : []),
    ],
    env: { ...process.env, ...env, TMPDIR: folder, HOME: folder },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return {
    async newProfile({ size = { width: 1400, height: 900 }, zoom = 1 } = {}) {
      const context = await browser.newContext({
        viewport: { width: Math.round(size.width / zoom), height: Math.round(size.height / zoom) },
        deviceScaleFactor: zoom,
        // Animations make clicks and screenshots unreliable.
        reducedMotion: "reduce",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      // The server's half of the key that VS Code encrypts this profile's secrets with.
      const key = randomBytes(32).toString("base64");
      await context.addInitScript(`{
        const fetch = window.fetch;
        window.fetch = (input, init) =>
          String(input).endsWith("/mint-key")
            ? Promise.resolve(new Response(Uint8Array.from(atob("${key}"), (char) => char.charCodeAt(0))))
            : fetch(input, init);
      }`);
      return context;
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Parameters of the workbench beside the folder, such as the paths of the extension and the tests. */
export type Payload = Readonly<Record<string, string>>;

/** Returns the URL of a window. @param authority the server's `host:port` @param path a folder or a workspace file */
export function windowUrl(authority: string, path: string, payload: Payload): string {
  const entries = Object.entries({ skipWelcome: "true", skipReleaseNotes: "true", ...payload });
  const kind = path.endsWith(".code-workspace") ? "workspace" : "folder";
  const query = new URLSearchParams({ [kind]: path, payload: JSON.stringify(entries) });
  return `http://${authority}/?${query.toString()}`;
}

/** Returns the page's browser storage, including the secrets, which VS Code encrypts. */
export async function readStorage(page: Page): Promise<readonly StoredText[]> {
  const storage = await page.evaluate<Readonly<Record<string, string>>>(READ_STORAGE);
  return Object.entries(storage).map(([name, text]) => ({ name: `the browser's storage (${name})`, text }));
}

/** Removes everything that the pages of an origin have stored in the browser, except its HTTP cache. */
export async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const storageTypes = "cookies,file_systems,indexeddb,local_storage,service_workers,websql";
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await session.detach();
}
