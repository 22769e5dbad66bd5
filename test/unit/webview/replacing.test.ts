/** Find and replace: the search, its preview, and then other ones. */
import { beforeEach, expect, it } from "vitest";
import { hashOf, openPage, settle } from "./editor-peer.ts";

type Page = Awaited<ReturnType<typeof openPage>>;

let page: Page;
let replacing: InstanceType<Page["state"]["Replacing"]>;
beforeEach(async () => {
  page = await openPage("en", "nl", "fr");
  replacing = new page.state.Replacing();
});

const keys = (): number[] => replacing.chosen.map(({ cell }) => Number(cell.hash));

async function preview(find: string, ...found: readonly number[]): Promise<void> {
  page.setMatches(...found);
  replacing.change({ find });
  await replacing.preview();
}

it("searches the listed keys, in the languages that are shown or in the chosen one", async () => {
  page.setFound(3, 4);
  await page.filter();
  await preview("text", 3);
  replacing.change({ locale: "fr", matchCase: true });
  await replacing.preview();
  const replacement = { find: "text", replacement: "", matchCase: false, wholeWord: false, isRegExp: false };
  expect(page.argsOf("findMatches")).toEqual([
    [[hashOf(3), hashOf(4)], ["en", "nl", "fr"], replacement],
    [[hashOf(3), hashOf(4)], ["fr"], { ...replacement, matchCase: true }],
  ]);
  replacing.change({ replacement: "x" });
  expect([replacing.locale, replacing.replacement]).toEqual([
    "fr",
    { ...replacement, matchCase: true, replacement: "x" },
  ]);
});

it("replaces the chosen matches of the last preview", async () => {
  await preview("text", 1, 2, 3);
  const [first, second] = replacing.matches?.matches ?? [];
  if (first === undefined || second === undefined) throw new Error("there are three");
  replacing.toggle(first);
  replacing.toggle(second);
  replacing.toggle(first);
  expect(keys()).toEqual([1, 3]);
  replacing.replace();
  await settle();
  expect(page.argsOf("replace")).toEqual([
    [[1, 3].map((key) => ({ locale: "nl", hash: hashOf(key) })), replacing.replacement],
  ]);
  await preview("other", 1, 2);
  expect(keys()).toEqual([1, 2]);
});

it("forgets the matches when the search changes, also those that arrive after that", async () => {
  await preview("text", 1);
  replacing.change({ replacement: "x" });
  expect([replacing.matches, keys()]).toEqual([null, []]);
  replacing.replace();
  const release = page.hold("findMatches");
  const previewed = preview("text", 1);
  await settle();
  replacing.change({ wholeWord: true });
  await release();
  await previewed;
  expect(replacing.matches).toBeNull();
  expect(page.argsOf("replace")).toEqual([]);
});

it("shows the answer to the last of two previews", async () => {
  const release = page.hold("findMatches");
  const first = preview("a", 1);
  await settle();
  const second = preview("b", 2);
  await release();
  await Promise.all([first, second]);
  expect(keys()).toEqual([2]);
});

it("searches nothing for nothing, or for what is no regular expression", async () => {
  await preview("", 1);
  expect(replacing.isValid).toBe(false);
  replacing.change({ isRegExp: true });
  await preview("(", 1);
  expect([replacing.isValid, page.argsOf("findMatches")]).toEqual([false, []]);
});
