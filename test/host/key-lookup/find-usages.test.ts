/** Usages of a key, as data for tasks and as a list to open. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

interface Use {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

interface Result {
  readonly outcome: string;
  readonly uses?: readonly Use[];
}

const find = async (options: object): Promise<Result> =>
  await commands.executeCommand<Result>("projectTranslations.findUses", options);

const quietly = (options: object): Promise<Result> => find({ confirm: false, ...options });

function place(path: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
}

/** The code from the use on, as it stands on disk. */
async function codeAt({ path, line, character }: Use): Promise<string> {
  const text = new TextDecoder().decode(await workspace.fs.readFile(place(path)));
  return text.split("\n")[line]?.slice(character) ?? "";
}

const asked = (): Promise<string> =>
  onPage((page) =>
    page
      .locator(".quick-input-widget:visible")
      .innerText()
      .catch(() => ""),
  );

describe("find usages", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await commands.executeCommand<Result>("projectTranslations.signIn", {
      baseUrl,
      token,
      confirm: false,
    });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  journey("returns all usages in PHP, Blade and Vue with the key's range", async () => {
    const { outcome, uses } = await quietly({ namespace: "cart", key: "title" });
    assert.equal(outcome, "done");
    const places = (uses ?? []).map(({ path, line }) => `${path}:${line + 1}`).sort();
    assert.deepEqual(places, [
      "resources/js/components/CartBadge.vue:10",
      "resources/views/cart.blade.php:3",
      "resources/views/cart.blade.php:6",
    ]);
    for (const use of uses ?? [])
      assert.match(await codeAt(use), /^['"]?cart\.title\b/u, JSON.stringify(use));
  });

  journey("ignores comments", async () => {
    const { uses } = await quietly({ namespace: "cart", key: "voucher.apply" });
    assert.deepEqual(
      (uses ?? []).map(({ path, line }) => `${path}:${line + 1}`),
      ["resources/views/cart.blade.php:21"],
    );
  });

  journey("finds a usage that was just written", async () => {
    const path = "app/Http/Controllers/NewController.php";
    await workspace.fs.writeFile(place(path), new TextEncoder().encode("<?php\n\n__('cart.title');\n"));
    await waitFor("the new use is found", async () =>
      (await quietly({ namespace: "cart", key: "title" })).uses?.some((use) => use.path === path),
    );
    await workspace.fs.delete(place(path));
    await waitFor(
      "the removed use is gone",
      async () =>
        !(await quietly({ namespace: "cart", key: "title" })).uses?.some((use) => use.path === path),
    );
  });

  journey("finds the usages of a key that the service does not have yet", async () => {
    const path = "app/Http/Controllers/NewController.php";
    const code = "<?php\n\n__('cart.brand_new');\n";
    await workspace.fs.writeFile(place(path), new TextEncoder().encode(code));
    const uses = await waitFor("the use is found", async () => {
      const found = (await quietly({ namespace: "cart", key: "brand_new" })).uses ?? [];
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(
      uses.map((use) => [use.path, use.line]),
      [[path, 2]],
    );
    await workspace.fs.delete(place(path));
  });

  journey("reports that a key has no usages", async () => {
    const name = { namespace: "cart", key: "nobody.names.this" };
    assert.deepEqual(await quietly(name), { outcome: "done", uses: [] });
    assert.equal((await find(name)).outcome, "done");
    assert.match(await waitForNotification("nobody.names.this"), /does not use/u);
    await commands.executeCommand("notifications.clearAll");
  });

  journey("opens the only usage with the key selected", async () => {
    assert.equal((await find({ namespace: "cart", key: "voucher.label" })).outcome, "done");
    const editor = await waitFor("the editor is there", () => window.activeTextEditor);
    assert.match(editor.document.uri.path, /\/resources\/views\/cart\.blade\.php$/u);
    assert.match(editor.document.getText(editor.selection), /cart\.voucher\.label/u);
  });

  journey(
    "lists several usages with their code, previews the focused one and opens the chosen one",
    async () => {
      const running = find({ namespace: "cart", key: "title" });
      const list = await waitFor("the list is there", asked);
      assert.match(list, /resources\/views\/cart\.blade\.php:3/u);
      assert.match(list, /<h1>/u);
      await screenshot("uses");
      await onPage((page) =>
        page
          .locator(".quick-input-list .monaco-list-row")
          .filter({ hasText: "CartBadge.vue" })
          .first()
          .click(),
      );
      await running;
      const editor = await waitFor("the chosen use is open", () =>
        window.activeTextEditor?.document.uri.path.endsWith("/CartBadge.vue") === true
          ? window.activeTextEditor
          : undefined,
      );
      assert.match(editor.document.getText(editor.selection), /cart\.title/u);
      await screenshot("opened");
    },
  );
});
