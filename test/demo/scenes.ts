/**
 * The pictures of the running product, in the order in which they are taken. Add yours at the end. The README's are
 * taken by `npm run demo -- --shots media/readme --readme`.
 */
import type { Page } from "playwright-core";
import { editorScenes } from "./editor-scenes.ts";
import {
  clickText,
  expand,
  focusView,
  hideSideBar,
  hoverText,
  isSmall,
  openContainer,
  openFile,
  pickerRows,
  revealText,
  row,
  runCommand,
  runExtensionCommand,
  startsWith,
} from "./page-actions.ts";
import { manifestText, shown } from "./shown-texts.ts";
import type { Scene } from "./shots.ts";

/** The editor's part of the window: its upper half, the panel below, and the upper half with pickers above it. */
const UPPER = { x: 463, y: 5, width: 930, height: 520 } as const;
const PANEL = { x: 463, y: 577, width: 930, height: 290 } as const;
const PICKER = { x: 380, y: 0, width: 1012, height: 520 } as const;
/** The last view of the side bar. */
const LAST_VIEW = { x: 52, y: 652, width: 402, height: 212 } as const;

/** What the demo opens on. */
export const opening: Scene = {
  name: "tour",
  async play(page) {
    await row(page, /^Nederlands/).waitFor();
    await page.locator(".squiggly-warning").first().waitFor();
    await page.locator(".view-line", { hasText: "verwijderen" }).first().waitFor();
    const tour = page.frameLocator("iframe.webview").frameLocator("#active-frame");
    await tour.getByRole("heading", { name: "Six things to try" }).waitFor();
  },
};

export const scenes: readonly Scene[] = [
  {
    name: "hover",
    step: {
      title: "See",
      text: "Point at a key: its texts, and what is not pushed yet.",
      clip: { x: 540, y: 412, width: 640, height: 196 },
    },
    async play(page) {
      await openContainer(page, "Project Translations");
      await row(page, /^Nederlands/).waitFor();
      await openFile(page, "resources/views/cart.blade.php");
      await revealText(page, "cart.free_delivery");
      // The texts behind keys move what stands after them.
      await page.locator(".view-line", { hasText: "gratis verzending" }).first().waitFor();
      await hoverText(page, "cart.free_delivery");
    },
  },
  {
    name: "languages",
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await openContainer(page, "Project Translations");
      await expand(page, /^Français/);
      await expand(page, startsWith(shown("Outdated")));
      const issues = await focusView(page, manifestText("view.issues"));
      const dutch = issues.getByRole("treeitem", { name: /^Nederlands/ }).first();
      await dutch.locator(".monaco-tl-twistie").click();
      await issues.getByRole("treeitem", { level: 2 }).first().waitFor();
    },
  },
  {
    name: "push",
    step: {
      title: "Push",
      text: "What is new and changed, before anything is sent.",
      clip: { x: 402, y: 1, width: 598, height: 196 },
    },
    async play(page) {
      await openFile(page, "lang/en/cart.php");
      await runExtensionCommand(page, "push");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "pull",
    step: {
      title: "Pull",
      text: "Only what changed is written into your files.",
      clip: { x: 402, y: 1, width: 598, height: 132 },
    },
    async play(page) {
      await openFile(page, "lang/fr/checkout.php");
      await runExtensionCommand(page, "pull");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "menu",
    async play(page) {
      await openFile(page, "resources/views/checkout.blade.php");
      await page.locator(".statusbar-item", { hasText: "Webshop" }).click();
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "edit",
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await revealText(page, "cart.free_delivery");
      await clickText(page, "cart.free_delivery");
      await runExtensionCommand(page, "editTranslation");
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "diagnosis",
    async play(page) {
      await openFile(page, "project-translations.json");
      await runExtensionCommand(page, "showDiagnosis");
      await page
        .frameLocator("iframe.webview.ready")
        .frameLocator("#active-frame")
        .getByText("Webshop")
        .first()
        .waitFor();
    },
  },
  {
    name: "completion",
    clip: UPPER,
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await revealText(page, "cart.voucher.label");
      await page.locator(".view-line", { hasText: "Kortingscode" }).first().waitFor();
      await clickText(page, "cart.voucher.label");
      await page.keyboard.press("Control+Space");
      await page.locator(".suggest-widget.visible .monaco-list-row").nth(2).waitFor();
    },
  },
  {
    name: "fixes",
    clip: UPPER,
    step: {
      title: "Fix",
      text: "A wrong placeholder in French: one click takes the suggestion.",
      clip: { x: 754, y: 302, width: 640, height: 100 },
    },
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await page.locator(".squiggly-warning").first().waitFor();
      await clickText(page, "cart.remove");
      await page.keyboard.press("Control+Period");
      await page.locator(".action-widget .monaco-list-row").nth(2).waitFor();
    },
  },
  {
    name: "code-lens",
    clip: UPPER,
    async play(page) {
      await openFile(page, "lang/en/cart.php");
      await page
        .locator(".codelens-decoration", { hasText: shown("1 reference") })
        .first()
        .waitFor();
    },
  },
  {
    name: "search",
    clip: PICKER,
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await runExtensionCommand(page, "searchKeys");
      await pickerRows(page).first().waitFor();
      await page.keyboard.type("Zwischensumme");
      await pickerRows(page).filter({ hasText: "Zwischensumme" }).first().waitFor();
      await page
        .locator(".editor-group-container")
        .getByRole("tab", { name: "cart.php", selected: true })
        .waitFor();
    },
  },
  {
    name: "usage",
    clip: LAST_VIEW,
    async play(page) {
      await openFile(page, "lang/en/cart.php");
      await runExtensionCommand(page, "findUnused");
      await expand(page, startsWith(shown("Unused ({0})").replace(/\{0\}.*/u, "")));
    },
  },
  {
    name: "rename",
    clip: PANEL,
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await revealText(page, "cart.empty");
      await page.locator(".view-line", { hasText: "leeg" }).first().waitFor();
      await clickText(page, "cart.empty");
      await page.keyboard.press("F2");
      const box = page.locator(".rename-box input");
      await box.waitFor();
      await box.fill("cart.nothing_yet");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Apply" }).first().waitFor();
      if (!isSmall(page)) await page.locator(".panel .monaco-list-row", { hasText: "leeg" }).waitFor();
    },
  },
  {
    name: "translate",
    async play(page) {
      await openContainer(page, "Project Translations");
      await focusView(page, manifestText("view.languages"));
      const french = row(page, /^Français/);
      // Folded, so that the row below has room.
      if ((await french.getAttribute("aria-expanded")) === "true") await french.click();
      await row(page, /^Polski/).hover();
      await row(page, /^Polski/)
        .getByRole("button", { name: manifestText("command.translate") })
        .click();
      const checked = shown("Translations are checked, and written only when you save them.");
      const agree = pickerRows(page).filter({ hasText: checked }).first();
      await agree.click();
      const editor = page.frameLocator("iframe.webview").frameLocator("#active-frame");
      const refused = editor.locator("[role=gridcell][data-state~=refused]");
      if (isSmall(page)) {
        await hideSideBar(page);
        // Only rows that are in view are drawn.
        await editor.getByRole("searchbox").fill("voucher.applied");
      }
      await refused.waitFor();
      await runCommand(page, "Notifications: Clear All Notifications");
      await refused.click();
      await editor
        .getByRole("region", { name: shown("Details") })
        .getByText(shown("Missing: {0}.").replace(/\{0\}.*/u, ""))
        .waitFor();
      await editor.getByRole("button", { name: shown("More") }).click();
      await editor.getByRole("button", { name: shown("Translate Missing…") }).click();
      await agree.waitFor();
    },
  },
  {
    name: "walkthrough",
    async play(page) {
      await openFile(page, "README.md");
      await page.locator(".statusbar-item", { hasText: "Webshop" }).click();
      await pickerRows(page).first().waitFor();
      await page.keyboard.type(shown("Walkthrough"));
      await pickerRows(page)
        .first()
        .filter({ hasText: shown("Walkthrough") })
        .click();
      await page.locator(".getting-started-step.expanded").waitFor();
    },
  },
  ...editorScenes,
  {
    name: "views",
    async play(page) {
      await openContainer(page, "Project Translations");
      await focusView(page, manifestText("view.activity"));
      await row(page, startsWith(shown("{0} to push"))).waitFor();
    },
  },
  {
    name: "import",
    async play(page) {
      const activity = await focusView(page, manifestText("view.activity"));
      await activity
        .getByRole("treeitem", { name: startsWith(shown("{0} local translations are not on the service")) })
        .first()
        .click();
      await pickerRows(page).first().waitFor();
    },
  },
  {
    name: "problems",
    async play(page) {
      await openFile(page, "resources/views/cart.blade.php");
      await revealText(page, "cart.remove");
      await page.locator(".squiggly-warning").first().waitFor();
      await page.keyboard.press("Control+Shift+M");
      await page.locator(".panel .markers-panel .monaco-list-row").nth(1).waitFor();
    },
  },
  {
    name: "sign-in",
    async play(page, { services: [service] }) {
      await openFile(page, "README.md");
      await runExtensionCommand(page, "signIn");
      const box = page.locator(".quick-input-widget:visible input").first();
      await box.fill(service?.baseUrl ?? "");
      await box.press("Enter");
      await page.locator(".quick-input-widget input[type=password]").fill("a token that nobody issued");
      await box.press("Enter");
      await page
        .locator(".quick-input-message .codicon-error, .quick-input-message", { hasText: "token" })
        .last()
        .waitFor();
      await page.locator(".monaco-inputbox.error").waitFor();
    },
  },
  {
    name: "notification",
    async play(page) {
      await openFile(page, "lang/fr/checkout.php");
      await runExtensionCommand(page, "pull");
      await pickerRows(page).first().waitFor();
      await page.keyboard.press("Enter");
      await page
        .locator(".notification-toast")
        .getByRole("button", { name: shown("Undo") })
        .waitFor();
    },
  },
  // The last ones: the window stays as they leave it.
  {
    name: "dark",
    clip: UPPER,
    choosesTheme: true,
    async play(page) {
      await showProblem(page, "Dark Modern", ".vs-dark");
    },
  },
  {
    name: "contrast",
    clip: UPPER,
    choosesTheme: true,
    async play(page) {
      await showProblem(page, "Dark High Contrast", ".hc-black");
    },
  },
];

/** A key with a problem, its hover and the texts behind keys, in a theme. */
async function showProblem(page: Page, theme: string, mark: string): Promise<void> {
  await openFile(page, "resources/views/cart.blade.php");
  await runCommand(page, "Preferences: Color Theme");
  await pickerRows(page).first().waitFor();
  await page.keyboard.type(theme);
  await pickerRows(page).first().filter({ hasText: theme }).click();
  await page.locator(`.monaco-workbench${mark}`).waitFor();
  await page.locator(".squiggly-warning").first().waitFor();
  await page.locator(".view-line", { hasText: "verwijderen" }).first().waitFor();
  await hoverText(page, "cart.remove");
  await page
    .locator(".monaco-hover:visible", { hasText: /Quick Fix\.\.\./u })
    .first()
    .waitFor();
}
