/**
 * VS Code's API without VS Code, in English, as far as the extension uses it: documents and files are those on disk, a test is
 * the user, and nothing is drawn. `open-editor.ts` runs the whole extension in it.
 */
import { openWith, saveActive } from "./vscode/tabs.ts";
import { forgetAnswers, window } from "./vscode/window.ts";
import { resetSettings, workspace } from "./vscode/workspace.ts";

export * from "./vscode/values.ts";
export {
  closeTabs,
  closeTabsOf,
  CustomEditor,
  customEditors,
  moveTab,
  openedCustomEditor,
  openWith,
} from "./vscode/tabs.ts";
export {
  closeDocument,
  loseFileEvents,
  openFolders,
  setSetting,
  tellOfFile,
  TextDocument,
  trustGranted,
  willSave,
  workspace,
} from "./vscode/workspace.ts";
export { languages, problems, providersFor } from "./vscode/languages.ts";
export {
  answerNextInput,
  answerNextList,
  changedFocus,
  clickInNextMessage,
  closeEditors,
  InputBox,
  logged,
  messages,
  pickInNextList,
  QuickPick,
  statusBarItems,
  type TextEditor,
  views,
  window,
} from "./vscode/window.ts";

export const version = "1.0.0";

/** The text in the clipboard. */
let copied = "";

export const env = {
  language: "en",
  appName: "VS Code",
  remoteName: undefined,
  clipboard: {
    readText: (): Promise<string> => Promise.resolve(copied),
    writeText: async (text: string): Promise<void> => void (copied = text),
  },
  asExternalUri: <Place>(uri: Place): Promise<Place> => Promise.resolve(uri),
};

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (place, index: string) => String(values[Number(index)] ?? place)),
  bundle: undefined,
};

type Execute = (...args: readonly unknown[]) => unknown;

const registered = new Map<string, Execute>();
/** What the commands of VS Code itself do here; others do nothing. */
const builtIn = new Map<string, Execute>([
  ["vscode.openWith", openWith as Execute],
  ["vscode.getEditorLayout", () => ({ groups: [{}] })],
  ["workbench.action.files.save", saveActive],
]);
/** The commands of VS Code itself that were run. */
export const builtInCommands: (readonly [id: string, ...args: readonly unknown[]])[] = [];

export const commands = {
  registerCommand: (id: string, execute: Execute) => {
    registered.set(id, execute);
    return { dispose: () => void registered.delete(id) };
  },
  executeCommand: async (id: string, ...args: readonly unknown[]): Promise<unknown> => {
    const execute = registered.get(id);
    if (execute !== undefined) return execute(...args);
    builtInCommands.push([id, ...args]);
    return builtIn.get(id)?.(...args);
  },
};

type AnswerRequest = (messages: readonly string[]) => Promise<string>;

/** A tool for the editor's agents. */
interface LanguageModelTool {
  prepareInvocation(options: object, token: unknown): Promise<PreparedInvocation>;
  invoke(
    options: object,
    token: unknown,
  ): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}
interface PreparedInvocation {
  readonly confirmationMessages?: { readonly title: string; readonly message: { readonly value: string } };
}
interface McpProvider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => unknown;
  provideMcpServerDefinitions(): Promise<readonly { args: readonly string[] }[]>;
  resolveMcpServerDefinition(definition: object): Promise<{ readonly args: readonly string[] }>;
}

/** The tools by name, and the servers for agents. */
export const tools = new Map<string, LanguageModelTool>();
export const mcpProviders = new Set<McpProvider>();

/** The editor's language models, none until `provideModel`, and what is registered for agents. */
export const lm = {
  registerTool: (name: string, tool: LanguageModelTool) => {
    tools.set(name, tool);
    return { dispose: () => void tools.delete(name) };
  },
  registerMcpServerDefinitionProvider: (_id: string, provider: McpProvider) => {
    mcpProviders.add(provider);
    return { dispose: () => void mcpProviders.delete(provider) };
  },
} as {
  selectChatModels?: () => Promise<readonly object[]>;
};

/** Provides a language model that answers so; `null`: none any more. */
export function provideModel(answerRequest: AnswerRequest | null): void {
  if (answerRequest === null) {
    delete lm.selectChatModels;
    return;
  }
  const sendRequest = async (requested: readonly { readonly content: string }[]) => {
    const answer = await answerRequest(requested.map(({ content }) => content));
    return {
      text: (async function* () {
        yield answer;
      })(),
    };
  };
  const model = {
    id: "test-model",
    name: "Test model",
    maxInputTokens: 100_000,
    countTokens: () => Promise.resolve(10),
    sendRequest,
  };
  lm.selectChatModels = () => Promise.resolve([model]);
}

/** Takes back what a test has set, and forgets what it has answered in vain. */
export function restoreWindow(): void {
  resetSettings();
  forgetAnswers();
  provideModel(null);
  workspace.isTrusted = true;
  window.state.focused = true;
}
