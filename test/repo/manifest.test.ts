/** The manifest and the code match: commands, context keys, settings, views, and the public names. */
import { matchesGlob } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_COMMANDS } from "./all-commands.ts";
import { REQUIREMENTS } from "../../src/commands/define-command.ts";
import { EDITOR_TOOLS } from "../../src/agent-tools/tool-descriptions.ts";
import { TOOL_INPUTS } from "../../src/agent-tools/tool-inputs.ts";
import { paletteCondition } from "./docs.ts";
import { manifest, read, readJson, settingsOf, sources, type Manifest } from "./tree.ts";

const prefix = "projectTranslations";
const the = manifest();
const code = withoutComments([...sources(/^src\/(vscode|features|extension)/).values()].join("\n"));

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/** The first groups of all matches, each once, sorted. */
function all(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))].sort();
}

/** A declaration of a command, with its name. */
const DECLARATION = /^export const (\w+) = (?:defineCommand|forRows)\(/gm;

const commandsOf = ({ contributes }: Manifest) => (contributes.commands ?? []).map((it) => it.command).sort();
const viewsOf = ({ contributes }: Manifest) =>
  Object.values(contributes.views ?? {})
    .flatMap((views) => views.map((it) => it.id))
    .sort();

/** Whether a `when` clause is only true if somebody is signed in. */
function isForSignedIn(when: string): boolean {
  return when.includes(`${prefix}.canWrite`) || when.includes(`${prefix}.state =~ /^(signed-in|several)$/`);
}

/** Evaluates a `when` clause of the palette, which has no parentheses outside of patterns. */
function isShown(when: string, context: Readonly<Record<string, string | boolean>>): boolean {
  const isTrue = (term: string): boolean => {
    if (term === "false") return false;
    const [, name = "", operator, operand = ""] =
      /^projectTranslations\.(\w+)(?: (=~) (\S+))?$/.exec(term) ?? [];
    expect(name, term).not.toBe("");
    const value = context[name] ?? false;
    return operator === undefined ? value === true : new RegExp(operand.slice(1, -1)).test(String(value));
  };
  return when.split(" || ").some((terms) => terms.split(" && ").every(isTrue));
}

describe("commands", () => {
  const declared = ALL_COMMANDS.map(({ id }) => id).sort();
  const menu = (name: string) => the.contributes.menus?.[name] ?? [];
  const hidden = menu("commandPalette").flatMap(({ command, when }) => (when === "false" ? [command] : []));

  it("are declared exactly as in the manifest", () => {
    expect(declared).toEqual(commandsOf(the));
  });

  it("are each registered once", () => {
    const registered = [...code.matchAll(/\bapp\.command\(\s*(\w+),/g)].map((match) => match[1] ?? "");
    const names = [...sources(/./).values()].flatMap((source) => all(source, DECLARATION));
    expect(registered.sort()).toEqual(names.sort());
    expect(names).toHaveLength(declared.length);
  });

  it("are declared beside their work, unless other files use the declaration, too", () => {
    const users = [...sources(/^src\/(?!commands\/declarations\/)/).values()];
    const ofOneFile = [...sources(/^src\/commands\/declarations\//).values()]
      .flatMap((source) => all(source, DECLARATION))
      .filter((name) => users.filter((source) => new RegExp(`\\b${name}\\b`).test(source)).length < 2);
    expect(ofOneFile).toEqual([]);
  });

  it("have the titles of the manifest", () => {
    const titles = readJson<Readonly<Record<string, string>>>("package.nls.json");
    const shown = new Map(
      (the.contributes.commands ?? []).map(({ command, title }) => [
        command,
        titles[title.replaceAll("%", "")]?.replace(/…$/, ""),
      ]),
    );
    expect(ALL_COMMANDS.filter(({ id, title }) => shown.get(id) !== title).map(({ id }) => id)).toEqual([]);
  });

  it("are named by their declarations only", () => {
    const ids = new Set<string>(declared);
    const named = [...sources(/^src\/(?!commands\/)/)].flatMap(([path, source]) =>
      all(withoutComments(source), /["'`](projectTranslations\.\w+)["'`]/g).flatMap((id) =>
        ids.has(id) ? `${path}: ${id}` : [],
      ),
    );
    expect(named).toEqual([]);
  });

  it("run by name are VS Code's own", () => {
    const run = [...sources(/^src\//)].flatMap(([path, source]) =>
      all(withoutComments(source), /executeCommand(?:<[^()]*>)?\(\s*([^,)]+)/g).flatMap((id) =>
        /^"(?:vscode|workbench|markdown)\.|^"setContext"$|^"revealInExplorer"$/.test(id)
          ? []
          : `${path}: ${id}`,
      ),
    );
    // VS Code has a command for each view.
    expect(run).toEqual(["src/vscode/ui/tree-view/show-view.ts: `projectTranslations.${view}.focus`"]);
  });

  it("get their project from what their declaration needs, and do not choose it themselves", () => {
    const choosing = [...sources(/^src\/features\//)].flatMap(([path, source]) => {
      const code = withoutComments(source);
      // A registration may say which project is meant; the diagnosis needs none.
      const inWork = all(code, /(await (?:app\.)?projects\.choose\(options)/g);
      return inWork.map(() => path);
    });
    expect(choosing).toEqual([
      "src/features/refresh/refresh-scheduler.ts",
      "src/features/troubleshooting/show-diagnosis-command.ts",
    ]);
  });

  it("are in menus of rows only if they apply to their row, and never also buttons of a view", () => {
    const ofRows = ALL_COMMANDS.filter(({ inRowMenus }) => inRowMenus).map(({ id }) => id);
    const inRowMenus = new Set(menu("view/item/context").map(({ command }) => command));
    expect([...inRowMenus].filter((id) => !ofRows.some((each) => each === id))).toEqual([]);
    const buttons = menu("view/title").map(({ command }) => command);
    expect(buttons.filter((id) => ofRows.some((each) => each === id))).toEqual([]);
  });

  it("are in no menu of another extension's rows, whose kinds may have the same names", () => {
    const whens = menu("view/item/context").map(({ when }) => when ?? "");
    expect(whens.length).toBeGreaterThan(30);
    expect(whens.filter((when) => !when.startsWith(`view =~ /^${prefix}/ && viewItem `))).toEqual([]);
  });

  it("of rows are not in the palette", () => {
    const ofRows = ALL_COMMANDS.filter(({ audience }) => audience === "row").map(({ id }) => id);
    expect(ofRows.filter((id) => !hidden.includes(id))).toEqual([]);
  });

  it("that write to the service are offered only with write access", () => {
    const writing = ALL_COMMANDS.filter(({ needs }) => needs === "write-access").map(({ id }) => id);
    const offered = ["view/title", "view/item/context", "explorer/context", `${prefix}.editor`].flatMap(menu);
    const unchecked = offered.filter(
      ({ command, when }) =>
        writing.some((id) => id === command) && !(when ?? "").includes(`${prefix}.canWrite`),
    );
    expect(unchecked.map(({ command, when }) => `${command}: ${when}`)).toEqual([]);
  });

  it("that need a sign-in are offered only where somebody is signed in", () => {
    const offered = Object.values(the.contributes.menus ?? {}).flat();
    const signedIn = ALL_COMMANDS.filter(({ needs }) => needs === "signed-in" || needs === "write-access");
    const unchecked = signedIn.flatMap(({ id }) => {
      const entries = offered.filter(({ command }) => command === id);
      const isInPalette = menu("commandPalette").some(({ command }) => command === id);
      const whens = [...entries.map(({ when }) => when ?? ""), ...(isInPalette ? [] : ["in the palette"])];
      return whens.filter((when) => when !== "false" && !isForSignedIn(when)).map((when) => `${id}: ${when}`);
    });
    expect(unchecked).toEqual([]);
  });

  it("are in the palette when what they need is there, except those with a condition of their own", () => {
    const entries = new Map(menu("commandPalette").map(({ command, when }) => [command, when ?? null]));
    expect(entries.size).toBe(menu("commandPalette").length);
    const others = ALL_COMMANDS.flatMap((declaration) => {
      const when = entries.get(declaration.id) ?? null;
      return when === paletteCondition(declaration)
        ? []
        : ([[declaration.id.slice(prefix.length + 1), when]] as const);
    });
    const hasService = `${prefix}.state =~ /^(signed-in|several)$/`;
    expect(Object.fromEntries(others.filter(([, when]) => when !== "false"))).toEqual({
      archiveUnused: `${prefix}.usageReport && ${prefix}.canWrite`,
      removeUnused: `${prefix}.usageReport && ${prefix}.local`,
      showUsageReport: `${prefix}.usageReport`,
      translate: `${prefix}.canWrite || ${prefix}.local`,
      extractKey: `editorHasSelection && (${prefix}.local || ${prefix}.state =~ /^(signed-in|several|refused|archived)$/)`,
      stopListening: `${prefix}.listening`,
      stopLocalService: `${prefix}.serviceRunning`,
      // These choose what to do, or say what is missing.
      setUpProjectFile: "true",
      signIn: "true",
      signOut: `${prefix}.state =~ /^(signed-in|several|refused|archived)$/`,
      // With a token that may only read, they say what it lacks.
      import: hasService,
      push: hasService,
      updateKey: hasService,
      takeOverDrafts: hasService,
      undoPull: hasService,
    });
    // For callers, and for buttons and menus of what they are about.
    expect(others.flatMap(([id, when]) => (when === "false" ? id : [])).sort()).toEqual([
      ...["addFunction", "archive", "chooseInlayLanguage", "copyKey", "copyText", "findUses", "goToEntry"],
      ...["ignoreCall", "ignoreFunction"],
      ...["ignoreProblem", "importLocal", "limitCall", "listIssues", "listJobs", "listKeys", "openSettings"],
      ...["openWalkthrough", "refreshAll", "renameAtService", "setLocal", "setSourceLanguage"],
      ...["setTranslation", "setTranslations", "showLog", "showMenu", "translateKey"],
    ]);
  });

  it("are in the palette where they work", () => {
    const shown = (context: Readonly<Record<string, string | boolean>>) =>
      REQUIREMENTS.filter((needs) => {
        const when = paletteCondition({ audience: "person", needs });
        return when === null || isShown(when, context);
      });
    expect(shown({ state: "no-project" })).toEqual(["window"]);
    const withProject = ["window", "project", "trusted-workspace"];
    expect(shown({ state: "signed-out", local: true })).toEqual(withProject);
    expect(shown({ state: "refused" })).toEqual(withProject);
    expect(shown({ state: "signed-in" })).toEqual([...withProject, "signed-in"]);
    expect(shown({ state: "signed-in", canWrite: true })).toEqual([
      ...withProject,
      "signed-in",
      "write-access",
    ]);
  });

  it("that menus, key bindings and welcome texts name exist", () => {
    const named = all(JSON.stringify(the.contributes), /command(?:"|):"?(projectTranslations\.[\w.]+)/g);
    expect(named.filter((id) => !commandsOf(the).includes(id) && !isView(id))).toEqual([]);
  });

  it("are in the palette's category", () => {
    expect(
      (the.contributes.commands ?? [])
        .filter((it) => it.category !== "Project Translations")
        .map((it) => it.command),
    ).toEqual([]);
  });

  it("are registered only in `register-command.ts`", () => {
    expect(usersOf(/\bcommands\.register(TextEditor)?Command\(/)).toEqual([
      "src/vscode/commands/register-command.ts",
    ]);
  });
});

describe("context keys", () => {
  const [, body = ""] =
    /interface ContextKeys \{([\s\S]*?)\n\}/.exec(withoutComments(adapterSource("context-keys.ts"))) ?? [];
  const keys = all(body, /readonly (\w+):/g);

  it("in the manifest's when clauses are those of `context-keys.ts`", () => {
    const clauses = [
      ...JSON.stringify(the.contributes).matchAll(/"(?:when|enablement)":"((?:[^"\\]|\\.)*)"/g),
    ].map((it) => it[1] ?? "");
    const named = all(
      clauses.join("\n").replaceAll(/view(Item)? ?[=!]=~? ?\S+/g, ""),
      /projectTranslations\.(\w+)/g,
    );
    expect(named).toEqual(keys);
  });

  it("are set only in `context-keys.ts`", () => {
    expect(usersOf(/"setContext"/)).toEqual(["src/vscode/context-keys.ts"]);
  });
});

describe("settings", () => {
  const settings = settingsOf(the);
  const [, body = ""] =
    /const SettingsSchema = v\.object\(\{([\s\S]*?)\n\}\)/.exec(
      withoutComments(adapterSource("extension-settings.ts")),
    ) ?? [];

  it("are those of `extension-settings.ts`", () => {
    const read = all(body, /^ *"?([\w.]+)"?: v\./gm).map((name) => `${prefix}.${name}`);
    expect(Object.keys(settings).sort()).toEqual(read);
  });

  it("are at most 15", () => {
    expect(Object.keys(settings).length).toBeLessThanOrEqual(15);
  });

  it("have the defaults of `extension-settings.ts`", () => {
    for (const [id, setting] of Object.entries(settings)) {
      const name = id.slice(prefix.length + 1).replaceAll(".", "\\.");
      expect(new RegExp(`^ *"?${name}"?: .*v\\.fallback\\(.*, ([^()]+)\\)`, "m").exec(body)?.[1], id).toBe(
        JSON.stringify(setting.default),
      );
    }
  });

  it("are read only in `extension-settings.ts`", () => {
    expect(usersOf(/\bgetConfiguration\(/)).toEqual(["src/vscode/extension-settings.ts"]);
  });
});

describe("views", () => {
  it("are created exactly as in the manifest", () => {
    expect(
      all(
        code,
        /(?:createTreeView|registerTreeDataProvider|registerWebviewViewProvider)(?:<[^()]*>)?\(\s*(?:app,\s*)?"(projectTranslations\.\w+)"/g,
      ),
    ).toEqual(viewsOf(the));
  });

  it("have welcome texts", () => {
    const welcomed = all(
      JSON.stringify(the.contributes.viewsWelcome),
      /"view":"(projectTranslations\.\w+)"/g,
    );
    expect(welcomed).toContain("projectTranslations.languages");
    expect(welcomed.filter((id) => !viewsOf(the).includes(id))).toEqual([]);
  });
});

describe("the walkthrough", () => {
  const steps = (the.contributes.walkthroughs ?? []).flatMap((it) => it.steps);

  it("begins with local files, then leads from signing in to translating", () => {
    expect(steps.map(({ id }) => id)).toEqual(["see", "connect", "map", "push", "pull", "translate"]);
  });

  it("has short titles in both languages", () => {
    for (const path of ["package.nls.json", "package.nls.nl.json"]) {
      const texts = readJson<Readonly<Record<string, string>>>(path);
      for (const { title } of steps)
        expect(texts[title.replaceAll("%", "")]?.length, `${path} ${title}`).toBeLessThanOrEqual(30);
    }
  });

  it("completes its sign-in step by the signed-in context key", () => {
    const [, connect] = steps;
    expect(connect?.completionEvents).toEqual([`onContext:${prefix}.state =~ /^(signed-in|several)$/`]);
  });

  it("has pictures in theme colours", () => {
    for (const { media } of steps) {
      const picture = read(media.svg ?? "");
      const colours = all(picture, /(?:fill|stroke)="([^"]+)"/gu);
      expect(
        colours.filter((it) => it !== "none" && !it.startsWith("var(--vscode-")),
        media.svg,
      ).toEqual([]);
    }
  });
});

describe("tools for language models", () => {
  const tools = the.contributes.languageModelTools ?? [];
  const prefixOfTools = "project_translations_";

  it("are those of the contract, each with a camel-case reference name", () => {
    const promised = [
      ...["list_keys", "search_texts", "get_translations", "find_usages", "list_issues", "get_glossary"],
      ...["stage_translations", "push_changes"],
    ];
    expect(tools.map(({ name }) => name)).toEqual(promised.map((name) => prefixOfTools + name));
    expect(EDITOR_TOOLS).toEqual(promised);
    // Adds a key for agents outside of the window.
    expect(Object.keys(TOOL_INPUTS)).toEqual([...promised, "add_key"]);
    for (const { name, toolReferenceName, canBeReferencedInPrompt, tags } of tools) {
      expect(toolReferenceName).toBe(
        name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
      );
      expect([canBeReferencedInPrompt, tags]).toEqual([true, ["translations"]]);
    }
  });

  it("have descriptions of at most 8 KB", () => {
    const words = tools.map(({ name, modelDescription, inputSchema }) => [
      name,
      modelDescription,
      JSON.stringify(inputSchema),
    ]);
    expect(Buffer.byteLength(words.flat().join(""))).toBeLessThanOrEqual(8 * 1024);
    for (const { name, modelDescription } of tools) expect(modelDescription.length, name).toBeGreaterThan(60);
  });

  it("that prompts and instructions name exist", () => {
    const { chatPromptFiles = [], chatInstructions = [] } = the.contributes;
    const known = tools.map(({ toolReferenceName }) => toolReferenceName);
    const files = [...chatPromptFiles, ...chatInstructions];
    expect(files).toHaveLength(3);
    for (const { path } of files) {
      const named = all(read(path.replace(/^\.\//u, "")), /#(\w+)/g);
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
    }
  });
});

describe("the public contract", () => {
  it("has the identifier", () => {
    expect(the).toMatchObject({ name: "project-translations", publisher: "project-translations" });
  });

  it("has the commands", () => {
    const promised = [
      "translate",
      "signIn",
      "signOut",
      "refresh",
      "push",
      "pull",
      "import",
      "setTranslation",
      "setTranslations",
      "setLocal",
    ];
    const more = [
      "updateKey",
      "listKeys",
      "listIssues",
      "listJobs",
      "openEditor",
      "showDiagnosis",
      "startLocalService",
      "stopLocalService",
    ];
    const missing = [...promised, ...more]
      .map((name) => `${prefix}.${name}`)
      .filter((id) => !commandsOf(the).includes(id));
    expect(missing).toEqual([]);
  });

  it("has the view container and its views", () => {
    expect(the.contributes.viewsContainers?.["activitybar"]?.map((it) => it.id)).toEqual([prefix]);
    expect(the.contributes.views?.[prefix]?.map((it) => it.id)).toEqual(
      ["languages", "usage", "issues", "activity"].map((name) => `${prefix}.${name}`),
    );
  });

  it("has the settings with their defaults", () => {
    const promised: Readonly<Record<string, unknown>> = {
      "diagnostics.unknownKey": "warning",
      "diagnostics.missingTranslation": "off",
      "diagnostics.qaIssues": "warning",
      language: "auto",
      refreshInterval: 300,
    };
    const settings = settingsOf(the);
    for (const [name, value] of Object.entries(promised))
      expect(settings[`${prefix}.${name}`]?.default, name).toBe(value);
    for (const name of [
      "baseUrl",
      "hover.enabled",
      "inlayHints.enabled",
      "inlayHints.maxLength",
      "completion.enabled",
    ]) {
      expect(Object.keys(settings)).toContain(`${prefix}.${name}`);
    }
    expect(settings[`${prefix}.baseUrl`]?.scope).toBe("machine-overridable");
    expect(settings[`${prefix}.diagnostics.qaIssues`]?.enum).toEqual([
      "off",
      "hint",
      "information",
      "warning",
      "error",
    ]);
  });

  it("has a schema for the project file", () => {
    expect(the.contributes.jsonValidation?.map((it) => it.fileMatch).flat()).toContain(
      "project-translations.json",
    );
  });

  it("does not activate in unrelated folders", () => {
    expect(the.activationEvents).not.toContain("*");
    expect(the.activationEvents).not.toContain("onStartupFinished");
  });

  const contained = the.activationEvents.flatMap((event) => event.split("workspaceContains:")[1] ?? []);
  const [patterns, paths] = [true, false].map((isPattern) =>
    contained.filter((each) => each.includes("*") === isPattern),
  );

  it.each([
    "project-translations.json",
    "lang",
    "locale",
    "locales",
    "messages",
    "public/locales",
    "resources/lang",
    "src/i18n",
    "src/locales",
    "translations",
  ])("activates on %s without searching the folder, which takes seconds in a large one", (path) => {
    expect(paths).toContain(path);
  });

  it("activates on folders in which its patterns find files", () => {
    const isFound = (path: string): boolean =>
      (patterns ?? []).some((pattern) => matchesGlob(`${path}/nl.json`, pattern));
    expect(paths?.filter((path) => !path.endsWith(".json") && !isFound(path))).toEqual([]);
    expect(isFound("docs")).toBe(false);
  });
});

function adapterSource(file: string): string {
  const source = sources(/^src\/vscode\//).get(`src/vscode/${file}`);
  if (source === undefined) throw new Error(`There is no src/vscode/${file}.`);
  return source;
}

function usersOf(pattern: RegExp): readonly string[] {
  return [...sources(/^src\//)]
    .filter(([, source]) => pattern.test(withoutComments(source)))
    .map(([path]) => path);
}

/** VS Code makes `<view>.focus` and the like by itself. */
function isView(id: string): boolean {
  return viewsOf(the).some((view) => id === `${view}.focus` || id === view);
}
