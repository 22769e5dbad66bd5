/** Exports that would write files of tools, or one file under two names, are refused completely. */
import { strToU8, zipSync, type Zippable } from "fflate";
import { describe, expect, test } from "vitest";
import { exportedFiles } from "../../../src/workspace/local-files/map-export-to-local-files.ts";
import { isInToolFolder } from "../../../src/workspace/project-file/project-file.ts";
import { ZipError } from "../../../src/formats/zip.ts";

const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);

function refusal(bytes: Uint8Array, fileName: string | null = "all.zip"): string {
  const answer = {
    kind: "file",
    bytes,
    etag: null,
    fileName,
    mediaType: "application/octet-stream",
  } as const;
  try {
    for (const file of exportedFiles({ ...answer, bytes: new Uint8Array(bytes) })) file.read();
    return "taken";
  } catch (error) {
    if (error instanceof ZipError) return error.kind;
    throw error;
  }
}

describe("archive", () => {
  const file = strToU8("{}");

  test.each<[string, Zippable]>([
    ["a link", { "lang/nl.json": [strToU8("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] }],
    ["a name that Windows cuts to another's", { "lang/nl.json": file, "lang/nl.json.": file }],
    ["a blank at a name's end", { "lang/nl.json ": file }],
    ["a folder of dots", { "lang/.../nl.json": file }],
    ["a stream of another file", { "lang/nl.json:evil": file }],
    ["another machine", { "//server/share/nl.json": file }],
    ["this folder", { "./nl.json": file }],
    ["an empty part", { "lang//nl.json": file }],
  ])("with %s is rejected", (_, entries) => {
    expect(refusal(zipSync(entries))).toBe("unsafe");
  });

  test("with a duplicate name is rejected", () => {
    const zip = Buffer.from(zipSync({ "lang/a.json": file, "lang/b.json": file }));
    for (let at = zip.indexOf("lang/b.json"); at !== -1; at = zip.indexOf("lang/b.json"))
      zip.write("lang/a.json", at);
    expect(refusal(zip)).toBe("unsafe");
  });

  test("that is encrypted is rejected", () => {
    const zip = Buffer.from(zipSync({ "lang/nl.json": file }));
    const at = zip.indexOf(CENTRAL) + 8;
    zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at);
    expect(refusal(zip)).toBe("unreadable");
  });

  test("that is valid is accepted", () => {
    expect(
      refusal(zipSync({ "lang/nl.json": file, "lang/admin/nl.json": file, ".lang/pt_BR@x.json": file })),
    ).toBe("taken");
  });
});

test.each(["../nl.json", "/etc/passwd", "a\\b.json", "nl.json:x", "nl\u0000.json", "nl.json.", ".", ""])(
  "rejects a single file named %j",
  (name) => {
    expect(refusal(strToU8("{}"), name)).toBe("unsafe");
  },
);

describe("path of another tool's configuration", () => {
  test.each([
    ".git/config",
    "app/.git/hooks/post-checkout",
    ".GIT/config",
    ".git./config",
    ".git /config",
    "git~1/config",
    ".g\u200cit/config",
    ".vscode/settings.json",
    ".devcontainer/devcontainer.json",
    ".github/workflows/x.json",
    ".husky/pre-commit",
    "node_modules/x/index.js",
  ])("%s", (path) => expect(isInToolFolder(path)).toBe(true));

  test.each(["lang/nl.json", "git/nl.json", ".github.json", "x.git/nl.json", "vscode/nl.json", ".gitignore"])(
    "does not include %s",
    (path) => expect(isInToolFolder(path)).toBe(false),
  );
});
