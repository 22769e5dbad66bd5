/**
 * The one entry point to `getConfiguration`: every setting of the manifest, typed, read once and again when it changes; and what
 * is asked of VS Code's own.
 */
import {
  ConfigurationTarget,
  EventEmitter,
  Uri,
  workspace,
  type Disposable,
  type Event,
  type TextDocument,
} from "vscode";

/** A diagnostic's severity, or none of its kind. */
export type Severity = "off" | "hint" | "information" | "warning" | "error";

/** Values as they hold for a folder. */
export interface SettingValues {
  readonly baseUrl: string;
  readonly "hover.enabled": boolean;
  readonly "inlayHints.enabled": boolean;
  /** Characters. */
  readonly "inlayHints.maxLength": number;
  readonly "completion.enabled": boolean;
  readonly "codeLens.enabled": boolean;
  readonly "diagnostics.unknownKey": Severity;
  readonly "diagnostics.missingTranslation": Severity;
  readonly "diagnostics.qaIssues": Severity;
  readonly language: "auto" | "en" | "nl";
  /** Seconds; 0 is off. */
  readonly refreshInterval: number;
}

/** A setting that is on or off. */
export type Switch = {
  [Name in keyof SettingValues]: SettingValues[Name] extends boolean ? Name : never;
}[keyof SettingValues];

/** The manifest's own defaults stand in package.json; these hold where a person wrote something else than is allowed. */
const FALLBACK: SettingValues = {
  baseUrl: "",
  "hover.enabled": true,
  "inlayHints.enabled": true,
  "inlayHints.maxLength": 60,
  "completion.enabled": true,
  "codeLens.enabled": true,
  "diagnostics.unknownKey": "hint",
  "diagnostics.missingTranslation": "off",
  "diagnostics.qaIssues": "warning",
  language: "auto",
  refreshInterval: 300,
};

const WORDS: { readonly [Name in keyof SettingValues]?: readonly string[] } = {
  "diagnostics.unknownKey": ["off", "hint", "information", "warning", "error"],
  "diagnostics.missingTranslation": ["off", "hint", "information", "warning", "error"],
  "diagnostics.qaIssues": ["off", "hint", "information", "warning", "error"],
  language: ["auto", "en", "nl"],
};

/** The shortest interval between refreshes: the budget is the whole team's. */
const SHORTEST_INTERVAL = 30;

export class Settings implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #read = new Map<string, SettingValues>();
  readonly #watch: Disposable;

  /** Any of the settings changed somewhere. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor() {
    this.#watch = workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("projectTranslations")) return;
      this.#read.clear();
      this.#changed.fire();
    });
  }

  /**
   * The settings that hold for a document (with those of its language), a file or a folder; without one those of the
   * window.
   */
  of(scope?: Uri | TextDocument): SettingValues {
    const name = nameOf(scope);
    let values = this.#read.get(name);
    if (values === undefined) {
      values = read(scope);
      this.#read.set(name, values);
    }
    return values;
  }

  /** Turns a switch over, where it is set: for the folder, the workspace, or else the user. */
  async toggle(name: Switch, scope: Uri): Promise<void> {
    const configuration = workspace.getConfiguration("projectTranslations", scope);
    const set = configuration.inspect<boolean>(name);
    const target =
      set?.workspaceFolderValue !== undefined
        ? ConfigurationTarget.WorkspaceFolder
        : set?.workspaceValue !== undefined
          ? ConfigurationTarget.Workspace
          : ConfigurationTarget.Global;
    await configuration.update(name, !this.of(scope)[name], target);
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
  }
}

/** Whether VS Code shows and saves any file there as UTF-8, whatever language it will have. */
export function isAlwaysUtf8(scope: Uri): boolean {
  const files = workspace.getConfiguration("files", scope);
  // Which language the file will have, nobody knows yet.
  const isOwn = (name: string): boolean => (files.inspect(name)?.languageIds ?? []).length > 0;
  return (
    files.get("encoding") === "utf8" &&
    files.get("autoGuessEncoding") === false &&
    !isOwn("encoding") &&
    !isOwn("autoGuessEncoding")
  );
}

/** Globs of `files.exclude`, relative to the folder; those that depend on other files are left out. */
export function excludedFiles(folder: Uri): readonly string[] {
  const globs = workspace.getConfiguration("files", folder).get<Readonly<Record<string, unknown>>>("exclude");
  return Object.entries(globs ?? {})
    .filter(([, isExcluded]) => isExcluded === true)
    .map(([glob]) => (glob.startsWith("**/") || glob.startsWith("/") ? glob : `/${glob}`));
}

function nameOf(scope: Uri | TextDocument | undefined): string {
  if (scope === undefined || scope instanceof Uri) return scope?.toString() ?? "";
  return `${scope.languageId} ${scope.uri.toString()}`;
}

/** Whether somebody set it anywhere. */
function isSet(configuration: ReturnType<typeof workspace.getConfiguration>, name: string): boolean {
  const {
    key: _,
    defaultValue: _default,
    languageIds: _languages,
    ...set
  } = configuration.inspect(name) ?? {};
  return Object.values(set).some((value) => value !== undefined);
}

function read(scope: Uri | TextDocument | undefined): SettingValues {
  const configuration = workspace.getConfiguration("projectTranslations", scope ?? null);
  const values: Record<string, unknown> = {};
  for (const [name, fallback] of Object.entries(FALLBACK)) {
    const value: unknown = configuration.get(name);
    const message = WORDS[name as keyof SettingValues];
    // It is told only once every key is known, and is no hint then unless somebody wants one.
    if (name === "diagnostics.unknownKey" && !isSet(configuration, name)) {
      values[name] = "warning";
      continue;
    }
    const fits =
      typeof value === typeof fallback && (message === undefined || message.includes(String(value)));
    values[name] = fits ? value : fallback;
  }
  const settings = values as unknown as SettingValues;
  const { refreshInterval } = settings;
  return {
    ...settings,
    refreshInterval: refreshInterval <= 0 ? 0 : Math.max(SHORTEST_INTERVAL, refreshInterval),
  };
}
