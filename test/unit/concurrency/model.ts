/**
 * Invariants of any history of clients (clients.ts): an accepted write is visible, or was overwritten by a client
 * that had read it or overwrites deliberately.
 */
import { expect } from "vitest";
import { NAMES, type Name, type Played, type Truth } from "./clients.ts";

export class Model {
  /** Texts that stood at the service, by name and version. */
  readonly #stood = new Map<string, string | null>();
  /** Versions on which a save was accepted. */
  readonly #built = new Set<string>();
  #before: Truth;

  constructor(truth: Truth) {
    this.#before = truth;
    this.#note(truth);
  }

  /** Holds one round against what stands at the service afterwards. */
  holds(round: readonly Played[], after: Truth): void {
    for (const each of round) this.#holdsSave(each, round);
    for (const name of NAMES) this.#holdsText(name, round, after);
    this.#before = after;
    this.#note(after);
  }

  #holdsSave({ step, outcome, base }: Played, round: readonly Played[]): void {
    if (step.do !== "save" || base === undefined) return;
    const row = this.#before.get(step.name)?.row;
    const known = this.#stood.get(`${step.name} ${base.version}`);
    // Nobody was shown a text that was not the service's at that version.
    if (known !== undefined && base.version !== null) expect(base.text).toBe(known);
    if (outcome === "done") {
      // Nothing that had been there before the round was run over unseen.
      expect(base.version).toBe(row?.version);
      // A save of the same text need not make a version.
      if (step.text === base.text) return;
      // Of all who built on one version one was taken.
      expect(this.#built.has(`${step.name} ${base.version}`)).toBe(false);
      this.#built.add(`${step.name} ${base.version}`);
    } else {
      expect(["conflict", "unchanged", "unknown_key", "skipped"]).toContain(outcome);
      // Nobody is told of a conflict that there is none.
      const alone = round.length === 1 && row !== undefined;
      if (alone && base.version === row.version) expect(outcome).toBe("unchanged");
    }
  }

  #holdsText(name: Name, round: readonly Played[], after: Truth): void {
    const now = after.get(name);
    const was = this.#before.get(name);
    const sources: (string | null | undefined)[] = [];
    const texts: (string | null | undefined)[] = [];
    let kept = true;
    let archived = false;
    for (const { step, outcome } of round) {
      if (step.do === "import" && outcome === "succeeded") texts.push(step.text);
      if (!("name" in step) || step.name !== name || outcome !== "done") continue;
      if (step.do === "push") sources.push(step.text);
      if (step.do === "archive") archived = true;
      if (step.do === "save" || step.do === "force" || step.do === "colleague") {
        texts.push(step.text);
        kept = false;
      }
    }
    if (now === undefined) {
      // It was archived by somebody, now or before.
      expect(archived || was === undefined).toBe(true);
      return;
    }
    if (was === undefined) {
      expect(sources.length).toBeGreaterThan(0);
      return;
    }
    expect(sources.length === 0 ? [was.source] : sources).toContain(now.source);
    // An archived key can be brought back within the round, and takes no writes while it is archived.
    expect(kept || archived ? [...texts, was.row.value] : texts).toContain(now.row.value);
  }

  #note(truth: Truth): void {
    for (const [name, { row }] of truth) this.#stood.set(`${name} ${row.version}`, row.value);
  }
}
