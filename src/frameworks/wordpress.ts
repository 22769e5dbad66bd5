/** WordPress: `__( "Text", "domain" )` in PHP and in scripts of blocks, headers of plugins and themes. */
import { PRINTF, printfCall, textArguments } from "./code-styles.ts";
import {
  type FileHeader,
  headerField,
  type JsonTexts,
  shapeTable,
  type Framework,
  type ManifestFile,
} from "./framework.ts";
import { domainCandidates } from "./key-candidates.ts";

/** WordPress reads the first 8 KB of a file for its header. */
const HEADER_CHARACTERS = 8_192;

function headerEvidence({ path, text }: ManifestFile, name: string): string | undefined {
  if (name === "composer.json") return /"type"\s*:\s*"(wordpress-[\w-]+)"/.exec(text)?.[1];
  const head = text.slice(0, HEADER_CHARACTERS);
  if (name === "style.css") return headerField("(Theme Name):").exec(head)?.[1];
  return path.endsWith(".php") ? headerField("(Plugin Name):").exec(head)?.[1] : undefined;
}

/**
 * Returns the text domain of a plugin or theme: the one in its header, else its slug, the name of its folder. The
 * project's own folder may be named differently from the one it is deployed to, so its name only counts if the
 * plugin's file has the same one.
 */
function domainOf(file: ManifestFile, folder: string | undefined): string | null | undefined {
  const { path, text } = file;
  const parts = path.split("/");
  if (!/\.(?:php|css)$/.test(path) || headerEvidence(file, parts.at(-1) ?? "") === undefined)
    return undefined;
  const named = headerField("Text Domain:[ \\t]*([^\\s*]+)").exec(text.slice(0, HEADER_CHARACTERS))?.[1];
  const slug = named ?? parts.at(-2);
  if (slug !== undefined) return slug;
  return folder !== undefined && parts[0] === `${folder}.php` ? folder : null;
}

function withoutContext(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(",").map((name) => [name, null]));
}

/** Plugins, themes, templates and patterns, with the headers that wp-cli extracts. */
const HEADERS: readonly FileHeader[] = [
  {
    pattern: headerField("Plugin Name:"),
    fields: withoutContext("Plugin Name,Plugin URI,Description,Author,Author URI"),
    isMain: true,
  },
  {
    pattern: headerField("Theme Name:"),
    fields: withoutContext("Theme Name,Theme URI,Description,Author,Author URI"),
    isMain: true,
  },
  { pattern: headerField("Template Name:"), fields: withoutContext("Template Name") },
  {
    pattern: headerField("Slug:[ \\t]*[\\w-]+/[\\w-]+"),
    fields: { Title: "Pattern title", Description: "Pattern description" },
  },
];

/** The members of `block.json` and `theme.json` that wp-cli extracts, with their contexts. */
const BLOCK: JsonTexts = {
  title: "block title",
  description: "block description",
  keywords: ["block keyword"],
  styles: [{ label: "block style label" }],
  variations: [
    {
      title: "block variation title",
      description: "block variation description",
      keywords: ["block variation keyword"],
    },
  ],
};

const SETTINGS: JsonTexts = {
  typography: { fontSizes: [{ name: "Font size name" }], fontFamilies: [{ name: "Font family name" }] },
  color: {
    palette: [{ name: "Color name" }],
    gradients: [{ name: "Gradient name" }],
    duotone: [{ name: "Duotone name" }],
  },
  spacing: { spacingSizes: [{ name: "Space size name" }] },
  dimensions: {
    aspectRatios: [{ name: "Aspect ratio name" }],
    dimensionSizes: [{ name: "Dimension size name" }],
  },
  shadow: { presets: [{ name: "Shadow name" }] },
  border: { radiusSizes: [{ name: "Border radius size name" }] },
};

const THEME: JsonTexts = {
  title: "Style variation name",
  description: "Style variation description",
  settings: { ...SETTINGS, blocks: { "*": SETTINGS } },
  customTemplates: [{ title: "Custom template name" }],
  templateParts: [{ title: "Template part name" }],
};

const CALL = printfCall((parts) => `__( ${textArguments(parts)} )`);

export const wordpress: Framework = {
  evidence: {
    composer:
      /^(?:johnpbloch\/wordpress.*|roots\/wordpress.*|timber\/timber|wpackagist-(?:plugin|theme)\/.*|wp-cli\/i18n-command)$/,
    npm: /^@wordpress\/(?:i18n|scripts)$/,
    globs: ["{*.php,style.css}", "{plugins,themes,wp-content/plugins,wp-content/themes}/*/{*.php,style.css}"],
    file: headerEvidence,
    domain: domainOf,
  },
  calls: {
    // The argument maps of wp-cli's i18n-command, plus `hasTranslation` from `@wordpress/i18n`.
    javascript: {
      functions: {
        __: { key: 0, namespace: 1 },
        _x: { key: 0, context: 1, namespace: 2 },
        _n: { key: 0, plural: true, namespace: 3 },
        _nx: { key: 0, plural: true, context: 3, namespace: 4 },
        hasTranslation: { key: 0, context: 1, namespace: 2 },
      },
      hasDomains: true,
    },
    usesTranslator: () => false,
    php: {
      functions: shapeTable(
        {
          "__ _ _c _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e": {
            key: 0,
            namespace: 1,
          },
          "_x _ex esc_attr_x esc_html_x esc_xml_x": { key: 0, context: 1, namespace: 2 },
          "_n _nc __ngettext": { key: 0, plural: true, namespace: 3 },
          _nx: { key: 0, plural: true, context: 3, namespace: 4 },
          "_n_noop __ngettext_noop": { key: 0, plural: true, namespace: 2 },
          _nx_noop: { key: 0, plural: true, context: 2, namespace: 3 },
        },
        { key: ["text", "single", "singular"], context: ["context"], namespace: ["domain"] },
      ),
      hasDomains: true,
    },
    // Timber's templates call PHP's functions.
    twig: { functions: {}, filters: {} },
    fileTexts: {
      maxHeaderCharacters: HEADER_CHARACTERS,
      headers: HEADERS,
      styleSheet: "style.css",
      json: { "block.json": BLOCK, "theme.json": THEME },
      domainField: "Text Domain",
      domainMember: "textdomain",
      nameFields: ["Plugin Name", "Theme Name"],
    },
  },
  code: {
    php: CALL,
    twig: {
      placeholders: PRINTF,
      write: (parts) => {
        const args = parts.values.map(({ code }) => code).join(", ");
        return `__(${textArguments(parts)})${args === "" ? "" : `|format(${args})`}`;
      },
    },
    script: CALL,
  },
  placeholders: "printf",
  keys: { kind: "text", candidates: domainCandidates },
};
