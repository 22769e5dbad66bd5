/** Random actions of a developer, through commands and providers. */
import { commands, Position, Range, Uri, window, workspace, type TextEditor } from "vscode";
import { closeSecondWindow, openSecondWindow, reloadSecondWindow } from "../harness/second-window.ts";
import { call } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import type { Fault } from "./fault-proxy-process.ts";

export interface ActionOptions {
  readonly random: () => number;
  readonly service: RunningService;
  readonly injectFault: (kind: Fault, requests: number) => Promise<void>;
}

const CODE = [
  "app/Http/Controllers/CartController.php",
  "app/Http/Controllers/CheckoutController.php",
  "resources/views/cart.blade.php",
  "resources/views/checkout.blade.php",
  "resources/js/components/CartBadge.vue",
  "lang/en/cart.php",
  "lang/nl/cart.php",
] as const;
const KEYS = ["title", "empty", "subtotal", "remove", "continue", "checkout"] as const;
const TEXTS = ["aap", "noot", "mies", "wim", "zus", "jet", "teun", "vuur"] as const;

export class RandomActions {
  readonly #options: ActionOptions;
  #secondWindow = 0;
  /** Id of the running service; each start has a new one. */
  #service: number;
  /** Number of each action with its outcome. */
  readonly outcomes = new Map<string, number>();

  constructor(options: ActionOptions) {
    this.#options = options;
    this.#service = options.service.id;
  }

  /** Runs the next action and counts its outcome. */
  async next(): Promise<void> {
    const choices = WORK.flatMap(({ weight, work }) => Array.from({ length: weight }, () => work));
    const work = this.#pick(choices);
    const outcome = await this[work]();
    const name = `${work} ${outcome}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  /** Ends the injected faults and closes the second window. */
  async reset(): Promise<void> {
    await this.#options.injectFault("503", 0);
    if (this.#secondWindow > 0) await closeSecondWindow();
    this.#secondWindow = 0;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#options.random() * items.length)] as Item;
  }

  async #run(name: string, options: object): Promise<string> {
    const result = await commands.executeCommand<{ outcome: string; error?: { code: string } }>(
      `projectTranslations.${name}`,
      { confirm: false, ...options },
    );
    return result.error?.code ?? result.outcome;
  }

  async #show(path: string): Promise<TextEditor> {
    const [folder] = workspace.workspaceFolders ?? [];
    if (folder === undefined) throw new Error("no folder is open");
    const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, path));
    return window.showTextDocument(document, { preview: false });
  }

  /** Types a line and deletes it. */
  async type(): Promise<string> {
    const editor = await this.#show(this.#pick(CODE));
    const { document } = editor;
    const line = document.lineCount - 1;
    const text = `// {{ __('cart.${this.#pick(KEYS)}') }}`;
    for (const letter of text) {
      await editor.edit((edit) => edit.insert(document.lineAt(line).range.end, letter), {
        undoStopBefore: false,
        undoStopAfter: false,
      });
    }
    const { range } = document.lineAt(line);
    const end = range.end.character;
    await editor.edit((edit) => edit.delete(new Range(line, end - text.length, line, end)));
    return "done";
  }

  async look(): Promise<string> {
    await this.#show(this.#pick(CODE));
    return "done";
  }

  async hover(): Promise<string> {
    const { document } = await this.#show(this.#pick(CODE));
    const places = [...document.getText().matchAll(/cart\.\w+|'\w+' =>/gu)];
    const place = document.positionAt((this.#pick(places)?.index ?? 0) + 3);
    await commands.executeCommand("vscode.executeHoverProvider", document.uri, place);
    await commands.executeCommand("vscode.executeCompletionItemProvider", document.uri, place);
    const all = new Range(new Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
    await commands.executeCommand("vscode.executeInlayHintProvider", document.uri, all);
    return "done";
  }

  edit(): Promise<string> {
    const [key, value] = [this.#pick(KEYS), this.#pick(TEXTS)];
    return this.#run("setTranslation", { locale: this.#pick(["nl", "fr"]), namespace: "cart", key, value });
  }

  writeFile(): Promise<string> {
    return this.#run("setLocal", { namespace: "cart", key: this.#pick(KEYS), value: this.#pick(TEXTS) });
  }

  push(): Promise<string> {
    return this.#run("push", {});
  }

  pull(): Promise<string> {
    return this.#run("pull", {});
  }

  async import(): Promise<string> {
    const [folder] = workspace.workspaceFolders ?? [];
    const file = Uri.joinPath(folder?.uri ?? Uri.file("/"), "lang/nl/cart.php");
    // A push at the same time.
    const [imported] = await Promise.all([
      this.#run("import", { files: [file], overwrite: true }),
      this.#run("push", {}),
    ]);
    return imported;
  }

  refresh(): Promise<string> {
    return this.#run("refresh", {});
  }

  report(): Promise<string> {
    return this.#run(this.#pick(["findUnused", "listIssues", "listKeys"]), {});
  }

  async close(): Promise<string> {
    await workspace.saveAll(false);
    await commands.executeCommand("workbench.action.closeAllEditors");
    return "done";
  }

  async injectFault(): Promise<string> {
    const kind = this.#pick(["429", "503", "reset"] as const);
    await this.#options.injectFault(kind, 1 + Math.floor(this.#options.random() * 4));
    return kind;
  }

  /** Stops the service, refreshes, and starts it again. */
  async maintenance(): Promise<string> {
    await call("stopService", { id: this.#service });
    const outcome = await this.#run("refresh", {});
    this.#service = (await call("startService", { restartOf: this.#service })).id;
    return outcome;
  }

  /** Opens, reloads or closes another window on the same folder. */
  async secondWindow(): Promise<string> {
    const turn = this.#secondWindow++ % 3;
    if (turn === 0) await openSecondWindow();
    else if (turn === 1) await reloadSecondWindow();
    else await closeSecondWindow();
    return ["opened", "reloaded", "closed"][turn] as string;
  }
}

type Work = Exclude<keyof RandomActions, "next" | "reset" | "outcomes">;

const WORK: readonly { readonly work: Work; readonly weight: number }[] = [
  { work: "type", weight: 24 },
  { work: "look", weight: 16 },
  { work: "hover", weight: 24 },
  { work: "edit", weight: 8 },
  { work: "writeFile", weight: 6 },
  { work: "push", weight: 4 },
  { work: "pull", weight: 3 },
  { work: "import", weight: 2 },
  { work: "refresh", weight: 3 },
  { work: "report", weight: 3 },
  { work: "close", weight: 2 },
  { work: "injectFault", weight: 3 },
  { work: "maintenance", weight: 1 },
  { work: "secondWindow", weight: 1 },
];
