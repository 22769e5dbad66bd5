/**
 * Detects the translation frameworks of a project from its manifests and file headers, never from function names in
 * its code. Pure: the caller finds and reads the files.
 */
import { basename } from "node:path/posix";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { Framework } from "../../scanners/key-usage.ts";

/** A manifest: `composer.json`, `package.json`, `style.css`, a PHP file at the root, … */
export interface ManifestFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The reason why a framework is considered in use. */
interface FrameworkReason {
  readonly framework: Framework;
  readonly path: string;
  /** The package or header that was found. */
  readonly evidence: string;
}

export interface DetectedFrameworks {
  readonly frameworks: ReadonlySet<Framework>;
  readonly reasons: readonly FrameworkReason[];
  /** Text domains of the project's plugins and themes; empty if one of them cannot be determined. */
  readonly domains: ReadonlySet<string>;
}

/** Globs of the files to pass to `detectFrameworks`. */
export const MANIFEST_GLOBS: readonly string[] = [
  "{composer.json,package.json,artisan,style.css,manage.py,*.php}",
  "{requirements*.txt,requirements/*.txt,pyproject.toml,setup.py,setup.cfg,Pipfile,babel.cfg,babel.ini}",
  "{backend,server,src,api,app}/{requirements*.txt,pyproject.toml,Pipfile,manage.py,babel.cfg}",
  "po/{POTFILES,POTFILES.in,LINGUAS,Makevars}",
  "{plugins,themes,wp-content/plugins,wp-content/themes}/*/{*.php,style.css}",
  "{apps,packages,frontend,client,web,resources,plugins,themes}/*/package.json",
  "{frontend,client,web,app,ui}/package.json",
];

const COMPOSER: readonly (readonly [Framework, RegExp])[] = [
  ["laravel", /^(?:laravel\/(?:framework|lumen-framework)|illuminate\/(?:translation|support|contracts))$/],
  [
    "wordpress",
    /^(?:johnpbloch\/wordpress.*|roots\/wordpress.*|timber\/timber|wpackagist-(?:plugin|theme)\/.*|wp-cli\/i18n-command)$/,
  ],
  [
    "gettext",
    /^(?:gettext\/gettext|gettext\/translator|phpmyadmin\/motranslator|phpmyadmin\/twig-i18n-extension)$/,
  ],
  ["symfony", /^symfony\/(?:symfony|framework-bundle|twig-bundle|twig-bridge)$/],
  ["craft", /^craftcms\/cms$/],
];

const NPM: readonly (readonly [Framework, RegExp])[] = [
  ["laravel", /^(?:laravel-vue-i18n|laravel-react-i18n|laravel-translator-js|matice|lang\.js)$/],
  [
    "i18next",
    /^(?:i18next|react-i18next|next-i18next|i18next-vue|vue-i18next|next-translate|remix-i18next|svelte-i18next|solid-i18next|@i18next-toolkit\/.*)$/,
  ],
  ["vue-i18n", /^(?:vue-i18n|petite-vue-i18n|@nuxtjs\/i18n|nuxt-i18n|vue-i18n-next|@intlify\/.*)$/],
  ["next-intl", /^(?:next-intl|use-intl|next-international)$/],
  ["svelte-i18n", /^(?:svelte-i18n|sveltekit-i18n|@sveltekit-i18n\/.*)$/],
  ["formatjs", /^(?:react-intl|@formatjs\/(?:intl|vue-intl|svelte-intl|cli)|vue-intl|preact-intl)$/],
  ["wordpress", /^@wordpress\/(?:i18n|scripts)$/],
  ["gettext", /^(?:node-gettext|jed|ttag|gettext\.js|vue3-gettext|vue-gettext|@lingui\/.*)$/],
];

/** Python packages, by their normalised names. */
const PYTHON: readonly (readonly [Framework, RegExp])[] = [
  ["django", /^(?:django|wagtail|djangorestframework)$/],
  ["jinja", /^(?:jinja2|flask|flask-babel|fastapi-babel|starlette-babel|pyramid-jinja2)$/],
  [
    "gettext",
    /^(?:django|wagtail|djangorestframework|babel|flask-babel|fastapi-babel|starlette-babel|aiogram-i18n|python-gettext|zope-i18n)$/,
  ],
];
/** A package name in a requirements line or list: `Django==5`, `"Flask-Babel>=4"`, `django = "^5"`. */
const REQUIREMENT = /(?:^|["'[,])[ \t]*([A-Za-z][\w.-]*)(?=[ \t]*(?:$|["'\][<>=~!;@, #\r]))/gm;

/** Key groups that a framework uses itself and provides texts for, regardless of the app's code. */
const FRAMEWORK_GROUPS: Partial<Record<Framework, readonly string[]>> = {
  laravel: ["auth", "pagination", "passwords", "validation"],
  symfony: ["security", "validators"],
};

/**
 * Whether a key belongs to a group that one of the frameworks uses itself: by its namespace, by Symfony's variant of
 * the domain (`validators+intl-icu`), or by its prefix (`auth.failed` in Laravel's JSON).
 */
export function isFrameworkKey({ namespace, key }: KeyName, frameworks: ReadonlySet<Framework>): boolean {
  return [...frameworks].some((framework) =>
    FRAMEWORK_GROUPS[framework]?.some((group) => {
      if (namespace === group) return true;
      if (framework === "laravel") return namespace === NO_NAMESPACE && key.startsWith(`${group}.`);
      return namespace.startsWith(`${group}.`) || namespace.startsWith(`${group}+`);
    }),
  );
}

/**
 * Whether one of the names belongs to a framework's group that the project does not define, so that the texts come
 * from the framework (Laravel's `auth.failed` before `lang:publish`).
 * @param local namespaces of the project's files
 */
export function isProvidedByFramework(
  candidates: readonly KeyName[],
  frameworks: ReadonlySet<Framework>,
  names: Pick<KeyNameQueries, "hasNamespace" | "hasPrefix">,
  local: ReadonlySet<string>,
): boolean {
  return candidates.some((name) => {
    if (!isFrameworkKey(name, frameworks)) return false;
    const { namespace, key } = name;
    const group = namespace === NO_NAMESPACE ? key.slice(0, key.indexOf(".")) : namespace;
    return !local.has(group) && !names.hasNamespace(group) && !names.hasPrefix(NO_NAMESPACE, `${group}.`);
  });
}

/** The name of a JSON member, also in a file that is invalid while it is being edited. */
const MEMBER = /"([@\w./-]+)"\s*:\s*"/g;

/**
 * Returns the frameworks found in the files, with their reasons.
 * @param folder name of the project's folder, which may be a plugin's slug
 */
export function detectFrameworks(files: readonly ManifestFile[], folder?: string): DetectedFrameworks {
  const reasons = files.flatMap(reasonsOf);
  const domains = files.flatMap((file) => domainsOf(file, folder));
  return {
    frameworks: new Set(reasons.map((reason) => reason.framework)),
    reasons,
    domains: new Set(domains.includes(null) ? [] : domains.flatMap((domain) => domain ?? [])),
  };
}

/**
 * Returns the text domains of a plugin or theme: the one in its header, else its slug, the name of its folder. The
 * project's own folder may be named differently from the one it is deployed to, so its name only counts if the
 * plugin's file has the same one. `null`: a domain that cannot be determined.
 */
function domainsOf(file: ManifestFile, folder: string | undefined): readonly (string | null)[] {
  const { path, text } = file;
  if (!/\.(?:php|css)$/.test(path) || reasonsOf(file).length === 0) return [];
  const named = /^[ \t/*#@]*Text Domain:[ \t]*([^\s*]+)/im.exec(text.slice(0, HEADER_CHARACTERS))?.[1];
  if (named !== undefined) return [named];
  const parts = path.split("/");
  const slug = parts.at(-2);
  if (slug !== undefined) return [slug];
  return [folder !== undefined && parts[0] === `${folder}.php` ? folder : null];
}

function reasonsOf({ path, text }: ManifestFile): readonly FrameworkReason[] {
  const name = basename(path);
  const reasonsFor = (evidence: string | undefined, ...frameworks: readonly Framework[]): FrameworkReason[] =>
    evidence === undefined ? [] : frameworks.map((framework) => ({ framework, path, evidence }));
  const head = text.slice(0, HEADER_CHARACTERS);
  switch (name) {
    case "composer.json": {
      const type = /"type"\s*:\s*"(wordpress-[\w-]+)"/.exec(text)?.[1];
      return [...reasonsFor(type, "wordpress"), ...byPackages(path, membersOf(text), COMPOSER)];
    }
    case "package.json":
      return byPackages(path, membersOf(text), NPM);
    case "artisan":
      return text.includes("php") ? reasonsFor(name, "laravel") : [];
    case "style.css":
      return reasonsFor(/^[ \t/*#@]*(Theme Name):/im.exec(head)?.[1], "wordpress");
    case "manage.py":
      return text.includes("django") ? reasonsFor("django", "django", "gettext") : [];
    case "babel.cfg":
    case "babel.ini":
      return /\bjinja2?\s*:/i.test(text) ? reasonsFor(name, "jinja", "gettext") : reasonsFor(name, "gettext");
    case "POTFILES":
    case "POTFILES.in":
    case "LINGUAS":
    case "Makevars":
      return reasonsFor(name, "gettext");
    default:
      if (/\.txt$|^(?:pyproject\.toml|setup\.py|setup\.cfg|Pipfile)$/.test(name))
        return byPackages(path, requirementsOf(text), PYTHON);
      if (!name.endsWith(".php")) return [];
      return reasonsFor(/^[ \t/*#@]*(Plugin Name):/im.exec(head)?.[1], "wordpress");
  }
}

function requirementsOf(text: string): readonly string[] {
  return [...text.matchAll(REQUIREMENT)].map(([, name = ""]) => name.toLowerCase().replaceAll(/[._]/g, "-"));
}

function membersOf(text: string): readonly string[] {
  return [...text.matchAll(MEMBER)].map(([, name = ""]) => name);
}

/** WordPress reads the first 8 KB of a file for its header. */
const HEADER_CHARACTERS = 8_192;

function byPackages(
  path: string,
  names: readonly string[],
  table: readonly (readonly [Framework, RegExp])[],
): readonly FrameworkReason[] {
  return table.flatMap(([framework, packages]) => {
    const evidence = names.find((name) => packages.test(name));
    return evidence === undefined ? [] : [{ framework, path, evidence }];
  });
}
