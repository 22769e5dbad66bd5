/** Public issues about WordPress texts outside of calls, and about aliases in JavaScript. */
import type { IssueCase } from "./issue.ts";

const WORDPRESS = { frameworks: ["wordpress"] } as const;

export const wordpress: readonly IssueCase[] = [
  [
    "wp-cli/i18n-command#252",
    "texts of block.json",
    "src/block.json",
    `{ "apiVersion": 2, "name": "core/archives", "title": "«Archives»", "category": "widgets", "description": "«Display a monthly archive.»", "textdomain": "gutenberg" }`,
    { ...WORDPRESS, scopes: ["gutenberg|", "gutenberg|"], contexts: ["block title", "block description"] },
  ],
  [
    "wp-cli/i18n-command#419",
    "labels of a block's styles",
    "block.json",
    `{ "styles": [{ "name": "default", "label": "«Default»", "isDefault": true }, { "name": "subscription", "label": "«Subscription»" }] }`,
    { ...WORDPRESS, contexts: ["block style label", "block style label"] },
  ],
  [
    "wp-pot/wp-pot#307",
    "keywords of a block",
    "block.json",
    `{ "title": "«Button»", "icon": "block-default", "keywords": ["«my-plugin»", "«button»"], "acf": { "mode": "preview" } }`,
    { ...WORDPRESS, contexts: ["block title", "block keyword", "block keyword"] },
  ],
  [
    "wp-blocks/make-pot#27",
    "names in theme.json",
    "theme.json",
    `{ "version": 2, "settings": { "color": { "palette": [{ "slug": "base", "name": "«Base»" }] }, "typography": { "fontSizes": [{ "name": "«Small»", "size": "1rem" }] } } }`,
    { ...WORDPRESS, contexts: ["Color name", "Font size name"] },
  ],
  [
    "wp-cli/i18n-command#174",
    "an alias of the function",
    "javascript",
    `var translate = wp.i18n.__;\ntranslate( '«a»', 'd' );`,
    { ...WORDPRESS, scopes: ["d|"] },
  ],
  [
    "Automattic/sensei#4935",
    "a conditional within the call",
    "javascript",
    `__( x === y ? '«Right»' : '«WRONG»', 'sensei-lms' )`,
    { ...WORDPRESS, scopes: ["sensei-lms|", "sensei-lms|"] },
  ],
];
