/** A second window of the same user on the same folder: it has the extension, but runs no tests. */
import { onPage } from "./bridge-client.ts";

/** Opens the second window. Resolves when it is shown; its extension may not be active yet. */
export function openSecondWindow(): Promise<void> {
  return onPage(async (page) => {
    const address = new URL(page.url());
    const payload = JSON.parse(address.searchParams.get("payload") ?? "[]") as [string, string][];
    const rest = payload.filter(([name]) => name !== "extensionTestsPath");
    address.searchParams.set("payload", JSON.stringify(rest));
    const other = await page.context().newPage();
    await other.goto(address.href, { waitUntil: "commit" });
    await other.locator(".statusbar-item").first().waitFor({ timeout: 60_000 });
    await page.bringToFront();
  });
}

/** Reloads all windows except the first. */
export function reloadSecondWindow(): Promise<void> {
  return onPage(async (page) => {
    for (const other of page.context().pages())
      if (other !== page) await other.reload({ waitUntil: "commit" });
    await page.bringToFront();
  });
}

/** Closes all windows except the first. */
export function closeSecondWindow(): Promise<void> {
  return onPage(async (page) => {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.bringToFront();
  });
}
