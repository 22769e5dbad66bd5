/** The private store of one project: a folder of VS Code's own storage, a file for each name. */
import { Uri, workspace } from "vscode";
import type { Store } from "../core/ports.ts";
import { atomicWrite } from "./atomic-write.ts";
import { isMissing } from "./disk.ts";

/** Opens the store; nothing is created before the first write. */
export function openStore(folder: Uri): Store {
  const place = (name: string): Uri => {
    if (!/^[\w%.-]+$/u.test(name) || name.startsWith("."))
      throw new Error(`No name for a stored thing: ${name}`);
    return Uri.joinPath(folder, name);
  };
  return {
    read: async (name) => {
      try {
        return await workspace.fs.readFile(place(name));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write: (name, bytes) => atomicWrite(place(name), bytes),
    remove: async (name) => {
      await forgiving(workspace.fs.delete(place(name)));
    },
    clear: async () => {
      await forgiving(workspace.fs.delete(folder, { recursive: true }));
    },
  };
}

/** What is gone already need not be removed. */
async function forgiving(removal: Thenable<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
