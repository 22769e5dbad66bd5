/**
 * ngx-translate: methods of `TranslateService`, the pipe and directive `translate`, and the markers of its extractors.
 * Keys are paths: `TranslateParser` finds them in nested objects and in names with dots.
 */
import { angularTemplate, doubleBraces } from "./code-styles.ts";
import { shapeTable, type CallShape, type Framework } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

const SERVICE: CallShape = {
  key: 0,
  unbound: true,
  receivers: "translate translateService translation translationService ngxTranslate".split(" "),
  receiverTypes: ["TranslateService"],
};

export const ngxTranslate: Framework = {
  evidence: { npm: /^@ngx-translate\/core$|^ng2-translate$/ },
  calls: {
    javascript: {
      functions: shapeTable({
        "get instant stream getStreamOnTranslationChange": SERVICE,
        // Since version 18, also as a function.
        translate: { ...SERVICE, modules: /^@ngx-translate\/core$/ },
        "_ marker": {
          key: 0,
          unbound: true,
          modules:
            /^(?:@ngx-translate\/core|@(?:biesbjerg|colsen1991|vendure)\/ngx-translate-extract(?:-marker)?(?:\/.*)?|ngx-translate-extract(?:-marker)?)$/,
        },
      }),
    },
    usesTranslator: () => false,
    htmlTemplates: { dialect: "angular-html", languageIds: [] },
    componentTemplates: {
      pipes: ["translate"],
      // JHipster's directive is a wrapper of it.
      attributes: ["translate", "ngx-translate", "jhiTranslate"],
      hasTextKeys: true,
      structural: { name: "translateBlock", prefixes: [] },
    },
  },
  code: {
    script: doubleBraces("this.translate.instant"),
    template: angularTemplate("translate"),
  },
  placeholders: "double-braces",
  // Loaders of several files merge them.
  keys: { ...PATHS, usesAnyDomain: true },
  sourceLanguage: {
    globs: [
      "{src,ui/src,client/src,webapp/src,src/main/webapp}/{main,app/app.config,app/app.module,app/app.component,app/core/core.module}.ts",
      "{apps,projects,packages}/*/src/{main,app/app.config,app/app.module,app/app.component}.ts",
    ],
    names: ["fallbackLang", "setFallbackLang", "defaultLanguage", "setDefaultLang"],
  },
};
