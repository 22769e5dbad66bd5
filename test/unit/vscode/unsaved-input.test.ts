/** What a user typed and could not be written is kept until it is. */
import { beforeEach, expect, test } from "vitest";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { UnsavedInput } from "../../../src/vscode/projects/unsaved-input.ts";
import { clickInNextMessage, messages } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const action = { label: "Try Again", act: () => undefined };
let open: OpenProject;
let abort: AbortController;
let input: UnsavedInput<string>;
beforeEach(() => {
  open = { personal: new PersonalData(undefined, "shop") } as OpenProject;
  abort = new AbortController();
  input = new UnsavedInput(open, "project", "translation", "nl", "hash");
});

const write = (text: string, work: () => Promise<unknown>): Promise<unknown> =>
  input.write(text, work, { action, signal: abort.signal });

test("is stored while it is written, and deleted when it was", async () => {
  await write("typed", async () => expect(input.value).toBe("typed"));
  expect(input.value).toBeUndefined();
});

test("stays after a failure, and then the next text replaces it", async () => {
  const error: unknown = await write("typed", () => Promise.reject(new Error("full"))).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "KeptInputError", retry: action });
  expect(toFailure(error).message).toBe(
    "Something went wrong: full. See the log for details. What you typed is kept.",
  );
  expect(new UnsavedInput(open, "project", "translation", "nl", "hash").value).toBe("typed");
  expect(new UnsavedInput(open, "project", "translation", "fr", "hash").value).toBeUndefined();
  expect(new UnsavedInput(open, "project", "translation", "n", "lhash").value).toBeUndefined();
  expect(new UnsavedInput(open, "files", "translation", "nl", "hash").value).toBeUndefined();
  await write("typed again", () => Promise.resolve());
  expect(input.value).toBeUndefined();
});

test("stays when the write was cancelled, which is no failure", async () => {
  const reason = new Error("left");
  const cancelled = write("typed", async () => {
    abort.abort(reason);
    throw reason;
  });
  await expect(cancelled).rejects.toBe(reason);
  expect(input.value).toBe("typed");
  // What was sent before that may have failed, which is one.
  const failed = write("typed", () => Promise.reject(new Error("full")));
  await expect(failed).rejects.toMatchObject({ name: "KeptInputError", retry: action });
});

test("belongs to the project, or to the files whether somebody is signed in or not", () => {
  const other = { personal: new PersonalData(open.personal.database, "blog") } as OpenProject;
  const ofFiles = (project: OpenProject) => new UnsavedInput<string>(project, "files", "local", "en", "hash");
  input.save("of the shop");
  ofFiles(open).save("of the files");
  expect(new UnsavedInput(other, "project", "translation", "nl", "hash").value).toBeUndefined();
  expect(ofFiles(other).value).toBe("of the files");
  ofFiles(other).discard();
  expect([input.value, ofFiles(open).value]).toEqual(["of the shop", undefined]);
});

test("is said to be kept, with a way to discard it, only while there is any", async () => {
  const before = messages.length;
  input.notifySaved("cart.title");
  expect(messages.length).toBe(before);
  input.save("typed");
  clickInNextMessage("Discard");
  input.notifySaved("cart.title");
  expect(messages.slice(before)).toEqual([
    {
      kind: "information",
      text: "What you typed for cart.title is kept: the next edit starts from it.",
      actions: ["Discard"],
    },
  ]);
  await waitUntil(() => input.value === undefined);
});
