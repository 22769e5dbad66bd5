/**
 * A simulated process: every request and every change of the disk is a step, at which the process can end or the disk
 * can fail. After its end nothing is executed; a file that is being written stays incomplete.
 */
import * as nodeDisk from "node:fs/promises";
import type { Clock } from "../../../src/model/platform.ts";
import type { Disk } from "../../../src/workspace/file-system/atomic-write.ts";

/** What no more comes. */
const NEVER = new Promise<never>(() => undefined);

export class SimulatedProcess {
  /** What was done since `begin`, in words, in order. */
  readonly steps: string[] = [];
  readonly ended: Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  #end: () => void = () => undefined;
  #counts = false;
  #endsAt = Infinity;
  #hasEnded = false;
  #refusesAt = Infinity;
  #refusal = "";
  #refusals = 0;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** From here on steps count; the process ends at this one, which is no more done. */
  begin(endsAt = Infinity): void {
    this.#counts = true;
    this.#endsAt = endsAt;
  }

  /** From here on steps count; from this one on the disk refuses whatever writes, so many times or until `recover`. */
  refuse(code: string, from: number, times: number): void {
    this.#counts = true;
    this.#refusals = times;
    this.#refusal = code;
    this.#refusesAt = from;
  }

  recover(): void {
    this.#refusesAt = Infinity;
  }

  /** It ends now, between two steps. */
  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#end();
    await this.settle();
  }

  /** What had left the process before it ended has arrived. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const words = `${init?.method ?? "GET"} ${pathname.replace("/v1", "")}`;
    // Whole, since what is half received is as good as not received.
    return this.#step(words, async () => {
      const answer = await globalThis.fetch(input, init);
      const body = [204, 304].includes(answer.status) ? null : await answer.arrayBuffer();
      return new Response(body, { status: answer.status, headers: answer.headers });
    });
  };

  clock(real: Clock): Clock {
    return {
      now: () => real.now(),
      monotonic: () => real.monotonic(),
      sleep: async (milliseconds, signal) => {
        await real.sleep(milliseconds, signal);
        if (this.#hasEnded) await NEVER;
      },
    };
  }

  readonly disk: Disk = {
    ...nodeDisk,
    open: async (...args: Parameters<typeof nodeDisk.open>) => {
      const file = await this.#write(`make ${nameOf(args[0])}`, () => nodeDisk.open(...args));
      return this.#opened(file, nameOf(args[0]));
    },
    rename: (from, to) => this.#write(`rename to ${nameOf(to)}`, () => nodeDisk.rename(from, to)),
    mkdir: ((...args: Parameters<typeof nodeDisk.mkdir>) =>
      this.#quiet(() => nodeDisk.mkdir(...args))) as typeof nodeDisk.mkdir,
    // A disk that is full, or lets nothing be made, mostly lets things be removed.
    rm: (...args) => this.#step(`remove ${nameOf(args[0])}`, () => nodeDisk.rm(...args)),
    chmod: (...args) => this.#quiet(() => nodeDisk.chmod(...args)),
    rmdir: (...args) => this.#quiet(() => nodeDisk.rmdir(...args)),
  };

  #opened(file: nodeDisk.FileHandle, name: string): nodeDisk.FileHandle {
    const write = (bytes: Uint8Array): Promise<void> => {
      const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
      return this.#write(
        `write ${name}`,
        () => file.writeFile(bytes),
        () => file.writeFile(half),
      );
    };
    return Object.assign(Object.create(file) as nodeDisk.FileHandle, {
      writeFile: write,
      sync: () => this.#quiet(() => file.sync()),
      close: () => file.close(),
    });
  }

  /** Makes no difference that could be seen when it is the last that was done. */
  async #quiet<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#hasEnded) return NEVER;
    return this.#outside(work());
  }

  /** `half`: what is done of it when it is broken off. */
  #write<Value>(words: string, work: () => Promise<Value>, half?: () => Promise<void>): Promise<Value> {
    return this.#step(
      words,
      async () => {
        if (this.steps.length < this.#refusesAt || this.#refusals-- <= 0) return work();
        await half?.();
        const message = `${this.#refusal}: the disk refuses to ${words}`;
        throw Object.assign(new Error(message), { code: this.#refusal });
      },
      half,
    );
  }

  async #step<Value>(words: string, work: () => Promise<Value>, half?: () => Promise<void>): Promise<Value> {
    if (this.#hasEnded) return NEVER;
    if (this.#counts) this.steps.push(words);
    if (this.steps.length < this.#endsAt) return this.#outside(work());
    this.#hasEnded = true;
    await half?.().catch(() => undefined);
    this.#end();
    return NEVER;
  }

  /** Under way; its end is known only to who still lives. */
  async #outside<Value>(work: Promise<Value>): Promise<Value> {
    const done = work.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    try {
      const value = await done;
      return this.#hasEnded ? await NEVER : value;
    } catch (error) {
      if (this.#hasEnded) await NEVER;
      throw error;
    }
  }
}

/** Without what differs from run to run. */
function nameOf(path: unknown): string {
  const text = String(path).replace(/[\da-f-]{36}/gu, "*");
  const beside = /\.\d+\.\*\.tmp$/u.test(text) ? " beside" : "";
  return text.replace(/\.\d+\.\*\.tmp$/u, "").replace(/^.*\/(app|store|notes)\//u, "$1/") + beside;
}
