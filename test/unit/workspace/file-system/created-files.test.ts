/** Deletions of created files that no watcher reports, on disk. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CreatedFiles } from "../../../../src/workspace/file-system/created-files.ts";
import { waitUntil } from "../../support/wait-until.ts";

const folder = mkdtempSync(join(tmpdir(), "pt-created-"));
const deleted: string[] = [];
const files = new CreatedFiles((path) => deleted.push(path), 5);

afterEach(() => {
  files.dispose();
  rmSync(folder, { recursive: true });
});

it("notices a deletion of what was created, unless a watcher has reported the file", async () => {
  const paths = ["reported.json", "first.json", "second.json"].map((name) => join(folder, name));
  const [reported = "", first = "", second = ""] = paths;
  for (const path of paths) writeFileSync(path, "{}");
  files.add([reported, first, second]);
  files.reported(reported);
  rmSync(reported);
  rmSync(first);
  await waitUntil(() => deleted.length === 1);
  rmSync(second);
  await waitUntil(() => deleted.length === 2);
  expect(deleted).toEqual([first, second]);
});
