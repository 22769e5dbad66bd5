/** Where the result of a command is shown. */
import { beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import { reportPartialResult, reportResult } from "../../../src/vscode/commands/report-result.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { recordingLog } from "../support/node-platform.ts";
import { window } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const open = {} as OpenProject;
let rows: unknown[];
let opened: unknown[];
const spies = () => ({
  information: vi.spyOn(window, "showInformationMessage"),
  warning: vi.spyOn(window, "showWarningMessage"),
});
let notify: ReturnType<typeof spies>;
const log = recordingLog();
const app = {
  log,
  results: { add: (_open: OpenProject, ...row: readonly unknown[]) => void rows.push(row) },
  virtualDocuments: { open: (...document: readonly unknown[]) => void opened.push(document) },
} as unknown as App;
beforeEach(() => {
  [rows, opened] = [[], []];
  log.lines.length = 0;
  notify = spies();
});

test("a command without prompts is in Activity, and shows no notification", () => {
  reportResult(app, open, { quiet: true }, "Pushed 2 keys.");
  reportResult(app, open, { quiet: true }, "Pushed 1 key.", { isPartial: true });
  expect(rows).toEqual([
    ["Pushed 2 keys.", "done", undefined],
    ["Pushed 1 key.", "partly", undefined],
  ]);
  expect([notify.information.mock.calls, notify.warning.mock.calls]).toEqual([[], []]);
  expect(log.lines).toEqual(["Pushed 2 keys.", "Pushed 1 key."]);
});

test("what a user did is in Activity and in a notification, which warns if a part was not done", () => {
  reportResult(app, open, { quiet: false }, "Pushed 2 keys.", { notification: "2 keys" });
  reportResult(app, open, { quiet: false }, "Pushed 1 key.", { isPartial: true });
  expect(rows).toHaveLength(2);
  expect(notify.information.mock.calls).toEqual([["2 keys"]]);
  expect(notify.warning.mock.calls).toEqual([["Pushed 1 key."]]);
});

test("offers the details, if there are any, before other actions", async () => {
  const act = vi.fn();
  const actions = [{ label: "Restore", act }];
  const details = { name: "keys.txt", lines: ["cart.title", "cart.total"] };
  notify.information.mockResolvedValueOnce("Show Details");
  reportResult(app, open, { quiet: false }, "Archived 2 keys.", {
    actions,
    details,
    notification: "Archived.",
  });
  for (const lines of [["cart.title"], []])
    reportResult(app, open, { quiet: false }, "Archived.", { actions, details: { ...details, lines } });
  expect(notify.information.mock.calls).toEqual([
    ["Archived.", "Show Details", "Restore"],
    ["Archived.", "Show Details", "Restore"],
    ["Archived.", "Restore"],
  ]);
  await waitUntil(() => opened.length > 0);
  expect(opened).toEqual([["keys.txt", expect.stringMatching(/Archived 2 keys\.[^]*cart\.total/u)]]);
  expect(act).not.toHaveBeenCalled();
});

test("what was done before a failure is in Activity, and in the error", () => {
  const error = reportPartialResult(app, open, "Archived 2 keys.", 3, { result: 2 }, new Error("full"));
  expect(rows).toEqual([["Archived 2 keys.", "partly"]]);
  expect(error).toMatchObject({ fields: { result: 2 }, cause: { message: "full" } });
  expect(error.message).toContain("Archived 2 keys. Not done, or not confirmed: 3.");
});
