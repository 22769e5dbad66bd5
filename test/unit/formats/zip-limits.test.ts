/** Zip bombs are refused before anything is decompressed. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { xlsx } from "../../../src/formats/spreadsheets/xlsx-format.ts";
import { readZip, ZipError } from "../../../src/formats/zip.ts";

const LIMITS = { entries: 1000, unpackedBytes: 50 * 1024 * 1024, ratio: 200 };

function refusal(bytes: Uint8Array): string {
  try {
    for (const entry of readZip(bytes, LIMITS)) entry.read();
    return "taken";
  } catch (error) {
    if (error instanceof ZipError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

const CENTRAL = Uint8Array.of(0x50, 0x4b, 1, 2);
const END = Uint8Array.of(0x50, 0x4b, 5, 6);

/** The directory's one record again and again, all of them naming the same packed bytes. */
function overlapping(inner: Uint8Array, times: number): Uint8Array {
  const zip = Buffer.from(zipSync({ "a.json": inner }));
  const start = zip.indexOf(CENTRAL);
  const end = zip.indexOf(END);
  const record = zip.subarray(start, end);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(times, 8);
  tail.writeUInt16LE(times, 10);
  tail.writeUInt32LE(record.length * times, 12);
  return new Uint8Array(
    Buffer.concat([zip.subarray(0, start), ...Array.from({ length: times }, () => record), tail]),
  );
}

describe("rejects", () => {
  test("overlapping entries", () => {
    const bomb = overlapping(new Uint8Array(900 * 1024), 900);
    expect(bomb.length).toBeLessThan(60_000);
    expect(() => readZip(bomb, LIMITS)).toThrow("unpacks to too many bytes");
  });

  test("too many entries", () => {
    expect(refusal(overlapping(strToU8("{}"), 1001))).toBe("unsafe: too many entries");
  });

  test("an entry with a wrong size", () => {
    const zip = Buffer.from(zipSync({ "a.json": new Uint8Array(4 * 1024 * 1024) }));
    zip.writeUInt32LE(1000, zip.indexOf(CENTRAL) + 24);
    expect(refusal(zip)).toBe("unreadable: entry is larger than declared");
  });

  test.each(["inner.zip", "lang/INNER.Zip"])("nested zips (%s)", (name) => {
    expect(refusal(zipSync({ [name]: zipSync({ "a.json": strToU8("{}") }) }))).toBe("unsafe: zip in a zip");
  });

  test("zip64 sizes", () => {
    const zip = Buffer.from(zipSync({ "a.json": strToU8("{}") }));
    zip.writeUInt32LE(0xffffffff, zip.indexOf(CENTRAL) + 24);
    expect(refusal(zip)).toBe("unsafe: unpacks to too many bytes");
    zip.writeUInt32LE(0xffffffff, zip.indexOf(END) + 16);
    expect(refusal(zip)).toBe("unreadable: directory is broken");
  });
});

test("reports a workbook that is a zip bomb without unpacking it", () => {
  const parts = (sheet: Uint8Array): Uint8Array =>
    zipSync({
      "[Content_Types].xml": strToU8("<Types/>"),
      "xl/workbook.xml": strToU8(
        '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      "xl/_rels/workbook.xml.rels": strToU8(
        '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/worksheets/sheet1.xml": sheet,
    });
  const options = { locale: "nl", sourceLocale: "en" };
  const message = (bytes: Uint8Array): string | undefined => xlsx.read(bytes, options).problems[0]?.message;
  expect(message(parts(new Uint8Array(12 * 1024 * 1024)))).toBe(
    "the zip cannot be used: compression ratio is too high",
  );
  expect(message(parts(zipSync({ "a.xml": strToU8("<worksheet/>") })))).toMatch(
    /not UTF-8|no header row|broken/u,
  );
  expect(message(parts(Uint8Array.of(0x3c, 0xff)))).toBe("xl/worksheets/sheet1.xml is not UTF-8");
  expect(message(overlapping(new Uint8Array(1000 * 1024), 5000))).toBe(
    "the zip cannot be used: unpacks to too many bytes",
  );
});
