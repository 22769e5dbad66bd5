/**
 * `npm run demo`: the packaged extension in a real VS Code on a sample app, signed in to a local service with a demo
 * project. Everything lies in `.cache/demo` and is laid anew at each start.
 *
 * `npm run demo -- [--desktop] [--two] [--shots DIR [--readme] [--scene NAME...]] [--theme NAME] [--language nl]`
 * - `--desktop`: in an installed `code` with a profile of its own (also on macOS and Windows without asking);
 * - `--two`: with a second app (i18next, React) that has its own, still empty project on a service of its own;
 * - `--shots DIR`: headless; leaves a picture of each scene of scenes.ts, or of those that are named, and ends;
 * - `--readme`: the pictures that the README and docs show;
 * - `--theme NAME`: `light`, `dark`, `contrast` or `contrast-light`; `--language nl`: in Dutch;
 * - `--size 1000x800`, `--zoom 200`: pixels of the pictures, and how large everything is in them, in percent.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { exitOnSetupError, root } from "../setup/ensure.mjs";
import { exit, onExit } from "../setup/cleanup.ts";
import { startBrowserVscode } from "./browser-vscode.ts";
import { startDesktopVscode } from "./desktop-vscode.ts";
import { takeShots } from "./shots.ts";
import { setShownLanguage } from "./shown-texts.ts";
import { setUpDemo, tourSteps } from "./demo-setup.ts";

const { values: options } = parseArgs({
  options: {
    desktop: { type: "boolean", default: process.platform !== "linux" },
    two: { type: "boolean", default: false },
    shots: { type: "string" },
    readme: { type: "boolean", default: false },
    scene: { type: "string", multiple: true, default: [] },
    theme: { type: "string" },
    language: { type: "string", default: "en" },
    size: { type: "string", default: "1400x900" },
    zoom: { type: "string", default: "100" },
  },
});

const THEMES: Readonly<Record<string, string>> = {
  light: "Light Modern",
  dark: "Dark Modern",
  contrast: "Default High Contrast",
  "contrast-light": "Default High Contrast Light",
};
const theme = options.theme === undefined ? undefined : THEMES[options.theme];
const language = options.language === "nl" ? "nl" : "en";
const [width = 0, height = 0] = options.size.split("x").map(Number);
const zoom = Number(options.zoom) / 100;

await exitOnSetupError(async () => {
  const setup = await setUpDemo({ two: options.two });
  if (options.desktop) {
    const code = await startDesktopVscode(setup);
    onExit(() => code.stop());
    console.log(
      "\n  VS Code is open on the sample app. Close its window, or press Ctrl+C here, to end the demo.",
    );
    sayWhatToTry();
    await code.ended;
    await exit(0);
  }
  setShownLanguage(language);
  const vscode = await startBrowserVscode(setup, { language, theme });
  onExit(() => vscode.process.stop());
  if (options.shots === undefined) {
    console.log(`\n  Project Translations runs at\n\n    ${vscode.address}\n`);
    sayWhatToTry();
    console.log(`  The service is at ${setup.services.map((it) => it.baseUrl).join(" and ")}.`);
    console.log("  Ctrl+C ends the demo.");
    console.log(`  The sample app lies in ${setup.folder}.`);
    await vscode.process.ended;
    await exit(1);
  } else {
    const failed = await takeShots(vscode, setup, resolve(options.shots), {
      names: [...options.scene, ...(options.readme ? shownPictures() : [])],
      size: { width, height },
      zoom,
      isThemeChosen: theme !== undefined,
    });
    await exit(failed ? 1 : 0);
  }
});

/** The names of the pictures in the README and in docs. */
function shownPictures(): readonly string[] {
  const docs = globSync("docs/*.md", { cwd: root });
  const pages = ["README.md", ...docs].map((path) => readFileSync(join(root, path), "utf8"));
  return pages.flatMap((text) =>
    [...text.matchAll(/media\/readme\/([\w-]+)\.png/gu)].map(([, name = ""]) => name),
  );
}

function sayWhatToTry(): void {
  console.log("  What to try; the tour beside the code says more:\n");
  tourSteps().forEach((step, at) => console.log(`    ${at + 1}. ${step.replaceAll("`", "")}`));
  console.log("");
}
