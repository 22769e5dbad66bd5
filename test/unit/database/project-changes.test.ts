/** While files are read, views hear of changes at most once a second, and never twice of the same state. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../src/database/database.ts";
import type { ProjectChange } from "../../../src/database/project-changes.ts";
import { Project } from "../../../src/database/project-state.ts";
import { STATS } from "./two-languages.ts";

let project: Project;
let atOnce: ProjectChange[];
let shown: ProjectChange[];

beforeEach(() => {
  vi.useFakeTimers();
  project = new Project("id", "label", new Database());
  atOnce = [];
  shown = [];
  project.onDidChange((change) => atOnce.push(change));
  project.onDidChangeView((change) => shown.push(change));
});
afterEach(() => void vi.useRealTimers());

test("changes are shown at once while nothing is read", () => {
  for (let time = 0; time < 3; time++) project.translationsChanged("nl");
  expect(shown).toEqual([{ rows: ["nl"] }, { rows: ["nl"] }, { rows: ["nl"] }]);
  expect(atOnce).toEqual(shown);
});

test("while files are read, changes are merged and shown once a second", () => {
  project.setReading(true);
  project.keysChanged();
  expect(shown.splice(0)).toEqual([{ keys: true }]);
  for (const locale of ["nl", "fr", "nl"]) {
    vi.advanceTimersByTime(200);
    project.translationsChanged(locale);
  }
  project.notify({ search: true });
  expect([shown, atOnce.length]).toEqual([[], 5]);
  vi.advanceTimersByTime(400);
  expect(shown.splice(0)).toEqual([{ rows: ["nl", "fr"], search: true }]);
  // For five seconds.
  for (let time = 0; time < 50; time++) {
    vi.advanceTimersByTime(100);
    project.translationsChanged("de");
  }
  expect(shown).toHaveLength(5);
  vi.advanceTimersByTime(1_000);
  expect(shown).toHaveLength(6);
  vi.advanceTimersByTime(5_000);
  expect(shown).toHaveLength(6);
});

test("the last changes are shown when the reading ends", () => {
  project.setReading(true);
  project.keysChanged();
  project.showLocal(STATS, false, ["nl"]);
  expect(shown.splice(0)).toEqual([{ keys: true }]);
  project.setReading(false);
  expect(shown.splice(0)).toEqual([{ stats: true, rows: ["nl"] }]);
  project.setReading(false);
  vi.advanceTimersByTime(5_000);
  expect(shown).toEqual([]);
});

test("what a person did is shown at once, with what was held back", () => {
  project.setReading(true);
  project.keysChanged();
  project.translationsChanged("nl");
  shown.length = 0;
  project.notify({ drafts: true });
  expect(shown.splice(0)).toEqual([{ rows: ["nl"], drafts: true }]);
  project.setSession({ kind: "signed-out" });
  project.notify({ local: true });
  expect(shown).toEqual([{ session: true }, { local: true }]);
});

test("nothing is shown twice", () => {
  project.showLocal(STATS, true, ["nl"]);
  project.setActivity({ busyWith: "1/2", localOnly: new Map([["nl", 1]]) });
  shown.length = 0;
  atOnce.length = 0;
  project.showLocal(structuredClone(STATS), false, []);
  project.setActivity({ busyWith: "1/2", localOnly: new Map([["nl", 1]]) });
  expect([shown, atOnce]).toEqual([[], []]);
  project.showLocal(null, false, []);
  expect(shown).toEqual([{ stats: true, rows: [] }]);
});

test("a closed project shows nothing any more", () => {
  project.setReading(true);
  project.keysChanged();
  project.translationsChanged("nl");
  shown.length = 0;
  project.dispose();
  vi.advanceTimersByTime(5_000);
  expect(shown).toEqual([]);
});
