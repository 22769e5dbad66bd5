/** The pictures of the running product, in the order in which they are taken. Add yours at the end. */
import { hoverText, openContainer, openFile } from "./hands.ts";
import type { Scene } from "./shots.ts";

export const scenes: readonly Scene[] = [
  {
    name: "languages",
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await openContainer(page, "Project Translations");
      await page.getByRole("treeitem", { name: "nl" }).first().waitFor();
    },
  },
  {
    name: "hover",
    async play(page) {
      await openContainer(page, "Project Translations");
      await openFile(page, "resources/views/cart.blade.php");
      await hoverText(page, "cart.voucher.label");
    },
  },
];
