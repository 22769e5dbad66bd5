/** The projects of a folder on disk, for the tools for agents. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADVICE, chooseByLabel, type ToolHost, type ToolProject } from "../../agent-tools/tool.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { projectPlaceholderFamilies } from "../../workspace/problems/project-placeholder-families.ts";
import { withNamespaces } from "../../workspace/usages/resolve-usage-to-key.ts";
import { Refresher } from "../../sync/refresh/refresh.ts";
import { clock } from "../../api/system-clock.ts";
import { accessTo, hasToken, TOKEN_VARIABLE, URL_VARIABLE } from "../service-access.ts";
import { NO_LOG } from "../../projects/sign-in.ts";
import { openFolder, type OpenedFolder, type OpenedProject } from "../../projects/open-folder.ts";

export interface FolderToolHost extends ToolHost {
  /** Deletes what was stored. */
  close(): Promise<void>;
}

/**
 * Returns where tools of a folder are called, one call at a time. It is opened with the first, and again when there are other
 * projects in it, or others that are opened in another way.
 */
export function folderToolHost(
  folder: string,
  options: { readonly cache?: string | undefined } = {},
): FolderToolHost {
  let opened: OpenedFolder | null = null;
  // Keeps what is staged, and what was agreed with the service, when the folder is opened again.
  let temporary: string | undefined;
  const current = async (signal: AbortSignal): Promise<OpenedFolder> => {
    if (opened !== null && (await opened.isCurrent(signal))) return opened;
    await opened?.close();
    opened = null;
    // What a request waits for is said by the client, which shows that a call takes long.
    const connect = hasToken() ? { accessTo, progress: { report: () => undefined } } : undefined;
    const cache = options.cache ?? (temporary ??= await mkdtemp(join(tmpdir(), "project-translations-")));
    opened = await openFolder(folder, { cache, writes: true, mayBeEmpty: true, connect, signal });
    return opened;
  };
  return {
    project: async (label, signal) => {
      const { projects } = await current(signal);
      const labelled = projects.map((each) => ({ each, label: each.project.label }));
      const { each } = chooseByLabel(labelled, labelled.length === 1 ? labelled[0] : undefined, label);
      await each.reload(signal);
      await each.indexing.search.update(signal);
      return toToolProject(each);
    },
    advice: {
      ...ADVICE,
      not_signed_in: `Ask the user to start the server with the token of the project in ${TOKEN_VARIABLE} and the address of the service in ${URL_VARIABLE}.`,
      unauthorized: `Ask the user for another token in ${TOKEN_VARIABLE}.`,
      no_project: "Ask the user to start the server in the folder of the app.",
    },
    close: async () => {
      await opened?.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function toToolProject(opened: OpenedProject): ToolProject {
  const { project, service, file, files, local, indexing, options, usages, keyNames, keySearch } = opened;
  // Keys may have new namespaces.
  const lookup = withNamespaces(opened.lookup, keyNames.namespaces());
  return {
    project,
    file,
    files,
    local,
    lookup,
    keySearch,
    refresher:
      service === null
        ? Refresher.open({ project, client: () => null, preview: () => [], clock, log: NO_LOG })
        : Promise.resolve(service.refresher),
    hasEnded: false,
    client: () => {
      if (service !== null) return service.client;
      throw new CommandError(
        "not_signed_in",
        l10n.t("You are not signed in to “{0}”. Sign in first.", project.label),
      );
    },
    refresh: async (signal) => {
      await opened.reload(signal);
      await indexing.search.update(signal);
    },
    indexTexts: (signal) => indexing.search.update(signal),
    checkTexts: async (signal) => {
      await indexing.problems.check(projectPlaceholderFamilies(lookup, file.files ?? []), signal);
    },
    usages: async (signal) => {
      await indexing.usages.update({ ...options, lookup }, new Map(), signal);
      return usages;
    },
    window: null,
  };
}
