/**
 * Measures the file formats against the libraries that others build on, in one process and in turns, so that the
 * ratios hold on a busy machine too: `node --expose-gc formats-bench.ts`. Then the time and the memory of a large project.
 */
import { Database } from "../../src/database/database.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parse as parseModule } from "@babel/parser";
import gettextParser from "gettext-parser";
import { parseTree } from "jsonc-parser";
import PhpParser from "php-parser";
import PO from "pofile";
import { xliff12ToJs } from "xliff";
import { applyEdit } from "../../src/formats/editing/apply-verified-edit.ts";
import type { Entry, Format, NewEntry } from "../../src/formats/format.ts";
import { formatOf } from "../../src/formats/supported-formats.ts";
import { LocalEntries } from "../../src/workspace/local-files/local-entries.ts";
import { createLocalFileIndexing } from "../../src/workspace/local-files/local-file-loader.ts";
import { folderFiles } from "../../src/workspace/file-system/disk-files.ts";
import { isForms } from "../../src/model/translation-text.ts";
import { projectFiles } from "../unit/support/node-platform.ts";

/** Enough for the engine to know the code. */
const TURNS = 40;
const OPTIONS = { locale: "nl", sourceLocale: "en" };

interface BenchFile {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** What is compared: the same work on the same file by us and by others. `null`: the other cannot do it. */
interface Comparison {
  readonly what: string;
  readonly files: readonly BenchFile[];
  readonly ours: (file: BenchFile) => unknown;
  readonly others: Readonly<Record<string, (file: BenchFile) => unknown>>;
}

await formatOf("js_module")?.prepare?.();
const php = new PhpParser.Engine({ parser: { php8: true, version: "8.5" }, ast: { withPositions: true } });
const files = new Map<string, readonly BenchFile[]>();
const of = (name: string): readonly BenchFile[] => {
  const made = files.get(name) ?? madeFiles(name);
  files.set(name, made);
  return made;
};
const comparisons: readonly Comparison[] = [
  {
    what: "read PHP arrays",
    files: of("laravel_php"),
    ours: reading("laravel_php"),
    others: { "php-parser": ({ text }) => php.parseCode(text, "file.php") },
  },
  {
    what: "read JSON",
    files: of("json_js"),
    ours: reading("json_js"),
    others: {
      "jsonc-parser": ({ text }) => parseTree(text),
      "JSON.parse (no positions)": ({ text }) => JSON.parse(text) as unknown,
    },
  },
  {
    what: "read JavaScript modules (the JSON files as such)",
    files: of("json_js").map(({ text }) => asFile(`export default ${text.trim()};\n`)),
    ours: reading("js_module"),
    others: { "@babel/parser": ({ text }) => parseModule(text, { sourceType: "module" }) },
  },
  {
    what: "read PO",
    files: of("po"),
    ours: reading("po"),
    others: {
      "gettext-parser": ({ bytes }) => gettextParser.po.parse(Buffer.from(bytes)),
      pofile: ({ text }) => PO.parse(text),
    },
  },
  {
    what: "read MO",
    files: of("mo"),
    ours: reading("mo"),
    others: { "gettext-parser": ({ bytes }) => gettextParser.mo.parse(Buffer.from(bytes)) },
  },
  {
    what: "read XLIFF 1.2",
    files: of("xliff12"),
    ours: reading("xliff12"),
    others: { xliff: ({ text }) => xliff12ToJs(text) },
  },
  {
    what: "change one value in JSON",
    files: of("json_js"),
    ours: editing("json_js"),
    others: {
      "parse and stringify": ({ text }) => {
        const content = JSON.parse(text) as Record<string, unknown>;
        content["changed"] = "changed";
        return JSON.stringify(content, null, 2);
      },
    },
  },
  {
    what: "change one value in PO",
    files: of("po"),
    ours: editing("po"),
    others: {
      "gettext-parser": ({ bytes }) => gettextParser.po.compile(gettextParser.po.parse(Buffer.from(bytes))),
      pofile: ({ text }) => PO.parse(text).toString(),
    },
  },
];

for (const comparison of comparisons) await compare(comparison);
await openLarge();

async function compare({ what, files, ours, others }: Comparison): Promise<void> {
  const workers = { "this extension": ours, ...others };
  const best = new Map<string, number>();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, work] of Object.entries(workers)) {
      const start = process.cpuUsage();
      for (const file of files) await work(file);
      const { user, system } = process.cpuUsage(start);
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1000));
    }
  }
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  const own = best.get("this extension") ?? 0;
  console.log(`\n${what}: ${files.length} files, ${megabytes.toFixed(1)} MB`);
  for (const [name, milliseconds] of best) {
    const seconds = Math.max(milliseconds, 0.1) / 1000;
    const rates = `${Math.round(files.length / seconds)} files/s  ${(megabytes / seconds).toFixed(1)} MB/s`;
    console.log(`  ${name.padEnd(28)} ${rates.padStart(28)}  ${(milliseconds / own).toFixed(2)} ×`);
  }
}

function formatNamed(name: string): Format {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`${name} is no format of ours`);
  return format;
}

function reading(name: string): (file: BenchFile) => unknown {
  const format = formatNamed(name);
  return format.kind === "binary"
    ? ({ bytes }) => format.read(bytes, OPTIONS)
    : ({ text }) => format.read(text, OPTIONS);
}

/** Changes the first value, with the check that all others stay: the file is read before and after. */
function editing(name: string): (file: BenchFile) => unknown {
  const format = formatNamed(name);
  if (format.kind !== "text") throw new Error(`${name} is not text`);
  const entries = new Map<string, Entry | undefined>();
  return ({ text }) => {
    if (!entries.has(text)) {
      entries.set(
        text,
        format.read(text, OPTIONS).entries.find((one) => !isForms(one.text)),
      );
    }
    const entry = entries.get(text);
    return entry && applyEdit(format, text, [{ ...entry, text: { value: "changed" } }], OPTIONS);
  };
}

function asFile(text: string): BenchFile {
  return { text, bytes: new TextEncoder().encode(text) };
}

/** Ten files of 400 entries each: nested names, texts of usual lengths, markup, placeholders, quotes and other scripts. */
function madeFiles(name: string): readonly BenchFile[] {
  const format = formatNamed(name);
  const texts = [
    "Save",
    "The text of number {n}, which is as long as texts are",
    'Please <a href=":url">read the terms</a> & sign :name\'s order',
    'Één regel met "aanhalingstekens" en een €-teken',
    "日本語の文章です。",
  ];
  return Array.from({ length: 10 }, (_, file) => {
    const entries = Array.from({ length: 400 }, (_, at): NewEntry => {
      const value = (texts[(at + file) % texts.length] ?? "").replace("{n}", String(at));
      return {
        key: `area${at % 20}.group${at % 5}.name_${at}`,
        context: null,
        namespace: format.name.startsWith("xliff") ? "messages" : null,
        text: { value },
        source: { value: `Source ${value}` },
      };
    });
    const printed = format.print(entries, OPTIONS);
    if (typeof printed === "string") return asFile(printed);
    return { bytes: printed, text: "" };
  });
}

/** A project of 100 locales and 200,000 entries, from its files to the tables that everything looks things up in. */
async function openLarge(): Promise<void> {
  const [locales, count] = [100, 2000];
  const folder = await mkdtemp(join(tmpdir(), "project-translations-bench-"));
  try {
    await mkdir(join(folder, "locales"));
    const names = localeNames(locales);
    for (const locale of names) {
      const texts = Array.from({ length: count }, (_, at) => [
        `area${at % 20}.key_${at}`,
        `${locale}: the text of number ${at}, which is as long as texts are`,
      ]);
      await writeFile(
        join(folder, "locales", `${locale}.json`),
        JSON.stringify(Object.fromEntries(texts), null, 2),
      );
    }
    const before = heap();
    const database = new Database(join(folder, "project.db"));
    const fileIndexing = createLocalFileIndexing(database, folderFiles(folder));
    const local = new LocalEntries({
      database,
      version: "1",
      files: projectFiles(folder),
      keysVersion: () => 0,
      indexing: () => fileIndexing,
    });
    local.configure({
      files: [{ path: "locales/{locale}.json", format: "json_js" }],
      locales: {},
      sourceLocale: "en",
      serviceLocales: names,
    });
    const start = performance.now();
    await local.load();
    const milliseconds = performance.now() - start;
    const entries = local.files.reduce((sum, file) => sum + file.entries.length, 0);
    const bytes = ((heap() - before) * 1e6) / entries;
    console.log(`\nopen ${locales} locales with ${entries} entries: ${Math.round(milliseconds)} ms`);
    console.log(`  memory per entry: ${Math.round(bytes)} bytes`);
    database.close();
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `en` and other names that have a locale's shape. */
function localeNames(count: number): string[] {
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  return ["en", ...all.filter((name) => name !== "en")].slice(0, count);
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
