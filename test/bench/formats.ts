/**
 * Measures the file formats against the libraries that others build on, in one process and in turns, so that the
 * ratios hold on a busy machine too: `node --expose-gc formats.ts`. Then the time and the memory of a large project.
 */
import { direct } from "../../src/core/formats/direct.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parse as parseModule } from "@babel/parser";
import gettextParser from "gettext-parser";
import { parseTree } from "jsonc-parser";
import PhpParser from "php-parser";
import PO from "pofile";
import { xliff12ToJs } from "xliff";
import { applyEdit } from "../../src/core/formats/edit.ts";
import type { Entry, Format } from "../../src/core/formats/format.ts";
import { recognisePath } from "../../src/core/formats/recognise.ts";
import { formatOf } from "../../src/core/formats/registry.ts";
import { NO_KEYS } from "../../src/core/key-map.ts";
import { LocalEntries } from "../../src/core/local-entries.ts";
import { isForms } from "../../src/core/text.ts";
import { projectFiles, sha1, yieldNow } from "../unit/support/node-ports.ts";

/** Real files beside the checkout, or where the variable says. */
const SHARED = process.env["PROJECT_SHARED"] ?? resolve(import.meta.dirname, "../../../shared");
/** Enough for the engine to know the code. */
const TURNS = 40;
const OPTIONS = { locale: "nl", sourceLocale: "en" };

interface RealFile {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** What is compared: the same work on the same file by us and by others. `null`: the other cannot do it. */
interface Comparison {
  readonly what: string;
  readonly files: readonly RealFile[];
  readonly ours: (file: RealFile) => unknown;
  readonly others: Readonly<Record<string, (file: RealFile) => unknown>>;
}

await formatOf("js_module")?.prepare?.();
const php = new PhpParser.Engine({ parser: { php8: true, version: "8.5" }, ast: { withPositions: true } });
const corpora = readAll(join(SHARED, "corpora"));
const of = (name: string): readonly RealFile[] => corpora.get(name) ?? [];
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
  if (files.length === 0) throw new Error(`there are no real files to ${what}`);
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

function reading(name: string): (file: RealFile) => unknown {
  const format = formatNamed(name);
  return format.kind === "text"
    ? ({ text }) => format.read(text, OPTIONS)
    : ({ bytes }) => format.read(bytes, OPTIONS);
}

/** Changes the first value, with the check that all others stay: the file is read before and after. */
function editing(name: string): (file: RealFile) => unknown {
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

function asFile(text: string): RealFile {
  return { text, bytes: new TextEncoder().encode(text) };
}

/** The real files by format; those that name no format by their path are left out. */
function readAll(folder: string): Map<string, RealFile[]> {
  const found = new Map<string, RealFile[]>();
  if (!existsSync(folder))
    throw new Error(`There are no real files at ${folder}; PROJECT_SHARED says where they are.`);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const format = recognisePath(path.replaceAll("\\", "/"))?.format;
    if (format === undefined) continue;
    const bytes = new Uint8Array(readFileSync(join(folder, path)));
    const files = found.get(format) ?? [];
    found.set(format, files);
    files.push({ bytes, text: new TextDecoder().decode(bytes) });
  }
  return found;
}

/** A project of 100 locales and 200,000 entries, from its files to the tables that everything looks things up in. */
async function openLarge(): Promise<void> {
  const [locales, keys] = [100, 2000];
  const folder = await mkdtemp(join(tmpdir(), "project-translations-bench-"));
  try {
    await mkdir(join(folder, "locales"));
    const names = localeNames(locales);
    for (const locale of names) {
      const texts = Array.from({ length: keys }, (_, at) => [
        `area${at % 20}.key_${at}`,
        `${locale}: the text of number ${at}, which is as long as texts are`,
      ]);
      await writeFile(
        join(folder, "locales", `${locale}.json`),
        JSON.stringify(Object.fromEntries(texts), null, 2),
      );
    }
    const before = heap();
    const local = new LocalEntries({
      files: projectFiles(folder),
      sha1,
      yieldNow,
      knownKeys: () => NO_KEYS,
      formats: direct,
    });
    local.configure({
      files: [{ path: "locales/{locale}.json", format: "json_js" }],
      locales: {},
      sourceLocale: "en",
      serviceLocales: names,
    });
    const start = performance.now();
    const snapshot = await local.load();
    const milliseconds = performance.now() - start;
    const entries = snapshot.files.reduce((sum, file) => sum + file.entries.length, 0);
    const bytes = ((heap() - before) * 1e6) / entries;
    console.log(`\nopen ${locales} locales with ${entries} entries: ${Math.round(milliseconds)} ms`);
    console.log(`  memory per entry: ${Math.round(bytes)} bytes`);
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
