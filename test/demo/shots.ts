/**
 * Pictures of the running demo: opens it headless as a person would and plays the scenes of scenes.ts one after the
 * other in one window.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, type WindowSize } from "../host/harness/browser.ts";
import { onExit } from "../setup/cleanup.ts";
import type { BrowserVscode } from "./browser-vscode.ts";
import { closeAll, isSmall, parkMouse } from "./page-actions.ts";
import { opening, scenes } from "./scenes.ts";
import type { DemoSetup } from "./demo-setup.ts";

/** One picture: steps with Playwright from a window without open editors to the moment of the picture. */
export interface Scene {
  /** The name of the picture's file. */
  readonly name: string;
  readonly play: (page: Page, setup: DemoSetup) => Promise<void>;
  /** What is shown of a window of the usual size; default, and in others: the whole window. */
  readonly clip?: Clip;
  /** Whether it chooses the colour theme, which stays. */
  readonly choosesTheme?: true;
  /** Its row in the picture `steps`. */
  readonly step?: { readonly title: string; readonly text: string; readonly clip: Clip };
}

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The picture of the main job: a row for each scene with a step. */
export const STEPS = "steps";

/** Which pictures are taken, and how large. */
export interface ShotOptions {
  /** Only these scenes; all if there is none. */
  readonly names: readonly string[];
  readonly size: WindowSize;
  readonly zoom: number;
  /** Scenes that choose a theme themselves are left out then. */
  readonly isThemeChosen: boolean;
}

/** The window that the parts of the README's pictures are measured in. */
const MEASURED = { width: 1400, height: 900 };

/** Takes the pictures into a folder. Returns whether a scene could not be played. */
export async function takeShots(
  vscode: BrowserVscode,
  setup: DemoSetup,
  folder: string,
  { names, size, zoom, isThemeChosen }: ShotOptions,
): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  onExit(() => browser.close());
  const profile = await browser.newProfile({ size, zoom });
  const page = await profile.newPage();
  await page.goto(vscode.address);
  await page.locator(".monaco-workbench .activitybar").waitFor({ timeout: 60_000 });
  let failed = false;
  const wanted = ({ name }: Pick<Scene, "name">) => names.length === 0 || names.includes(name);
  const isMeasured = size.width === MEASURED.width && size.height === MEASURED.height && zoom === 1;
  const partOf = ({ clip }: Scene) => (isMeasured && clip !== undefined ? { clip } : {});
  const isPlayable = ({ choosesTheme }: Scene) => !(isThemeChosen && choosesTheme === true);
  const inSteps = ({ step }: Scene) => step !== undefined && wanted({ name: STEPS });
  const rows: StepRow[] = [];
  // The window opens by itself on the first one, which is over before the others begin.
  for (const scene of [opening, ...scenes.filter((it) => isPlayable(it) && (wanted(it) || inSteps(it)))]) {
    const path = join(folder, `${scene.name}.png`);
    await parkMouse(page);
    try {
      await scene.play(page, setup);
      if (wanted(scene)) console.log(path);
    } catch (error) {
      failed = true;
      console.error(
        `${scene.name}: ${error instanceof Error ? error.message : String(error)}\n(${path} shows where it stood)`,
      );
    }
    if (wanted(scene)) await page.screenshot({ path, animations: "disabled", ...partOf(scene) });
    if (scene.step && inSteps(scene) && isMeasured) {
      const { clip, ...words } = scene.step;
      rows.push({ ...words, picture: await page.screenshot({ animations: "disabled", clip }) });
    }
    await closeAll(page);
    if (scene === opening && !isSmall(page)) await widenSideBar(page);
  }
  if (rows.length > 0) {
    const path = join(folder, `${STEPS}.png`);
    const order = ["See", "Fix", "Push", "Pull"];
    const sorted = rows.toSorted((one, other) => order.indexOf(one.title) - order.indexOf(other.title));
    await drawSteps(await profile.newPage(), sorted, path);
    console.log(path);
  }
  return failed;
}

interface StepRow {
  readonly title: string;
  readonly text: string;
  readonly picture: Buffer;
}

/** One picture with a row for each step: its words, and what is to be seen. */
async function drawSteps(page: Page, rows: readonly StepRow[], path: string): Promise<void> {
  const html = rows.map(
    ({ title, text, picture }, at) =>
      `<section><div><b>${at + 1}</b><h2>${title}</h2><p>${text}</p></div>` +
      `<img src="data:image/png;base64,${picture.toString("base64")}"></section>`,
  );
  await page.setContent(`<!doctype html><style>
    body { margin: 0; width: 900px; font: 15px/1.45 sans-serif; color: #1f1f1f; background: #f3f6fa; }
    section { display: flex; align-items: center; gap: 20px; padding: 8px 20px; }
    section + section { border-top: 1px solid #d8dee6; }
    div { width: 200px; flex: none; }
    b { display: inline-block; width: 26px; line-height: 26px; border-radius: 13px; text-align: center;
      color: white; background: #005fb8; }
    h2 { display: inline; margin: 0 0 0 8px; font-size: 20px; vertical-align: middle; }
    p { margin: 8px 0 0; }
    img { border-radius: 6px; box-shadow: 0 1px 6px #0003; }
  </style>${html.join("")}`);
  await page.locator("body").screenshot({ path });
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
  await parkMouse(page);
}
