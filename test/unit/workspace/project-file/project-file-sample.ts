/** A project file with every field, comments, a trailing comma, and a field of a later version. */
export const FULL = `{
  "baseUrl": "https://translations.example.com/v1", // ours
  "files": [
    { "path": "lang/{locale}/{namespace}.php", "format": "laravel_php" },
    { "path": "lang/{locale}.json", "format": "laravel_json" },
    { "path": "languages/shop-{locale}.po", "format": "po", "namespace": "shop" },
  ],
  "locales": { "pt_BR": "pt-BR" },
  "preview": ["nl", "fr"],
  "pull": { "profile": "app", "into": ".", "missing": "omit", "layout": "keep" },
  "usage": {
    "include": ["**/*.{php,vue,ts,tsx}"], "exclude": [],
    "functions": [{ "name": "translate", "key": 0, "namespace": 1 }],
    "keep": ["validation.*"]
  },
  "later": true
}
`;
