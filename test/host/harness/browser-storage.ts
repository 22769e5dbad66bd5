/** What the browser of the window keeps for the next one. Editors and the like are put there some seconds later. */
import { onPage } from "./outside.ts";
import { READ_STORAGE } from "./read-storage.ts";

/** Whether a window in a browser still keeps the text for the next one: it puts things down a moment after they changed. */
export const isStored = (text: string): Promise<boolean> =>
  onPage(
    async (page, { script, sought }) => {
      const { databases } = await page.evaluate<{ readonly databases: string }>(script);
      return databases.includes(sought);
    },
    { script: READ_STORAGE, sought: text },
  );
