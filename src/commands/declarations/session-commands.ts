/** Commands about sessions, the local service, webhooks and the project file. */
import * as v from "valibot";
import type { Stats } from "../../api/response-schemas.ts";
import { defineCommand, forRows, resolvesWith } from "../define-command.ts";
import { LocaleSchema, option, PortSchema, requiredOption, UriSchema } from "../option-schemas.ts";

/** The fields of a sign-in. */
export interface SignedIn {
  readonly project: { readonly slug: string; readonly name: string };
  readonly languages: readonly string[];
  readonly canWrite: boolean;
}

export const signInCommand = defineCommand({
  id: "signIn",
  title: "Sign In",
  needs: "trusted-workspace",
  description: "Verifies a token and stores it in VS Code’s secret storage.",
  options: {
    baseUrl: option(v.string(), "The base URL of the service; default: that of the project file."),
    token: option(v.string(), "The token; asked for if it is left out."),
  },
  resolvesWith: resolvesWith<SignedIn>("`project: { slug, name }`, `languages`, `canWrite`"),
});

export const signOutCommand = defineCommand({
  id: "signOut",
  title: "Sign Out",
  needs: "project",
  description:
    "Deletes the token and what was read from the service. Unsaved texts are kept until the next sign-in.",
});

export const refreshCommand = defineCommand({
  id: "refresh",
  title: "Refresh",
  needs: "project",
  description: "Reads what changed on the service; without signing in, in the files.",
  resolvesWith: resolvesWith<{ readonly stats: Stats | null }>(
    "`stats`, the body of `GET /stats`; without signing in that of the files, or `null` if there are none",
  ),
});

/** `refreshCommand` in the menus of rows. */
export const refreshRowCommand = forRows(refreshCommand);

export const setUpProjectFileCommand = defineCommand({
  id: "setUpProjectFile",
  title: "Configure Project",
  needs: "project",
  audience: "person",
  description: "Proposes what to write into `project-translations.json`.",
  options: { afterSignIn: option(v.boolean(), "Asks only if there is something important to propose.") },
  resolvesWith: resolvesWith<{ readonly written: number }>("`written` (count)"),
});

export const setSourceLanguageCommand = defineCommand({
  id: "setSourceLanguage",
  title: "Set as Source Language",
  needs: "project",
  inRowMenus: true,
  description: "Sets the source language of a project that nobody is signed in to.",
  options: { locale: requiredOption(LocaleSchema, "A language of the translation files.") },
  resolvesWith: resolvesWith<{ readonly locale: string }>("`locale`"),
});

const learnedFunction = {
  name: requiredOption(v.pipe(v.string(), v.nonEmpty()), "The function, as it is shown."),
};

export const addFunctionCommand = defineCommand({
  id: "addFunction",
  title: "Add Function to Project File",
  needs: "project",
  inRowMenus: true,
  description:
    "Writes a function that is used as a translation function because of its calls to `usage.functions` of the project file.",
  options: learnedFunction,
});

export const ignoreFunctionCommand = defineCommand({
  id: "ignoreFunction",
  title: "Not a Translation Function",
  needs: "project",
  inRowMenus: true,
  description:
    "Writes such a function to `usage.ignoredFunctions` of the project file, so that it is not used as one.",
  options: learnedFunction,
});

export const startLocalServiceCommand = defineCommand({
  id: "startLocalService",
  title: "Start Local Service",
  needs: "window",
  description:
    "Runs the service on this machine until the window closes. Without `demo` or `data` it serves the project for this app, which is made from its translation files; its database is kept.",
  options: {
    data: option(UriSchema, "The file of its database; default: one for this app in VS Code’s storage."),
    port: option(PortSchema, "Default: a free port."),
    demo: option(
      v.boolean(),
      "Whether it starts with the demo project. In the folder of another app, the demo opens in its own folder instead; with `confirm` false it starts, but `signIn` is refused.",
    ),
    signIn: option(v.boolean(), "Whether to sign in to it at once."),
  },
  resolvesWith: resolvesWith<{ readonly baseUrl: string; readonly token: string }>("`baseUrl`, `token`"),
});

export const stopListeningCommand = defineCommand({
  id: "stopListening",
  title: "Stop Listening for Webhooks",
  needs: "project",
  inRowMenus: true,
  description: "Stops receiving webhook deliveries.",
});
