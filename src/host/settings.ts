/** The one door to `getConfiguration`: every setting of the manifest, typed, read once and again when it changes. */
import { EventEmitter, workspace, type Disposable, type Event, type Uri } from "vscode";

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

  /** The settings that hold for a file or folder; without one those of the window. */
  of(scope?: Uri): SettingValues {
    const name = scope?.toString() ?? "";
    let values = this.#read.get(name);
    if (values === undefined) {
      values = read(scope);
      this.#read.set(name, values);
    }
    return values;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
  }
}

function read(scope: Uri | undefined): SettingValues {
  const configuration = workspace.getConfiguration("projectTranslations", scope ?? null);
  const values: Record<string, unknown> = {};
  for (const [name, fallback] of Object.entries(FALLBACK)) {
    const value: unknown = configuration.get(name);
    const words = WORDS[name as keyof SettingValues];
    const fits = typeof value === typeof fallback && (words === undefined || words.includes(String(value)));
    values[name] = fits ? value : fallback;
  }
  const settings = values as unknown as SettingValues;
  const { refreshInterval } = settings;
  return {
    ...settings,
    refreshInterval: refreshInterval <= 0 ? 0 : Math.max(SHORTEST_INTERVAL, refreshInterval),
  };
}
