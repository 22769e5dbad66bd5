/** Where new entries of a list are inserted: in its order, else after the last one like them, or at the end. */
import { expect, test } from "vitest";
import { entryInsertions, wordPrefixes } from "../../../../src/formats/editing/sort-order.ts";

/** An entry as `namespace:key@context`. */
function named(text: string): { namespace: string | null; key: string; context: string | null } {
  const [, namespace = null, key = "", context = null] = /^(?:(\w+):)?([^@]*)(?:@(.*))?$/.exec(text) ?? [];
  return { namespace, key, context };
}

const list = (text: string): readonly string[] => text.split(" ").filter((each) => each !== "");

test.each<readonly [title: string, entries: string, added: string, nearKey: boolean, after: string]>([
  ["by key", "a b d", "e c", false, "a b c d e"],
  ["by key and context", "a b@m b@p c", "b@n b", false, "a b b@m b@n b@p c"],
  ["by namespace and key", "s:a s:c t:b", "s:b t:a", false, "s:a s:b s:c t:a t:b"],
  ["by key alone, in several namespaces", "t:a s:b t:c", "s:bb", false, "t:a s:b s:bb t:c"],
  ["at the end, without an order", "b a", "c", false, "b a c"],
  ["at the end, since two may be in order by chance", "a d", "b", false, "a d b"],
  ["after one like it", "z.a b z.c a", "z.b", true, "z.a b z.c z.b a"],
  ["after the last one of its namespace", "s:b s:a t:z t:y", "s:q", true, "s:b s:a s:q t:z t:y"],
  ["not after one of another namespace", "s:z.a s:b t:q t:a", "t:z.b", true, "s:z.a s:b t:q t:a t:z.b"],
  ["in the given order, without one in the list", "b a", "d c", false, "b a d c"],
  ["before all", "b c d", "a", false, "a b c d"],
  ["in the order of a list that has one twice", "a b b d", "c", false, "a b b c d"],
  ["after one that only differs in case", "a B c D", "b", false, "a B b c D"],
  ["by segments", "a.b a.c a-b b", "a-c a.d", false, "a.b a.c a.d a-b a-c b"],
  ["as people sort", "apfel Äpfel Birne zwei", "Öl chor", false, "apfel Äpfel Birne chor Öl zwei"],
  ["as people sort, digit by digit", "apfel Äpfel s10 s2", "s3 s11", false, "apfel Äpfel s10 s11 s2 s3"],
  ["by numbers", "s1 s2 s10", "s11 s3", false, "s1 s2 s3 s10 s11"],
  ["without signs", "_a b -c d", "-bb", false, "_a b -bb -c d"],
  ["where they belong, whatever their own order is", "z.a b z.c a", "q z.b", true, "z.a b z.c z.b a q"],
])("new entries are %s", (_, entries, added, nearKey, after) => {
  const old = list(entries).map(named);
  const insertions = entryInsertions(old, list(added).map(named), { nearKey });
  const result: unknown[] = [...old];
  for (const [index, values] of insertions.toReversed()) result.splice(index + 1, 0, ...values);
  expect(result).toEqual(list(after).map(named));
});

test("the prefixes of a name end with whole words, and of a very long one are few", () => {
  expect(wordPrefixes("page.titleShort")).toEqual(["page", "page.", "page.title", "page.titleShort"]);
  expect(wordPrefixes("a_b-c:d/e f1G")).toEqual(
    ["a", "a_", "a_b", "a_b-", "a_b-c", "a_b-c:", "a_b-c:d", "a_b-c:d/", "a_b-c:d/e", "a_b-c:d/e "].concat([
      "a_b-c:d/e f1",
      "a_b-c:d/e f1G",
    ]),
  );
  expect(wordPrefixes(`${"a".repeat(199)}.b`)).toEqual(["a".repeat(199), `${"a".repeat(199)}.`]);
  expect(wordPrefixes(`${"a".repeat(201)}.b`)).toEqual([]);
  expect([200, 201].map((length) => wordPrefixes("a".repeat(length)))).toEqual([["a".repeat(200)], []]);
  const long = "ab.".repeat(300);
  expect(wordPrefixes(long).length).toBeLessThan(25);
  expect(wordPrefixes(long)).not.toContain(long);
});
