/** What the checks of the repository read: its tracked files and its manifest. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";

/** Paths of the files that git tracks or would track, with `/`, relative to the checkout. */
export function trackedFiles(): readonly string[] {
  const run = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`git is needed for the checks of the repository: ${run.stderr}`);
  return run.stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function readJson<Shape>(path: string): Shape {
  return JSON.parse(read(path)) as Shape;
}

/** The sources of a part, by path. */
export function sources(part: RegExp): ReadonlyMap<string, string> {
  const paths = trackedFiles().filter(
    (path) => path.startsWith("src/") && /\.tsx?$/u.test(path) && part.test(path),
  );
  return new Map(paths.map((path) => [path, read(path)]));
}

/** The parts of the manifest that are compared with the code. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly commands?: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
    }[];
    readonly configuration?: Configuration | readonly Configuration[];
    readonly views?: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsContainers?: Readonly<
      Record<string, readonly { readonly id: string; readonly icon: string }[]>
    >;
    readonly walkthroughs?: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly title: string;
        readonly media: { readonly svg?: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly viewsWelcome?: readonly { readonly view: string; readonly contents: string }[];
    readonly menus?: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string }[]>
    >;
    readonly jsonValidation?: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly languageModelTools?: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly modelDescription: string;
      readonly canBeReferencedInPrompt: boolean;
      readonly tags: readonly string[];
      readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
    }[];
    readonly chatPromptFiles?: readonly { readonly path: string }[];
    readonly chatInstructions?: readonly { readonly path: string }[];
  };
}

interface Configuration {
  readonly properties: Readonly<
    Record<
      string,
      {
        readonly default?: unknown;
        readonly enum?: readonly string[];
        readonly scope?: string;
        readonly markdownDescription?: string;
      }
    >
  >;
}

export function manifest(): Manifest {
  return readJson<Manifest>("package.json");
}

/** The settings of the manifest, by id. */
export function settingsOf({ contributes }: Manifest): Configuration["properties"] {
  const parts = [contributes.configuration ?? []].flat() as readonly Configuration[];
  return Object.assign({}, ...parts.map((it) => it.properties)) as Configuration["properties"];
}
