/** A translation file read and changed by another thread: the same comes of it as in this one, in small pieces. */
import { MessageChannel } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { editOver, readOver } from "../../../src/core/formats/conversation.ts";
import { serve } from "../../../src/core/formats/conversation-worker.ts";
import { direct } from "../../../src/core/formats/direct.ts";
import { type PackedStrings, stringAt } from "../../../src/core/formats/packed-strings.ts";
import type { Change, ReadOptions } from "../../../src/core/formats/format.ts";
import { isNotReadable } from "../../../src/core/formats/translation-file.ts";
import type { FormatName } from "../../../src/api/schemas.ts";
import { lineOf } from "../support/port-line.ts";

const { port1, port2 } = new MessageChannel();
/** The keys of each question. */
const asked: (string | null)[][] = [];

const here = lineOf(port1, (message) => {
  const { kind, names } = message as { kind: string; names?: { length: number; keys: PackedStrings } };
  if (kind !== "names" || names === undefined) return;
  asked.push(Array.from({ length: names.length }, (_, index) => stringAt(names.keys, index)));
});
void serve(lineOf(port2));
afterAll(() => port1.close());

const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const OPTIONS: ReadOptions = { locale: "nl", sourceLocale: "en" };
const many = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, `t${index}`])));

const read = async (format: FormatName, bytes: Uint8Array, options = OPTIONS): Promise<object> => {
  const result = await readOver(here, format, bytes, options, yieldNow);
  return isNotReadable(result) ? result : { ...result, entries: [...result.entries] };
};
const edit = (
  format: FormatName,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
): ReturnType<typeof editOver> => editOver(here, format, bytes, changes, OPTIONS, yieldNow);

describe("reading", () => {
  test.each<[FormatName, string]>([
    ["json_js", '{ "a": { "b": "c" }, "n": 5, "x_one": "1", "x_other": "2" }'],
    ["laravel_php", "<?php return ['a' => 'x|y', 'b' => env('B'), // why\n 'c' => ['d' => 'e']];"],
    ["csv", "key,en,nl\na,b,c\n"],
    ["json_js", "nonsense"],
    ["json_js", many(5_000)],
  ])("%s as in this thread: %.40s", async (format, text) => {
    const bytes = utf8(text);
    const { locale = null, ...plain } = (await direct.read(format, bytes, OPTIONS)) as { locale?: string };
    expect(await read(format, bytes)).toEqual({ ...plain, locale });
    // The caller's bytes are still its own.
    expect(bytes.length).toBe(utf8(text).length);
  });

  test("asks for all names of a large file at once", async () => {
    asked.length = 0;
    await read("json_js", utf8(many(5_500)));
    expect(asked.map((names) => names.length)).toEqual([5_500]);
  });

  test("asks which keys are plural, and reads by the answer", async () => {
    const bytes = utf8("<?php return ['apples' => 'a|b', 'pipe' => 'c|d', 'plain' => 'e'];");
    const isPlural = (key: string): boolean | undefined => (key === "pipe" ? false : undefined);
    const options = { ...OPTIONS, isPlural };
    asked.length = 0;
    expect(await read("laravel_php", bytes, options)).toMatchObject(
      await direct.read("laravel_php", bytes, options),
    );
    expect(asked).toEqual([["apples", "pipe", "plain"]]);
    // What was said once is only thought the next time.
    expect(await read("laravel_php", bytes)).toMatchObject(await direct.read("laravel_php", bytes, OPTIONS));
  });

  test("asks for no name again as long as the same answers hold", async () => {
    const bytes = utf8("<?php return ['one' => 'a|b', 'two' => 'c|d'];");
    const isPlural = (): boolean => false;
    const first = { ...OPTIONS, isPlural, kinds: "first" };
    asked.length = 0;
    for (let round = 0; round < 2; round++) {
      expect(await read("laravel_php", bytes, first)).toMatchObject(
        await direct.read("laravel_php", bytes, first),
      );
    }
    await read("laravel_php", utf8("<?php return ['one' => 'a|b', 'three' => 'c|d'];"), first);
    expect(asked).toEqual([["one", "two"], ["three"]]);
    const other = { ...OPTIONS, isPlural: () => true, kinds: "other" };
    expect(await read("laravel_php", bytes, other)).toMatchObject(
      await direct.read("laravel_php", bytes, other),
    );
    // The first answers are known still, and hold again.
    expect(await read("laravel_php", bytes, first)).toMatchObject(
      await direct.read("laravel_php", bytes, first),
    );
    expect(asked.length).toBe(3);
  });

  test("tells what is not in its encoding, and where", async () => {
    expect(await read("json_js", Uint8Array.of(0x7b, 0x0a, 0xff))).toEqual({
      refused: "encoding",
      line: 2,
      column: 1,
    });
  });
});

describe("changing", () => {
  test("gives the bytes and what was refused", async () => {
    const bytes = utf8('{\n  "a": "b",\n  "c": "d"\n}\n');
    const changes: Change[] = [
      { key: "a", context: null, text: { value: "z" } },
      { key: "none", context: null, text: null },
    ];
    const edited = await edit("json_js", bytes, changes);
    expect(edited).toEqual(await direct.edit("json_js", bytes, changes, OPTIONS));
    expect(new TextDecoder().decode((edited as { bytes: Uint8Array }).bytes)).toContain('"a": "z"');
  });

  test("the given bytes themselves when nothing changed", async () => {
    const bytes = utf8('{ "a": "b" }');
    const edited = await edit("json_js", bytes, [{ key: "a", context: null, text: { value: "b" } }]);
    expect((edited as { bytes: Uint8Array }).bytes).toBe(bytes);
  });

  test("of thousands of changes in one file, and of a file that is not there", async () => {
    const changes = Array.from({ length: 2_500 }, (_, index): Change => {
      return { key: `k${index}`, context: null, text: { value: `new ${index}` } };
    });
    const edited = (await edit("json_js", undefined, changes)) as { bytes: Uint8Array };
    const texts = JSON.parse(new TextDecoder().decode(edited.bytes)) as Record<string, string>;
    expect([Object.keys(texts).length, texts["k2499"]]).toEqual([2_500, "new 2499"]);
  });
});

test("what fails is told, and the next work is done all the same", async () => {
  await expect(read("nothing" as FormatName, utf8("{}"))).rejects.toThrow("not read here");
  expect(await read("json_js", utf8('{ "a": "b" }'))).toMatchObject({ entries: [{ key: "a" }] });
});
