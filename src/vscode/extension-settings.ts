/**
 * The only module that calls `getConfiguration`: every setting of the manifest, typed and cached until it changes, and
 * the VS Code settings that the extension uses.
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
import * as v from "valibot";
import { getOrCreate } from "../util/maps.ts";

const SeveritySchema = v.picklist(["off", "hint", "information", "warning", "error"]);

/** The severity of a kind of diagnostic; `off`: not reported. */
export type Severity = v.InferOutput<typeof SeveritySchema>;

/** The rate limit is shared by the whole team. */
const MIN_REFRESH_INTERVAL_SECONDS = 30;
/** As in package.json. Timers of more than 24.8 days fire at once. */
const MAX_REFRESH_INTERVAL_SECONDS = 86_400;
/** Characters; as in package.json. */
const HINT_LENGTHS = { min: 5, max: 500 } as const;

/** The settings, each with the value that is used in place of an invalid one. The defaults are in package.json. */
const SettingsSchema = v.object({
  baseUrl: v.fallback(v.string(), ""),
  "hover.enabled": v.fallback(v.boolean(), true),
  "inlayHints.enabled": v.fallback(v.boolean(), true),
  /** Characters. */
  "inlayHints.maxLength": v.pipe(v.fallback(v.number(), 60), v.transform(allowedHintLength)),
  "completion.enabled": v.fallback(v.boolean(), true),
  "codeLens.enabled": v.fallback(v.boolean(), true),
  "diagnostics.unknownKey": v.fallback(SeveritySchema, "warning"),
  "diagnostics.missingTranslation": v.fallback(SeveritySchema, "off"),
  "diagnostics.qaIssues": v.fallback(SeveritySchema, "warning"),
  language: v.fallback(v.picklist(["auto", "en", "nl"]), "auto"),
  /** Seconds; 0 is off. */
  refreshInterval: v.pipe(v.fallback(v.number(), 300), v.transform(allowedRefreshInterval)),
});

/** The effective values for a scope. */
type SettingValues = Readonly<v.InferOutput<typeof SettingsSchema>>;

/** The name of a boolean setting. */
type BooleanSetting = {
  [Name in keyof SettingValues]: SettingValues[Name] extends boolean ? Name : never;
}[keyof SettingValues];

export class Settings implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #cache = new Map<string, SettingValues>();
  readonly #watch: Disposable;

  /** Fires when any setting of the extension changed in any scope. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor() {
    this.#watch = workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("projectTranslations")) return;
      this.#cache.clear();
      this.#changed.fire();
    });
  }

  /** Returns the effective settings of a document (including language-specific ones), a file, a folder or the window. */
  of(scope?: Uri | TextDocument): SettingValues {
    return getOrCreate(this.#cache, cacheKeyOf(scope), () => readSettings(scope));
  }

  /** Toggles a setting in the scope where it is set: folder, workspace or else user. */
  async toggle(name: BooleanSetting, scope: Uri): Promise<void> {
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

/** Whether VS Code opens and saves every file in the scope as UTF-8, regardless of its language. */
export function isAlwaysUtf8(scope: Uri): boolean {
  const files = workspace.getConfiguration("files", scope);
  // The file's language is not known yet, so any language-specific value counts.
  const isOwn = (name: string): boolean => (files.inspect(name)?.languageIds ?? []).length > 0;
  return (
    files.get("encoding") === "utf8" &&
    files.get("autoGuessEncoding") === false &&
    !isOwn("encoding") &&
    !isOwn("autoGuessEncoding")
  );
}

/** Whether VS Code saves changed editors by itself. */
export function isAutoSaveOn(scope: Uri): boolean {
  return workspace.getConfiguration("files", scope).get<string>("autoSave", "off") !== "off";
}

/** Returns the globs of `files.exclude`, relative to the folder; conditional ones (`when`) are omitted. */
export function excludedFiles(folder: Uri): readonly string[] {
  const globs = workspace.getConfiguration("files", folder).get<Readonly<Record<string, unknown>>>("exclude");
  return Object.entries(globs ?? {})
    .filter(([, isExcluded]) => isExcluded === true)
    .map(([glob]) => (glob.startsWith("**/") || glob.startsWith("/") ? glob : `/${glob}`));
}

function cacheKeyOf(scope: Uri | TextDocument | undefined): string {
  if (scope === undefined || scope instanceof Uri) return scope?.toString() ?? "";
  return `${scope.languageId} ${scope.uri.toString()}`;
}

/** Settings of the whole window: VS Code logs a warning when one is read for a file. */
const WINDOW_SETTINGS: readonly string[] = ["language", "refreshInterval"];

function readSettings(scope: Uri | TextDocument | undefined): SettingValues {
  const ofWindow = workspace.getConfiguration("projectTranslations");
  const ofScope = workspace.getConfiguration("projectTranslations", scope ?? null);
  const names = Object.keys(SettingsSchema.entries);
  const values = names.map((name) => [name, (WINDOW_SETTINGS.includes(name) ? ofWindow : ofScope).get(name)]);
  return v.parse(SettingsSchema, Object.fromEntries(values));
}

/** Returns the nearest allowed value of the setting `inlayHints.maxLength`. */
export function allowedHintLength(characters: number): number {
  return Math.min(HINT_LENGTHS.max, Math.max(HINT_LENGTHS.min, Math.floor(characters)));
}

/** Returns the nearest allowed value of the setting `refreshInterval`, in seconds; VS Code does not enforce its limits. */
export function allowedRefreshInterval(seconds: number): number {
  if (seconds <= 0) return 0;
  return Math.min(MAX_REFRESH_INTERVAL_SECONDS, Math.max(MIN_REFRESH_INTERVAL_SECONDS, seconds));
}
