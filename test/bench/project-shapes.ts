/**
 * Projects as they are in the world, generated: the same for the same shape. Their layouts are recognised, since they
 * have no project file; nothing here knows what is measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FormatName } from "../../src/model/file-formats.ts";
import { LOCALES, SHORT_FILE, writeCode, writeTexts } from "./vue-workspace.ts";
import { keyAt, textAt } from "./laravel-workspace.ts";

/** What is measured in a folder. */
export interface BenchProject {
  /** The source file that the window opens with. */
  readonly file: string;
  /** A usage in that file, and a part of its source text. */
  readonly hover: { readonly usage: string; readonly text: string };
}

/** A generated project that can also be at the service. */
export interface Shape extends BenchProject {
  /** The languages, the source first. */
  readonly locales: readonly string[];
  /** The service's type of project. */
  readonly type: string;
  /** The layout of the files, and the files of a language. */
  readonly pattern: string;
  readonly format: FormatName;
  readonly files: (locale: string) => readonly string[];
  readonly write: (folder: string) => Promise<void>;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");
/** English, and languages that VS Code knows a name of where there are enough. */
const KNOWN =
  "en af am ar az be bg bn bs ca cs cy da de el eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu".split(
    " ",
  );
const localesOf = (count: number): readonly string[] => {
  const others = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}-XA`));
  return [...KNOWN, ...others].slice(0, count);
};

/** 70 languages of 75 PHP files and 2,800 keys each. */
const LARAVEL = { locales: localesOf(70), namespaces: 75, keys: 2_800, sourceFiles: 1_500 };
/** 60 languages of 17 apps and 3,400 messages: 1,020 PO files. */
const GETTEXT = { locales: localesOf(60), apps: 17, messages: 200, sourceFiles: 1_000 };
/** 100 languages of one JSON file with 2,000 keys. */
const JSON_MANY = { locales: localesOf(100), keys: 2_000, sourceFiles: 600 };
/** Ten languages of 50,000 keys, 20,000 source files. */
const LARGE = { keys: 50_000, sourceFiles: 20_000 };

const laravelKey = (number: number): { namespace: string; key: string } => ({
  namespace: `part${number % LARAVEL.namespaces}`,
  key: `${keyAt(number).key.split(".")[1]}_${number}`,
});
const message = (app: number, number: number): string =>
  `Text ${number} of app ${app}, which is about as long as a sentence in a form`;

/** The shapes by name. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  "laravel-many": {
    file: "resources/views/page0.blade.php",
    hover: { usage: `'${laravelKey(0).namespace}.${laravelKey(0).key}'`, text: "of number 0 " },
    locales: LARAVEL.locales,
    type: "laravel",
    pattern: "lang/{locale}/{namespace}.php",
    format: "laravel_php",
    files: (locale) =>
      Array.from({ length: LARAVEL.namespaces }, (_, part) => `lang/${locale}/part${part}.php`),
    write: writeLaravel,
  },
  "gettext-many": {
    file: "app0/views0.py",
    hover: { usage: `"${message(0, 0)}"`, text: "Text 0 of app 0" },
    locales: GETTEXT.locales,
    type: "django",
    pattern: "{namespace}/locale/{locale}/LC_MESSAGES/django.po",
    format: "po",
    files: (locale) =>
      Array.from({ length: GETTEXT.apps }, (_, app) => `app${app}/locale/${locale}/LC_MESSAGES/django.po`),
    write: writeGettext,
  },
  "json-many": {
    file: "src/view0.tsx",
    hover: { usage: `"key_0"`, text: "of number 0 " },
    locales: JSON_MANY.locales,
    type: "i18next",
    pattern: "public/locales/{locale}/{namespace}.json",
    format: "json_js",
    files: (locale) => [`public/locales/${locale}/translation.json`],
    write: writeJson,
  },
  large: {
    file: SHORT_FILE,
    hover: { usage: `t("area0.`, text: "of number " },
    locales: LOCALES,
    type: "vue-i18n",
    pattern: "locales/{locale}.json",
    format: "json_js",
    files: (locale) => [`locales/${locale}.json`],
    write: async (folder) => {
      await writeTexts(folder, LARGE);
      await writeCode(folder, LARGE);
    },
  },
};

async function writeLaravel(folder: string): Promise<void> {
  const { locales, namespaces, keys, sourceFiles } = LARAVEL;
  const files: [string, string][] = [
    ["composer.json", JSON.stringify({ require: { "laravel/framework": "^12.0" } })],
    ["config/app.php", "<?php\n\nreturn [\n    'locale' => 'en',\n    'fallback_locale' => 'en',\n];\n"],
  ];
  for (const locale of locales) {
    const parts = Array.from({ length: namespaces }, (): string[] => []);
    for (let number = 0; number < keys; number++)
      parts[number % namespaces]?.push(`    '${laravelKey(number).key}' => '${textAt(number, locale)}',`);
    for (const [part, lines] of parts.entries())
      files.push([`lang/${locale}/part${part}.php`, `<?php\n\nreturn [\n${lines.join("\n")}\n];\n`]);
  }
  for (let number = 0; number < sourceFiles; number++) {
    const lines = Array.from({ length: 8 }, (_, use) => {
      const { namespace, key } = laravelKey((number * 8 + use) % keys);
      return `<p class="text">{{ __('${namespace}.${key}', ['name' => $name]) }}</p>`;
    });
    files.push([`resources/views/page${number}.blade.php`, `${lines.join("\n")}\n`]);
  }
  await writeFiles(folder, files);
}

async function writeGettext(folder: string): Promise<void> {
  const { locales, apps, messages, sourceFiles } = GETTEXT;
  const files: [string, string][] = [
    ["manage.py", "#!/usr/bin/env python\nimport django\n"],
    ["requirements.txt", "Django==5.2\n"],
  ];
  for (const locale of locales) {
    for (let app = 0; app < apps; app++) {
      const header = `msgid ""\nmsgstr ""\n"Language: ${locale}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n`;
      const entries = Array.from({ length: messages }, (_, number) => {
        const text = locale === "en" ? "" : `${locale}: ${message(app, number)}`;
        return `#: app${app}/views${number % 60}.py:${number + 10}\nmsgid "${message(app, number)}"\nmsgstr "${text}"\n`;
      });
      files.push([`app${app}/locale/${locale}/LC_MESSAGES/django.po`, [header, ...entries].join("\n")]);
    }
  }
  for (let number = 0; number < sourceFiles; number++) {
    const app = number % apps;
    const lines = Array.from({ length: 6 }, (_, use) => {
      const text = message(app, (Math.floor(number / apps) * 6 + use) % messages);
      return `def part${use}(request):\n    return _("${text}")\n`;
    });
    const head = "from django.utils.translation import gettext as _\n\n";
    files.push([`app${app}/views${Math.floor(number / apps)}.py`, `${head}\n${lines.join("\n\n")}`]);
  }
  await writeFiles(folder, files);
}

async function writeJson(folder: string): Promise<void> {
  const { locales, keys, sourceFiles } = JSON_MANY;
  const dependencies = { i18next: "^25.0.0", "react-i18next": "^15.0.0", react: "^19.0.0" };
  const files: [string, string][] = [
    ["package.json", JSON.stringify({ name: "bench", dependencies }, null, 2)],
  ];
  for (const locale of locales) {
    const texts = Array.from({ length: keys }, (_, number) => [
      `key_${number}`,
      textAt(number, locale).replace(":name", "{{name}}"),
    ]);
    files.push([
      `public/locales/${locale}/translation.json`,
      `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`,
    ]);
  }
  for (let number = 0; number < sourceFiles; number++) {
    const lines = Array.from(
      { length: 4 },
      (_, use) => `      <p>{t("key_${(number * 4 + use) % keys}", { name })}</p>`,
    );
    files.push([
      `src/view${number}.tsx`,
      `import { useTranslation } from "react-i18next";\n\nexport function View${number}({ name }: { name: string }) {\n  const { t } = useTranslation();\n  return (\n    <section>\n${lines.join("\n")}\n    </section>\n  );\n}\n`,
    ]);
  }
  await writeFiles(folder, files);
}

async function writeFiles(folder: string, files: readonly (readonly [string, string])[]): Promise<void> {
  const folders = new Set(files.map(([path]) => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (let at = 0; at < files.length; at += 64)
    await Promise.all(files.slice(at, at + 64).map(([path, text]) => writeFile(join(folder, path), text)));
}
