/** The shipped files alone are a working extension, in the display language, also in a new window. */
import assert from "node:assert/strict";
import { extensions, env, Uri, window, workspace } from "vscode";
import { onPage, reloadWindow, stage } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

const extension = () => {
  const found = extensions.getExtension("project-translations.project-translations");
  assert.ok(found, "VS Code does not know the extension");
  return found;
};

describe("the window", () => {
  journey("activates the extension in a folder with a project file", async () => {
    await waitFor("the extension runs", () => extension().isActive);
  });

  journey("runs the extension from the shipped files only", () => {
    const place = extension().extensionUri.fsPath;
    assert.notEqual(place, process.cwd());
    assert.match(place, /extension$/);
  });

  journey("passes its display language to the extension", () => {
    assert.equal(env.language, "nl");
  });

  journey("shows a file of the folder", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await window.showTextDocument(Uri.joinPath(folder.uri, "resources", "views", "cart.blade.php"));
    await onPage((page) =>
      page.locator(".editor-group-container").getByRole("tab", { name: "cart.blade.php" }).waitFor(),
    );
    // The lines of an editor are drawn after its tab.
    await onPage((page) => page.locator(".view-lines", { hasText: "cart.title" }).first().waitFor());
  });

  it("activates the extension again after a reload", async function () {
    if ((await stage(this)) === undefined) await reloadWindow(this, "reloaded");
    await waitFor("the extension runs", () => extension().isActive);
  });
});
