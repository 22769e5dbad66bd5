/** What is said of files that could not be read or written: which file, where, why, and what became of the others. */
import { expect, test } from "vitest";
import {
  fileProblemMessage,
  firstSourceProblem,
  locationText,
  messagesOf,
  unreadableFileError,
  unreadItems,
} from "../../../src/messages/file-problem-messages.ts";
import {
  fileChangedError,
  outsideProjectError,
  recoveryMessage,
  stagingError,
  unsafePathError,
  writeError,
} from "../../../src/messages/file-write-error-messages.ts";
import { localRefusalError } from "../../../src/messages/local-edit-error-messages.ts";
import { FileWriteError } from "../../../src/workspace/file-system/file-transaction.ts";
import type { LocalProblem } from "../../../src/workspace/local-files/local-entries.ts";
import type { UnparsedRange } from "../../../src/workspace/local-files/local-file.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };
const PATH = "lang/nl/cart.php";
const TITLE = { namespace: "cart", key: "title", context: null };
const problem = (code: string, changes: object = {}): LocalProblem =>
  ({ code, path: PATH, line: 3, column: 5, name: TITLE, ...changes }) as unknown as LocalProblem;

test("a place is a path, a line and a column, as far as they are known", () => {
  expect(locationText("a.json", 3, 5)).toBe("a.json:3:5");
  expect(locationText("a.json", 3, null)).toBe("a.json:3:1");
  expect(locationText("a.json", null, 5)).toBe("a.json");
});

test.each<[LocalProblem, string]>([
  [problem("syntax"), "an error; the file may be misread from here on"],
  [problem("duplicate"), "cart.title appears more than once in the file"],
  [problem("elsewhere"), "cart.title is also in another file, which takes precedence"],
  [problem("type"), "cart.title is not a text, so it is skipped"],
  [problem("expression"), "cart.title is code, so its text is not known"],
  [
    problem("encoding"),
    "not in an encoding that can be written. Save the file as UTF-8, and let it declare UTF-8.",
  ],
  [problem("unsupported"), "files of this format are not read here"],
  [
    problem("locale"),
    "a language that the service does not have. Add it there, or name it in “locales” of project-translations.json.",
  ],
  [
    problem("format", { format: "laravel_json" }),
    "the file is Laravel JSON. Set “format” to “laravel_json” in project-translations.json.",
  ],
  [problem("too_large"), "larger than 50 MB, so it is not read"],
])("a problem says its place, its key and what it is: %j", (given, message) => {
  expect(fileProblemMessage(given, SPELLING)).toBe(`${PATH}:3:5: ${message}`);
});

test("a problem without a place is that of the file", () => {
  expect(fileProblemMessage(problem("syntax", { line: null, name: null }))).toBe(
    `${PATH}: cannot be read: it is damaged, or not in its expected format`,
  );
  const saidOf = (reason?: string) => fileProblemMessage(problem("unreadable", { reason }));
  expect(saidOf("outside")).toBe(
    `${PATH}: a link out of the project, which is not followed. Put the file into the project.`,
  );
  expect(saidOf("broken_link")).toBe(
    `${PATH}: a link to something that does not exist. Correct or remove the link.`,
  );
  expect(saidOf("not_a_file")).toBe(`${PATH}: not a regular file. Rename or remove it.`);
  for (const reason of ["failed", undefined])
    expect(saidOf(reason)).toBe(`${PATH}: cannot be read. Check its permissions and the disk.`);
});

test("a file that a command needs is unsafe behind a link out of the project, else invalid", () => {
  for (const reason of ["outside", "broken_link", "not_a_file", "failed"] as const)
    expect(unreadableFileError(PATH, reason)).toMatchObject({
      code: reason === "outside" ? "unsafe_file" : "invalid",
      details: { reason: "unreadable_file" },
    });
});

test("what could not be read is an item for all keys of its file, with the problem of that file", () => {
  const ranges = [
    { path: "a.php", namespace: "a", line: 1, column: 2 },
    { path: "b.php", namespace: null, line: null, column: null },
  ] as unknown as readonly UnparsedRange[];
  const incomplete = [
    problem("syntax", { path: "c.php" }),
    problem("too_large", { path: "b.php", line: null, name: null }),
  ];
  const items = unreadItems({ incomplete }, ranges);
  const whole = { key: "*", context: null, field: "file" };
  expect(items).toEqual([
    { ...whole, namespace: "a", file: "a.php", messages: ["a.php:1:2"] },
    {
      ...whole,
      namespace: "*",
      file: "b.php",
      messages: ["b.php: larger than 50 MB, so it is not read"],
    },
  ]);
  expect(messagesOf(items)).toBe("a.php:1:2; b.php: larger than 50 MB, so it is not read");
});

test("source texts are hidden by a folder that may have them, else by the first grave problem of a source file", () => {
  const file = (locale: string, ...problems: readonly LocalProblem[]) => ({
    locales: new Set([locale]),
    problems,
  });
  const folder = (path: string, mayHaveSourceTexts: boolean) => ({
    path,
    reason: "failed",
    mayHaveSourceTexts,
  });
  const said = (files: readonly object[], ...unreadableFolders: readonly object[]): string | undefined => {
    const local = { files, sourceLocale: "en", unreadableFolders };
    return firstSourceProblem({ ...SPELLING, local: local as never });
  };
  const files = [
    file("nl", problem("syntax", { path: "nl.php" })),
    file("en", problem("duplicate"), problem("elsewhere"), problem("type")),
    file("en", problem("expression"), problem("syntax")),
  ];
  expect(said(files, folder("lang/nl", false))).toBe(
    `${PATH}:3:5: cart.title is code, so its text is not known`,
  );
  expect(said(files, folder("lang/nl", false), folder("lang", true))).toBe(
    "lang: cannot be read. Check its permissions and the disk.",
  );
  expect(said(files.slice(0, 2))).toBeUndefined();
});

test.each([
  [["ENOSPC", "EDQUOT", "EFBIG"], "disk_full", `There is not enough disk space for ${PATH}.`],
  [["EACCES", "EPERM", "EROFS", "NoPermissions"], "read_only", `${PATH} or its folder is read-only.`],
  [["ENOENT", "FileNotFound"], "folder_missing", `The folder of ${PATH} no longer exists.`],
  [
    ["EISDIR", "ENOTDIR", "EEXIST", "FileIsADirectory", "FileNotADirectory"],
    "in_the_way",
    `${PATH} is a folder instead of a file, or a file instead of a folder.`,
  ],
  [["ENAMETOOLONG"], "name_too_long", `The name of ${PATH} is too long for this disk.`],
  [["EBUSY", "ETXTBSY"], "in_use", `Another program is using ${PATH}.`],
  [["EIO", 5, undefined], "disk", `${PATH} could not be written.`],
])("a write that failed with %j says why, and that no file was changed", (codes, reason, sentence) => {
  for (const code of codes) {
    const error = writeError(Object.assign(new Error("words"), { code }), PATH);
    expect([error.code, error.details.reason]).toEqual(["unsafe_file", reason]);
    expect(error.message.startsWith(sentence)).toBe(true);
    expect(error.message).toMatch(/No file was changed\.$/u);
  }
  expect(writeError(undefined, PATH).details.reason).toBe("disk");
});

test("a write that failed after others names its own file, and those that were written and stayed so", () => {
  const nameOf = (path: string): string => path.replace("/app/", "");
  const cause = Object.assign(new Error("full"), { code: "ENOSPC" });
  const error = new FileWriteError("/app/b.php", cause, ["/app/a.php", "/app/c.php"]);
  expect(stagingError(error, nameOf, "first.php").message).toBe(
    "There is not enough disk space for b.php. Free up space, then try again. These files were written and could not be restored: a.php, c.php.",
  );
  expect(stagingError(cause, nameOf, "first.php").message).toMatch(
    /space for first\.php\..*No file was changed\.$/u,
  );
});

test.each([
  ["lang/nl/cart.php", null],
  [".git/hooks/post-commit", "is in a folder whose contents a tool may run"],
  ["../outside.php", "../outside.php is outside the project"],
])("a path may be written, or is refused with a reason: %s", (path, reason) => {
  const error = unsafePathError(path);
  if (reason === null) expect(error).toBeNull();
  else expect(error).toMatchObject({ code: "unsafe_file", message: expect.stringContaining(reason) });
  expect(outsideProjectError(path)).toMatchObject({ code: "unsafe_file" });
});

test("files that changed, or whose writing was interrupted, are named", () => {
  expect(fileChangedError(["a.php", "b.php"])).toMatchObject({
    code: "file_changed",
    message: expect.stringMatching(/^a\.php, b\.php .* nothing was written\. Try again\.$/u),
  });
  expect(recoveryMessage("completed", ["a", "b"])).toMatch(/They have now been completed: a, b\.$/u);
  expect(recoveryMessage("rolled-back", ["a", "b"])).toMatch(/they are unchanged: a, b\. Try again\.$/u);
});

type Refusal = Parameters<typeof localRefusalError>[2];
test.each<[Refusal["reason"], string, string]>([
  ["no_file", "not_found", "No translation file of this project contains keys like cart.title."],
  ["not_found", "not_found", "No translation file of this project contains keys like cart.title."],
  ["unreadable", "unsafe_file", `The encoding or format of ${PATH}:3:5 is not what it claims to be`],
  ["too_large", "unsafe_file", `${PATH}:3:5 is larger than 50 MB`],
  ["encoding", "invalid", `The encoding of ${PATH}:3:5 cannot represent this text.`],
  ["expression", "invalid", `The value of cart.title in ${PATH}:3:5 is code`],
  ["interpolation", "invalid", `The value of cart.title in ${PATH}:3:5 is code`],
  ["source", "invalid", `The text of cart.title in ${PATH}:3:5 is the source text itself`],
  ["forms", "invalid", `${PATH}:3:5 cannot hold all plural forms of cart.title.`],
  ["syntax", "invalid", `${PATH}:3:5 has an error, so it was not changed.`],
  [
    "generated",
    "invalid",
    `${PATH}:3:5 is made by another program, so it was not changed. Change cart.title in`,
  ],
  ["conflict", "invalid", `cart.title cannot be written to ${PATH}:3:5 in its current state.`],
  ["unsupported", "invalid", `cart.title cannot be written to ${PATH}:3:5 in its current state.`],
])("a text that a file does not take says its key and place: %s", (reason, code, sentence) => {
  const refusal = { path: PATH, reason, line: 3, column: 5 } as Refusal;
  const error = localRefusalError(SPELLING, TITLE, refusal);
  expect([error.code, error.details]).toEqual([code, { reason }]);
  expect(error.message.startsWith(sentence), error.message).toBe(true);
});
