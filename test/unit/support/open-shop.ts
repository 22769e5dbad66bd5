/** The fixture project in a window whose features run commands. */
import type { App } from "../../../src/vscode/app.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "./command-runner.ts";
import { openFixtureProject, type FixtureProject } from "./fixture-project.ts";
import type { Interceptor, TestWindow, WindowOptions } from "./test-window.ts";
import { typedDraft } from "./typed-draft.ts";
import { closeEditors } from "./vscode-stub.ts";

export const ENGLISH = "lang/en/cart.php";
export const DUTCH = "lang/nl/cart.php";

/** The name of a key in these files. */
export const cart = (key: string): KeyName => ({ namespace: "cart", key, context: null });
export const hashOf = (key: string): string => keyHash(cart(key));

interface OpenShop {
  readonly shop: FixtureProject;
  readonly window: TestWindow;
  readonly commands: CommandRunner;
  /** From now on the service refuses requests that begin so (`PUT /translations/fr`); `null`: none. */
  readonly refuse: (requests: string | null) => void;
}

/**
 * Opens the project, and pushes its texts unless `isPushed` is `false`.
 * @param features register their commands, beside that of push
 */
export async function openShop(
  features: readonly ((app: App) => void)[],
  {
    isPushed = true,
    ...options
  }: Pick<WindowOptions, "unsaved" | "intercept" | "maxItems"> & { readonly isPushed?: boolean } = {},
): Promise<OpenShop> {
  // What another test did not use.
  closeEditors();
  const shop = await openFixtureProject();
  let refused: string | null = null;
  const refuse: OpenShop["refuse"] = (requests) => (refused = requests);
  const intercept: Interceptor = (request, forward, signal) => {
    if (refused !== null && request.startsWith(refused))
      return Promise.resolve(Response.json({ message: "No." }, { status: 403 }));
    return options.intercept === undefined ? forward() : options.intercept(request, forward, signal);
  };
  const window = await shop.open("one", { ...options, intercept });
  await window.refresher.refresh();
  const commands = createCommandRunner(window, rootOf(shop), [registerPush, ...features]);
  if (!isPushed) return { shop, window, commands, refuse };
  const { outcome } = await commands.run(pushCommand, {});
  if (outcome !== "done") throw new Error(`the push ended as ${outcome}`);
  return { shop, window, commands, refuse };
}

/** Returns the texts of the active keys at the service, by key. */
export async function sourceTexts({ client }: TestWindow): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await client.keys({ namespace: "cart" });
  return Object.fromEntries(
    data.flatMap(({ archived, key, source }) => (archived ? [] : [[key, source.value]])),
  );
}

/** Writes Dutch translations at the service, as somebody else does; the window knows them then. */
export async function translate(window: TestWindow, texts: Readonly<Record<string, string>>): Promise<void> {
  const edits = Object.entries(texts).map(([key, value]) => ({ name: cart(key), text: { value } }));
  await setTranslations(window, "nl", edits, "overwrite");
  await window.refresher.refresh({ priority: "person" });
}

/** Types a Dutch text in the translation editor, as a user does. */
export function typeText({ project }: TestWindow, key: string, value: string): void {
  project.drafts.put([typedDraft("nl", hashOf(key), value)]);
}

/** Saves a translation by its command. */
export function setTranslation(commands: CommandRunner, key: string, value: string, locale = "nl") {
  return commands.run(setTranslationCommand, { locale, namespace: "cart", key, value });
}

/** Returns a translation at the service. */
export async function translation(
  { client }: TestWindow,
  key: string,
  locale = "nl",
): Promise<string | null | undefined> {
  const { data } = await client.translations(locale, {});
  return data.find(({ hash }) => hash === hashOf(key))?.value;
}

/** Returns the translations at the service that are not empty, by key. */
export async function translatedTexts(
  { client }: TestWindow,
  locale = "nl",
): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await client.translations(locale, { namespace: "cart" });
  return Object.fromEntries(data.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])));
}
