/**
 * Concurrent clients of one project at a real local service: two windows on one folder, a CI that pushes, and a
 * colleague with another client. Executes a given history and records all responses for the model (model.ts).
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/api/client.ts";
import type { TranslationRow } from "../../../src/api/response-schemas.ts";
import { setTranslation } from "../../../src/sync/edit/send-translations.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import { runImport } from "../../../src/sync/import/send-import.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush, type LocalKey } from "../../../src/sync/push/push-plan.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { realClock, recordingLog } from "../support/node-platform.ts";
import { SimulatedNetwork } from "../support/simulated-network.ts";
import { openFixtureProject, FIXTURE_PROJECT_FILE, type FixtureProject } from "../support/fixture-project.ts";
import { openWindow, type Interceptor, type TestWindow } from "../support/test-window.ts";

export const NAMES = ["title", "total", "items"] as const;
export type Name = (typeof NAMES)[number];
const NAMESPACE = "cart";

/** One step of one of them. `who` 0 and 1 are the windows, 2 is the CI. */
export type Step =
  /** Somebody opens the text as the window shows it now, and thinks. */
  | { readonly do: "open"; readonly who: 0 | 1; readonly name: Name }
  /** What was opened (or is shown, where nothing was) is saved with its version. */
  | { readonly do: "save"; readonly who: 0 | 1; readonly name: Name; readonly text: string }
  /** Whatever is there is replaced. */
  | { readonly do: "force"; readonly who: 0 | 1; readonly name: Name; readonly text: string }
  | { readonly do: "colleague"; readonly name: Name; readonly text: string }
  | { readonly do: "push"; readonly who: 0 | 1 | 2; readonly name: Name; readonly text: string }
  | { readonly do: "archive"; readonly who: 0 | 1; readonly name: Name }
  | { readonly do: "import"; readonly who: 0 | 1; readonly overwrite: boolean; readonly text: string }
  | { readonly do: "refresh"; readonly who: 0 | 1 };

/** What somebody saw when they began: `version` null where nothing was there. */
export interface Seen {
  readonly text: string | null;
  readonly version: number | null;
}

/** What came of a step. `base` is what a save was made on. */
export interface Played {
  readonly step: Step;
  readonly outcome: string;
  readonly base?: Seen;
}

/** What stands at the service: of each name its source text and its translation; absent names are archived. */
export type Truth = ReadonlyMap<Name, { readonly source: string | null; readonly row: TranslationRow }>;

/** How the numbers of `GET /stats` are told to the windows. */
export type Numbers = "as they are" | "jumping" | "going back" | "standing still";

export class ConcurrentClients {
  readonly #shop: FixtureProject;
  readonly #proxy: FaultProxy;
  readonly #network: SimulatedNetwork;
  readonly #colleague: Client;
  readonly windows: readonly [TestWindow, TestWindow, TestWindow];
  readonly #opened = new Map<string, Seen>();

  private constructor(
    given: { shop: FixtureProject; proxy: FaultProxy; network: SimulatedNetwork; colleague: Client },
    windows: readonly [TestWindow, TestWindow, TestWindow],
  ) {
    this.#shop = given.shop;
    this.#proxy = given.proxy;
    this.#network = given.network;
    this.#colleague = given.colleague;
    this.windows = windows;
  }

  static async open(numbers: Numbers): Promise<ConcurrentClients> {
    const shop = await openFixtureProject();
    const proxy = await FaultProxy.open(shop.service.baseUrl);
    const network = new SimulatedNetwork(proxy);
    const colleague = createClient({
      ...shop.service,
      fetch: globalThis.fetch,
      clock: realClock(),
      log: recordingLog(),
      locale: () => "en",
    });
    await colleague.sync({
      keys: NAMES.map((key) => ({ namespace: NAMESPACE, key, value: `Text of ${key}` })),
    });
    const open = async (window: string, folder: string): Promise<TestWindow> => {
      await mkdir(join(folder, "app"), { recursive: true });
      const opened = await openWindow({
        baseUrl: proxy.baseUrl,
        token: shop.service.token,
        folder,
        file: FIXTURE_PROJECT_FILE,
        preview: ["en", "nl"],
        window,
        clock: network.clientClock,
        fetch: network.fetch,
        intercept: telling(numbers),
      });
      await network.drive(opened.refresher.refresh());
      return opened;
    };
    const windows = [
      await open("one", shop.folder),
      await open("two", shop.folder),
      await open("ci", join(shop.folder, "ci")),
    ] as const;
    return new ConcurrentClients({ shop, proxy, network, colleague }, windows);
  }

  async close(): Promise<void> {
    for (const window of this.windows) window.jobs.dispose();
    await this.#network.settle();
    await this.#proxy.close();
    await this.#shop.close();
  }

  /** Plays the steps of a round at the same time, and waits until nothing goes on any more. */
  async play(round: readonly Step[]): Promise<Played[]> {
    const played = await this.#network.drive(Promise.all(round.map((step) => this.#play(step))));
    await this.#network.settle();
    return played;
  }

  /** Asked by nobody's client but the colleague's. */
  async truth(): Promise<Truth> {
    const keys = await this.#colleague.keys({ archived: false });
    const rows = await this.#colleague.translations("nl");
    const truth = new Map<Name, { readonly source: string | null; readonly row: TranslationRow }>();
    for (const name of NAMES) {
      const key = keys.data.find(({ hash }) => hash === hashOf(name));
      const row = rows.data.find(({ hash }) => hash === hashOf(name));
      if (key !== undefined && row !== undefined) truth.set(name, { source: key.source.value ?? null, row });
    }
    return truth;
  }

  /** A window that is opened now, from what the others left on disk. */
  async another(): Promise<TestWindow> {
    const window = await openWindow({
      baseUrl: this.#proxy.baseUrl,
      token: this.#shop.service.token,
      folder: this.#shop.folder,
      file: FIXTURE_PROJECT_FILE,
      preview: ["en", "nl"],
      window: "three",
      clock: this.#network.clientClock,
      fetch: this.#network.fetch,
    });
    await this.#network.drive(window.refresher.refresh());
    await this.#network.settle();
    return window;
  }

  async #play(step: Step): Promise<Played> {
    switch (step.do) {
      case "open":
        this.#opened.set(`${step.who} ${step.name}`, this.#shown(step.who, step.name));
        return { step, outcome: "done" };
      case "save": {
        const opened = `${step.who} ${step.name}`;
        const base = this.#opened.get(opened) ?? this.#shown(step.who, step.name);
        this.#opened.delete(opened);
        const edit = { name: named(step.name), text: { value: step.text }, version: base.version };
        const { kind } = await setTranslation(this.windows[step.who], "nl", edit);
        return { step, outcome: kind, base };
      }
      case "force": {
        const edit = { name: named(step.name), text: { value: step.text } };
        return { step, outcome: (await setTranslation(this.windows[step.who], "nl", edit)).kind };
      }
      case "colleague": {
        const { name: key, text: value } = step;
        const item = { hash: hashOf(key), namespace: NAMESPACE, key, context: null, value };
        const { written } = await this.#colleague.writeTranslations("nl", [item], "overwrite");
        return { step, outcome: written === 1 ? "done" : "skipped" };
      }
      case "push": {
        const local: LocalKey = {
          hash: hashOf(step.name),
          name: named(step.name),
          text: { value: step.text },
          description: null,
          path: "lang/en/cart.php",
        };
        const window = this.windows[step.who];
        const { items } = await planPush(window, [local]);
        const changes = items.filter((item) => item.change !== "unchanged");
        if (changes.length === 0) return { step, outcome: "unchanged" };
        const { result } = await sendPush(window, changes, []);
        void window.refresher.refresh({ priority: "person" });
        return { step, outcome: result.rejected.length === 0 ? "done" : "rejected" };
      }
      case "archive": {
        const window = this.windows[step.who];
        const key = window.project.keys.get(hashOf(step.name));
        if (key === undefined) return { step, outcome: "unchanged" };
        await sendPush(window, [], [key]);
        return { step, outcome: "done" };
      }
      case "import": {
        const texts = NAMES.map((name) => `    '${name}' => '${step.text}',\n`).join("");
        const bytes = new TextEncoder().encode(`<?php\n\nreturn [\n${texts}];\n`);
        const files = [{ path: `lang/nl/${NAMESPACE}.php`, bytes }];
        const options = { overwrite: step.overwrite, createUnknownKeys: false };
        const outcome = await runImport(this.windows[step.who], files, options);
        return { step, outcome: outcome.kind === "ended" ? outcome.job.status : outcome.kind };
      }
      case "refresh": {
        const stats = await this.windows[step.who].refresher.refresh({ priority: "person" });
        return { step, outcome: stats === null ? "failed" : "done" };
      }
    }
  }

  #shown(who: 0 | 1, name: Name): Seen {
    const row = this.windows[who].project.translation("nl", hashOf(name));
    return { text: textOf(row?.text ?? null), version: row?.version ?? null };
  }
}

/** The text of one name as a window shows it. */
export function shownIn(window: TestWindow, name: Name) {
  const hash = hashOf(name);
  const key = window.project.keys.get(hash);
  const row = window.project.translation("nl", hash);
  if (key === undefined) return undefined;
  return {
    source: textOf(key.text),
    value: textOf(row?.text ?? null),
    version: row?.version ?? null,
    isOutdated: row?.isOutdated ?? false,
  };
}

const named = (key: Name): KeyName => ({ namespace: NAMESPACE, key, context: null });
const hashOf = (key: Name): string => keyHash(named(key));
const textOf = (text: { readonly value: string } | { readonly forms: object } | null): string | null =>
  text !== null && "value" in text ? text.value : null;

/** "`contentVersion` (integer)" is all that the document says of it (§ GET /stats). */
function telling(numbers: Numbers): Interceptor {
  let asked = 0;
  return async (path, pass) => {
    const answer = await pass();
    if (path !== "GET /stats" || answer.status !== 200 || numbers === "as they are") return answer;
    const body = (await answer.json()) as { data: { contentVersion: number } };
    asked += 1;
    const { contentVersion } = body.data;
    body.data.contentVersion = {
      jumping: contentVersion * 1000,
      "going back": 1_000_000 - asked,
      "standing still": 7,
    }[numbers];
    return Response.json(body, { headers: answer.headers });
  };
}
