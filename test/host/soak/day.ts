/** What a developer does on a day, chosen by a seed, through the commands and providers that a person reaches. */
import { commands, Position, Range, Uri, window, workspace, type TextEditor } from "vscode";
import { closeSecondWindow, openSecondWindow, reloadSecondWindow } from "../harness/second-window.ts";
import { call } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import type { Weather } from "./weather.ts";

/** What the day needs of the world around the window. */
export interface World {
  readonly random: () => number;
  readonly service: RunningService;
  readonly weather: (kind: Weather, requests: number) => Promise<void>;
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

export class Day {
  readonly #world: World;
  #neighbour = 0;
  /** Each start has a number of its own. */
  #service: number;
  /** How often what was done, and how it ended. */
  readonly done = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.#service = world.service.id;
  }

  /** Does the next thing. Whatever a command answers is noted; only what must not happen throws. */
  async next(): Promise<void> {
    const wheel = WORK.flatMap(({ weight, work }) => Array.from({ length: weight }, () => work));
    const work = this.#pick(wheel);
    const outcome = await this[work]();
    const name = `${work} ${outcome}`;
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  /** The sun shines, the neighbour has gone home. */
  async evening(): Promise<void> {
    await this.#world.weather("503", 0);
    if (this.#neighbour > 0) await closeSecondWindow();
    this.#neighbour = 0;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#world.random() * items.length)] as Item;
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

  /** A line letter by letter, and away again. */
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
    // A colleague's push meets it half way.
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

  async weather(): Promise<string> {
    const kind = this.#pick(["429", "503", "reset"] as const);
    await this.#world.weather(kind, 1 + Math.floor(this.#world.random() * 4));
    return kind;
  }

  /** The service goes down, somebody tries, and it comes back. */
  async maintenance(): Promise<string> {
    await call("stopService", { id: this.#service });
    const outcome = await this.#run("refresh", {});
    this.#service = (await call("startService", { restartOf: this.#service })).id;
    return outcome;
  }

  /** Another window on the same folder is opened, reloaded, closed. */
  async neighbour(): Promise<string> {
    const turn = this.#neighbour++ % 3;
    if (turn === 0) await openSecondWindow();
    else if (turn === 1) await reloadSecondWindow();
    else await closeSecondWindow();
    return ["opened", "reloaded", "closed"][turn] as string;
  }
}

type Work = Exclude<keyof Day, "next" | "evening" | "done">;

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
  { work: "weather", weight: 3 },
  { work: "maintenance", weight: 1 },
  { work: "neighbour", weight: 1 },
];
