/** The browser storage of VS Code's window. VS Code writes its state there some seconds after a change. */
import { onPage } from "./bridge-client.ts";
import { READ_STORAGE } from "./browser-storage-script.ts";

/** Returns whether the window's IndexedDB contains the text. */
export const isStored = (text: string): Promise<boolean> =>
  onPage(
    async (page, { script, sought }) => {
      const { databases } = await page.evaluate<{ readonly databases: string }>(script);
      return databases.includes(sought);
    },
    { script: READ_STORAGE, sought: text },
  );
