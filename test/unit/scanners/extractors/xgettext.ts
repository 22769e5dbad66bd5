/** Runs GNU xgettext and the scanners over files and returns what both find. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FindOptions, KeyUsage } from "../../../../src/scanners/key-usage.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";

const XGETTEXT = "xgettext";

/** A kind of source: the language as xgettext calls it, and its keywords. */
export interface Kind {
  readonly language: "Python" | "PHP" | "JavaScript";
  readonly keywords: readonly string[];
  readonly options: FindOptions;
}

const GETTEXT = [
  ..."_ gettext gettext_noop gettext_lazy ngettext:1,2 ngettext_lazy:1,2".split(" "),
  ..."pgettext:1c,2 pgettext_lazy:1c,2 npgettext:1c,2,3 npgettext_lazy:1c,2,3 dgettext:2 dngettext:2,3".split(
    " ",
  ),
];
const PLAIN = "__ _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e".split(" ");
const IN_CONTEXT = "_x _ex esc_attr_x esc_html_x esc_xml_x".split(" ").map((name) => `${name}:1,2c`);

function kind(
  language: Kind["language"],
  framework: "gettext" | "wordpress" | "laravel",
  keywords: readonly string[],
): Kind {
  return { language, keywords, options: { frameworks: new Set([framework]), functions: [] } };
}

export const KINDS = {
  python: kind("Python", "gettext", GETTEXT),
  gettextPhp: kind("PHP", "gettext", GETTEXT),
  gettextJs: kind("JavaScript", "gettext", GETTEXT),
  wordpressPhp: kind("PHP", "wordpress", [
    ...PLAIN,
    ...IN_CONTEXT,
    ..."_n:1,2 _nx:1,2,4c _n_noop:1,2 _nx_noop:1,2,3c _".split(" "),
  ]),
  wordpressJs: kind("JavaScript", "wordpress", "__ _x:1,2c _n:1,2 _nx:1,2,4c".split(" ")),
  laravelPhp: kind("PHP", "laravel", "__ trans trans_choice".split(" ")),
} satisfies Record<string, Kind>;

/** `context|text`, and `|n` behind it where it is counted; by path. */
export type Found = ReadonlyMap<string, ReadonlySet<string>>;

/** What xgettext takes out of the files, which are relative to the folder. */
export function byXgettext(folder: string, paths: readonly string[], { language, keywords }: Kind): Found {
  const { stdout, stderr, status } = spawnSync(
    XGETTEXT,
    [
      `--language=${language}`,
      "--from-code=UTF-8",
      "--keyword",
      ...keywords.map((keyword) => `--keyword=${keyword}`),
      "--no-wrap",
      "--output=-",
      "--files-from=-",
    ],
    { cwd: folder, input: paths.join("\n"), encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  const none = paths.map((path) => [path, new Set<string>()] as const);
  return new Map([...none, ...readCatalogue(stdout)]);
}

/** The texts of a catalogue by the files that its references name. */
export function readCatalogue(catalogue: string): Found {
  const found = new Map<string, Set<string>>();
  for (const block of catalogue.split(/\n\n+/)) {
    const id = field(block, "msgid");
    if (id === null || id === "") continue;
    const said = saidAs(field(block, "msgctxt"), id, field(block, "msgid_plural") !== null);
    for (const [, line = ""] of block.matchAll(/^#: (.*)$/gm)) {
      for (const [, path = ""] of line.matchAll(/(.+?):\d+(?: |$)/g)) {
        const known = found.get(path);
        if (known === undefined) found.set(path, new Set([said]));
        else known.add(said);
      }
    }
  }
  return found;
}

/** What ours finds for certain in the same files. */
export function byOurs(folder: string, paths: readonly string[], { language, options }: Kind): Found {
  const id = { Python: "python", PHP: "php", JavaScript: "javascriptreact" }[language];
  return new Map(
    paths.map((path) => {
      const uses = usageLanguageFor(id)?.find(readFileSync(join(folder, path), "utf8"), options) ?? [];
      return [path, saidBy(uses)] as const;
    }),
  );
}

/** What the uses say for certain. */
export function saidBy(uses: readonly KeyUsage[]): ReadonlySet<string> {
  return new Set(
    uses.flatMap(({ expression, context, plural }) =>
      expression.kind === "static" && expression.key !== "" ? [saidAs(context, expression.key, plural)] : [],
    ),
  );
}

/** What only one of the two has. */
export function differences(
  xgettext: Found,
  ours: Found,
): { path: string; who: "xgettext" | "ours"; said: string }[] {
  const without = (who: "xgettext" | "ours", some: Found, others: Found) =>
    [...some].flatMap(([path, set]) =>
      [...set].filter((said) => others.get(path)?.has(said) !== true).map((said) => ({ path, who, said })),
    );
  return [...without("xgettext", xgettext, ours), ...without("ours", ours, xgettext)];
}

function saidAs(context: string | null, text: string, counted: boolean): string {
  return `${context ?? ""}|${text}${counted ? "|n" : ""}`;
}

/** A field of an entry, its lines joined and unescaped; `null`: the entry has none. */
export function field(block: string, name: string): string | null {
  const found = new RegExp(`^${name} ((?:"(?:[^"\\\\]|\\\\.)*"\\n?)+)`, "m").exec(`${block}\n`);
  if (found === null) return null;
  return [...(found[1] ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, part = ""]) => unescaped(part))
    .join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
};

function unescaped(written: string): string {
  return written.replaceAll(/\\([0-7]{3}|.)/g, (_, mark: string) =>
    mark.length === 3 ? String.fromCharCode(Number.parseInt(mark, 8)) : (ESCAPES[mark] ?? mark),
  );
}
