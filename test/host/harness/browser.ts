/**
 * The browser half of VS Code: a headless Chromium that talks to nobody but this machine, and the address that opens
 * a folder in it.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { ensureChromium } from "../../setup/ensure.mjs";
import type { Trace } from "./secrets.ts";
import { READ_STORAGE } from "./read-storage.ts";

export interface OpenBrowser {
  /** A new profile, with nothing stored. */
  newProfile(): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Starts the browser. `debuggingPort`: others may look into it there. */
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
    // As root the sandbox cannot start; the only pages shown are this project's own.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      ...quiet,
      // Nothing but this machine is reached. A request handler of Playwright's would also switch off the HTTP cache.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ...(debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : []),
    ],
    env: { ...process.env, ...env, TMPDIR: folder, HOME: folder },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return {
    async newProfile() {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        // What is half faded in cannot be clicked well, nor shown in a picture.
        reducedMotion: "reduce",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      // The server's part of the key that VS Code encrypts this profile's secrets with.
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

/** What the workbench is told beside the folder: extension paths, the extension's and the tests' place, ... */
export type Payload = Readonly<Record<string, string>>;

/** The address of a window. `authority` is the server's `host:port`. */
export function windowAddress(authority: string, folder: string, payload: Payload): string {
  const entries = Object.entries({ skipWelcome: "true", skipReleaseNotes: "true", ...payload });
  const query = new URLSearchParams({ folder, payload: JSON.stringify(entries) });
  return `http://${authority}/?${query.toString()}`;
}

/** What the page keeps in the browser, secrets as well: VS Code has encrypted those. */
export async function storageOf(page: Page): Promise<readonly Trace[]> {
  const kept = await page.evaluate<Readonly<Record<string, string>>>(READ_STORAGE);
  return Object.entries(kept).map(([name, text]) => ({ name: `the browser's storage (${name})`, text }));
}

/** Removes everything that the pages of an origin have stored in the browser; its HTTP cache stays. */
export async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const storageTypes = "cookies,file_systems,indexeddb,local_storage,service_workers,websql";
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await session.detach();
}
