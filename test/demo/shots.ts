/**
 * Pictures of the running demo: opens it headless as a person would and plays the scenes of scenes.ts one after the
 * other in one window.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../host/harness/browser.ts";
import { onExit } from "../setup/cleanup.ts";
import type { BrowserVscode } from "./browser-vscode.ts";
import { closeAll } from "./hands.ts";
import { opening, scenes } from "./scenes.ts";
import type { Stage } from "./stage.ts";

/** One picture: steps with Playwright from a window without open editors to the moment of the picture. */
export interface Scene {
  /** The name of the picture's file. */
  readonly name: string;
  readonly play: (page: Page, stage: Stage) => Promise<void>;
  /** What is shown; default: the whole window. */
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Takes the pictures (`names`: only these) into a folder. Out: whether a scene could not be played. */
export async function takeShots(
  vscode: BrowserVscode,
  stage: Stage,
  folder: string,
  names: readonly string[],
): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  onExit(() => browser.close());
  const page = await (await browser.newProfile()).newPage();
  await page.goto(vscode.address);
  await page.locator(".monaco-workbench .activitybar").waitFor({ timeout: 60_000 });
  let failed = false;
  const wanted = (scene: Scene) => names.length === 0 || names.includes(scene.name);
  // The window opens by itself on the first one, which is over before the others begin.
  for (const scene of [opening, ...scenes.filter(wanted)]) {
    const path = join(folder, `${scene.name}.png`);
    try {
      await scene.play(page, stage);
      if (wanted(scene)) console.log(path);
    } catch (error) {
      failed = true;
      console.error(
        `${scene.name}: ${error instanceof Error ? error.message : String(error)}\n(${path} shows where it stood)`,
      );
    }
    if (wanted(scene))
      await page.screenshot({ path, animations: "disabled", ...(scene.clip ? { clip: scene.clip } : {}) });
    await closeAll(page);
    if (scene === opening) await widenSideBar(page);
  }
  return failed;
}

/** Rows with their numbers are to be read in the pictures. */
async function widenSideBar(page: Page): Promise<void> {
  const bar = await page.locator(".part.sidebar").boundingBox();
  if (!bar) throw new Error("There is no side bar.");
  const [edge, height] = [bar.x + bar.width, bar.y + bar.height / 2];
  await page.mouse.move(edge, height);
  await page.mouse.down();
  await page.mouse.move(edge + 110, height, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(700, height);
}
