/**
 * Interface of a translation framework: how it is recognised, and what its calls, keys and texts mean. Each framework
 * has a file in this folder; `supported-frameworks.ts` lists them. The rest of the code asks this interface and names
 * no framework. Pure: independent of projects, the service and the languages that code is written in.
 */
import type { KeyName } from "../model/key-hash.ts";
import type { PipeRules } from "../model/pipe-plurals.ts";
import type { Delimiters, PlaceholderFamily } from "../model/placeholders.ts";
import type { Span } from "../util/span.ts";
import type { CodeStyle } from "./code-styles.ts";

export interface Framework {
  readonly evidence: Evidence;
  readonly calls: Calls;
  readonly keys: KeyRules;
  /** How a new call is written. Absent: as in most frameworks. */
  readonly code?: CodeStyle;
  /** How texts contain values. */
  readonly placeholders: PlaceholderFamily;
  /** Plural forms may be parts of one text; absent: they are not. */
  readonly pipes?: PipeRules;
  /** The project may have chosen other delimiters of placeholders. */
  readonly hasOwnDelimiters?: true;
  /** Absent: texts do not refer to other keys. */
  readonly links?: LinkSyntax;
  readonly provided?: ProvidedKeys;
  /** Yields names that it derives from the code of a PHP file, of which apps build keys: of routes, columns, classes. */
  readonly derivedNames?: (text: string) => Iterable<string>;
  /** Absent: it has no options that matter, or they are not read. */
  readonly configuration?: Configuration;
  /** Where the source language is set, beside the options that tools for scripts share. */
  readonly sourceLanguage?: SourceLanguageSettings;
}

/** Where the source language of a project is set. */
export interface SourceLanguageSettings {
  /** Globs of the files that may set it, without nested braces. */
  readonly globs: readonly string[];
  /** Options or functions of scripts (`defaultLang: "en"`, `setDefaultLang("en")`), the likeliest source language first. */
  readonly names?: readonly string[];
  /** Settings in other files, whose paths match; the first group of a pattern is the language, the likeliest first. */
  readonly settings?: { readonly files: RegExp; readonly patterns: readonly RegExp[] };
}

/** Matches the name of a language in a setting. */
export const LOCALE_PATTERN = String.raw`[A-Za-z]{2,3}(?:[-_][\w-]+)?`;

/** A file that may show which frameworks a project uses: `composer.json`, `style.css`, a PHP file at the root, … */
export interface ManifestFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** By what a framework is recognised; never by the names of functions in code. */
export interface Evidence {
  /** Names of Composer packages. */
  readonly composer?: RegExp;
  /** Names of npm packages. */
  readonly npm?: RegExp;
  /** Names of Python packages, lower case with `-`. */
  readonly python?: RegExp;
  /** Globs of other files that may show it, beside those in which packages are named. */
  readonly globs?: readonly string[];
  /** Returns what shows the framework in another file or its header. `name` is that of the file. */
  readonly file?: (file: ManifestFile, name: string) => string | undefined;
  /** Returns the text domain that the file declares; `null`: it has one that cannot be determined. */
  readonly domain?: (file: ManifestFile, folder: string | undefined) => string | null | undefined;
}

/** Names of the properties that a framework computes a key from, if there is none. */
export interface MessageProperties {
  readonly message: string;
  /** Its text counts as the usage's context. */
  readonly description: string;
}

/** Argument positions of a function, counted from 0. */
export interface CallShape {
  readonly key: number;
  /**
   * The key is a property of the object at `key` (`formatMessage({ id })`); with `options` it may also be a plain
   * string.
   */
  readonly keyProperty?: string;
  /** Where an object without a key has its source message. */
  readonly sourceMessage?: MessageProperties;
  /** The argument contains objects with their keys in that property (`defineMessages({ a: { id } })`). */
  readonly messages?: true;
  /** The keys are the names of the members of the object at `key`, after this argument and a separator. */
  readonly prefix?: number | undefined;
  readonly namespace?: number | undefined;
  readonly context?: number | undefined;
  /** Always plural, or only if this argument is present. */
  readonly plural?: true | number | undefined;
  /** The argument after the key may be a default text, an options object or a count. */
  readonly options?: true;
  /** A function of the project's own, which may pass the arguments after the key on as options. */
  readonly passesOptions?: true;
  /** It was recognised by its calls, so that it may complete its keys. */
  readonly isLearned?: true;
  /** It is also called with other texts than keys. */
  readonly takesOthers?: true;
  /** Argument names, in languages with named arguments (PHP, Python). */
  readonly names?: ArgumentNames;
  /** The function is a method of an object with one of these names. */
  readonly receivers?: readonly string[];
  /** It is also a method of objects that a file declares with one of these types, or injects by it. */
  readonly receiverTypes?: readonly string[];
  /** Without a receiver, it is the function only in files that import it from such a module. */
  readonly modules?: RegExp;
  /** The namespace may also be a property of the object at `namespace`. */
  readonly namespaceProperty?: string;
  /** Without a namespace, the one of the surrounding scope applies, which the code may not show. */
  readonly mayBeScoped?: true;
  /** The namespace is a text domain, and these are the project's domains: calls for other domains are ignored. */
  readonly domains?: ReadonlySet<string>;
  /** Qualifier before the function name (`globalize.`, `Foo::`); empty: any. */
  readonly qualifier?: string;
  /** A class that is instantiated with `new` (PHP). */
  readonly constructs?: true;
  /** The receiver does not bind its keys to a namespace or prefix. */
  readonly unbound?: true;
  /** In a template, the namespace that a tag sets for the whole template applies. */
  readonly usesTemplateDomain?: true;
}

export type Shapes = Readonly<Record<string, CallShape>>;

/** Possible argument names by role. */
export type ArgumentNames = Readonly<Partial<Record<"key" | "context" | "namespace", readonly string[]>>>;

/** Returns the shape of each name; an entry may have several names, separated by spaces. */
export function shapeTable(table: Shapes, names?: ArgumentNames): Shapes {
  return Object.fromEntries(
    Object.entries(table).flatMap(([functions, shape]) =>
      functions.split(" ").map((name) => [name, names === undefined ? shape : { ...shape, names }]),
    ),
  );
}

/** The argument after a key may be options. */
export const WITH_OPTIONS: CallShape = { key: 0, keyProperty: "id", options: true };

/** A function that creates translators: `useTranslation("ns", { keyPrefix })`. */
export interface HookShape {
  /** Whether it returns the translator itself, or an object (or array) that contains it. */
  readonly returns: "translator" | "object" | "either";
  readonly namespace?: number;
  readonly keyPrefix?: number;
  /** Position of the options object with `keyPrefix`. */
  readonly options?: number;
  /** Only the first of several namespaces is searched, unless `nsMode` is `fallback`. */
  readonly firstNamespace?: true;
  /** Its options may define messages of the component itself, which are not keys of the service. */
  readonly mayBeLocal?: true;
  /** The translator's calls contain source messages instead of keys. */
  readonly takesMessages?: true;
}

/** A type of translators, as code annotates parameters with it. */
export interface TranslatorType {
  /** A word of every such type. */
  readonly word: string;
  /** Matches the type, up to `<` if it has arguments that say more. */
  readonly pattern: RegExp;
  /** What the arguments of the type are, in their order. */
  readonly arguments: readonly ("namespace" | "keyPrefix")[];
}

/** Messages that a component defines itself, which are not keys of the project. */
export interface ComponentMessagesShape {
  /** The tag of their block in a single-file component. */
  readonly block: string;
  /** The attribute with the block's only locale; without it, the first names are locales. */
  readonly localeAttribute: string;
  /** The attribute with the path of a file that has the messages. */
  readonly fileAttribute: string;
  /** Attributes with which the tag is no block but a component. */
  readonly isComponentWith: readonly string[];
  /** Finds the start of options that may have messages by locale, up to their brace. */
  readonly options: RegExp;
  /** The option's name. */
  readonly option: string;
}

/** A filter of templates, whose operand is the key. */
export interface FilterShape {
  /** Position of the domain among the arguments. */
  readonly domain?: number;
  readonly defaultDomain?: string;
  /** Domains whose texts are not the project's. */
  readonly foreignDomains?: ReadonlySet<string>;
  /** Position of a count, with which the text is plural. */
  readonly count?: number;
  readonly plural?: true;
}

/** Functions of one kind of code. `isUsual`: they also count where no framework of that kind of code is known. */
interface Functions {
  readonly functions: Shapes;
  readonly isUsual?: true;
  /** Calls for other text domains than the project's are ignored. */
  readonly hasDomains?: true;
}

/** Classes whose objects and attributes have keys as named arguments: `#[Length(minMessage: "key")]` (PHP). */
export interface ConstructorMessages {
  /** Full names of the classes, without a leading `\`. */
  readonly classes: RegExp;
  /** Names of the arguments, or of the items of an array that is the first argument. */
  readonly argument: RegExp;
  readonly namespace: string;
}

/** Texts outside of calls: fields in the comment at the start of a file, and members of JSON files. */
export interface FileTexts {
  /** How much of a file is searched for fields. */
  readonly maxHeaderCharacters: number;
  /** Kinds of files; the first whose pattern matches counts. */
  readonly headers: readonly FileHeader[];
  /** Names of style sheets with fields; PHP files have them too. */
  readonly styleSheet: string;
  /** JSON files by name. */
  readonly json: Readonly<Record<string, JsonTexts>>;
  /** The field with the text domain, and the member of JSON files with it. */
  readonly domainField: string;
  readonly domainMember: string;
  /** The fields from whose value the domain is derived where none is named. */
  readonly nameFields: readonly string[];
}

/** A kind of file with fields that are texts. */
export interface FileHeader {
  readonly pattern: RegExp;
  /** The fields with the contexts of their texts. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** Whether it names the text domain: one that is not the project's belongs to a bundled package. */
  readonly isMain?: true;
}

/** Texts in JSON: the context of a text, a list, or members by name, of which `*` is any. */
export type JsonTexts = string | readonly [JsonTexts] | { readonly [name: string]: JsonTexts };

/** A translator object in PHP; the receiver of a call decides whether it is one. */
export interface TranslatorObject {
  readonly methods: Shapes;
  /** Receivers of static calls, and the short name under which files import them. */
  readonly facade: RegExp;
  readonly facadeName: string;
  /** Receivers of other calls, without whitespace. */
  readonly expression: RegExp;
  /** Its class, of which files may import an alias, and other types of variables that contain it. */
  readonly className: string;
  readonly types: readonly string[];
  /** Namespaces of other translators, whose types have the same names. */
  readonly otherNamespaces?: RegExp;
  /** Methods that also use a key if the object is a wrapper of the project. */
  readonly wrapped: RegExp;
  /** A cheap test whether code may contain the object, and one whether it may call its methods. */
  readonly mayContain: RegExp;
  readonly mayCall: RegExp;
  /** A function whose argument is a key if one of these methods is called on its result. */
  readonly message?: { readonly call: RegExp; readonly callee: string; readonly methods: Shapes };
}

/** Returns a pattern for a field in the comment at the start of a file. */
export function headerField(pattern: string): RegExp {
  return new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${pattern}`, "im");
}

/** What a framework's functions, hooks, components, filters and tags are called, and where their keys are. */
export interface Calls {
  readonly javascript?: Functions & {
    /** `<Trans>` without a key takes its children as the key. */
    readonly hasTextComponent?: true;
    /** Translators may be stores (`$t`). */
    readonly hasStores?: true;
    readonly macros?: Macros;
  };
  /**
   * Whether scripts may call `t`, given all frameworks of the project. Default: always.
   */
  readonly usesTranslator?: (frameworks: ReadonlySet<string>) => boolean;
  /** Modules whose hooks search all of their namespaces, not only the first. */
  readonly modulesWithAllNamespaces?: readonly string[];
  /** Hooks by name; they count in every project. */
  readonly hooks?: Readonly<Record<string, HookShape>>;
  /** Functions that wrap a component, to which they pass a translator, with the arguments of a hook. */
  readonly componentWrappers?: Readonly<Record<string, HookShape>>;
  /** Types of translators that are passed on. */
  readonly translatorTypes?: readonly TranslatorType[];
  /** Objects whose translator is a global one, which is not bound to any namespace or prefix. */
  readonly globalTranslators?: readonly string[];
  /** Components, with the attributes that contain their key; `*` is any. They count in every project. */
  readonly components?: Readonly<Record<string, readonly string[]>>;
  /** Components that may have a source message instead of a key. */
  readonly messageComponents?: Readonly<Record<string, MessageProperties>>;
  /** Where components define messages of their own; in every project. */
  readonly componentMessages?: ComponentMessagesShape;
  readonly php?: Functions & {
    readonly translator?: TranslatorObject;
    readonly directives?: Shapes;
    readonly messages?: ConstructorMessages;
  };
  readonly python?: Functions;
  readonly twig?: Functions & {
    readonly filters: Readonly<Record<string, FilterShape>>;
    /** `{{ name }}` between tags is `%name%` in the key. */
    readonly hasVariablesInTags?: true;
  };
  /** HTML files are templates of this language; `languageIds` are those of VS Code. */
  readonly htmlTemplates?: { readonly dialect: TemplateDialect; readonly languageIds: readonly string[] };
  /** Pipes and directives of component templates, which are HTML files or parts of scripts. */
  readonly componentTemplates?: ComponentTemplates;
  /** Comments list keys that the code builds, as calls of a function of this name. */
  readonly keyComment?: string;
  readonly fileTexts?: FileTexts;
}

/** Template languages with the same delimiters. */
export type TemplateDialect = "django-html" | "jinja-html" | "angular-html";

/** What templates of Angular components have of a framework. */
export interface ComponentTemplates {
  /** Names of pipes whose operand is the key: `'key' | name`. */
  readonly pipes: readonly string[];
  /** Attributes whose value is the key: `name="key"`, `[name]="'key'"`. */
  readonly attributes: readonly string[];
  /** Without a value, the texts of an element with one of `attributes` are the keys. */
  readonly hasTextKeys?: true;
  /**
   * Structural directives that declare a translator: `*name="let t; prefix: 'a'"`, `<ng-template name let-t
   * namePrefix="a">`. `prefixes` are the names of the option with the prefix of its keys.
   */
  readonly structural?: { readonly name: string; readonly prefixes: readonly string[] };
}

/**
 * Functions and components that a build replaces: their key is an id, or else the text that they are given, as an ICU
 * message with the values' names.
 */
export interface Macros {
  /** Modules that they are imported from. */
  readonly modules: RegExp;
  /** Tags of templates, which also take a message descriptor: t`Hello ${name}`, `t({ id, message, context })`. */
  readonly tags: readonly string[];
  /** Functions with a text for each case, and their types in ICU messages: `plural(count, { one, other })`. */
  readonly choices: Readonly<Record<string, string>>;
  /** Components whose children are the text. */
  readonly components: readonly string[];
  /** Components with a text for each case in an attribute. */
  readonly choiceComponents: Readonly<Record<string, string>>;
  /** Names a value: `${label({ name: value })}`, the same as `${{ name: value }}`. */
  readonly label: string;
  /** Hooks that return tags and translators as members of an object. */
  readonly hooks: readonly string[];
  /** Members of translators that take an id or a message descriptor: `i18n._("id")`. */
  readonly methods: readonly string[];
  /** Names of translators, also as members of other objects. */
  readonly translators: readonly string[];
  /** Comments that set a context and a prefix of explicit ids for the macros that follow. */
  readonly directives?: {
    readonly set: string;
    /** Sets nothing but its own members. */
    readonly reset: string;
    /** Members of the comment. */
    readonly context: string;
    readonly idPrefix: string;
  };
}

/** What a project's configuration says of macros. */
export interface MacroOptions {
  /** Modules that export them, beside the usual ones. */
  readonly modules?: readonly string[];
  /** Only ids that begin with it get the prefix of a comment. Default: all. */
  readonly idPrefixLeader?: string;
}

/** What a project's configuration says. Absent: the framework's default. */
export interface KeyConventions {
  /** Namespaces of a usage without one, in order. */
  readonly defaultNamespaces?: readonly string[];
  /** Namespaces tried after the bound ones; `all`: those of the project, since the configuration calculates them. */
  readonly fallbackNamespaces?: readonly string[] | "all";
  /** `false`: keys contain no namespace. Default `:`. */
  readonly namespaceSeparator?: string | false;
  /** Default `.`. */
  readonly keySeparator?: string | false;
  /** Before a plural category. Default `_`. */
  readonly pluralSeparator?: string;
  /** Before a context. Default `_`. */
  readonly contextSeparator?: string;
  /** Delimiters of placeholders. */
  readonly interpolation?: Delimiters;
  /** Delimiters of links to other keys. */
  readonly nesting?: Delimiters;
  /** Namespaces by the names that keys begin with, where those differ. */
  readonly namespaceAliases?: Readonly<Record<string, string>>;
  /** Names under which packages load the project's texts: `shop` in `shop::group.item`. */
  readonly packageNames?: readonly string[];
  /** Keys begin with the names of namespaces as they are, where the framework changes their case. */
  readonly keepsNamespaceCase?: true;
}

/** What the code shows of a call, as far as it determines the key. */
export interface WrittenKey {
  /** Namespaces that the translator is bound to; `null`: none; `unknown`: bound elsewhere. */
  readonly namespaces: readonly string[] | null | "unknown";
  /** Prefix of the binding, empty if none. */
  readonly keyPrefix: string;
  readonly context: string | null;
  /** Whether the context is dynamic. */
  readonly dynamicContext?: true;
  /** Whether the call has a count. */
  readonly plural?: boolean;
  /** Whether the count is an ordinal number. */
  readonly ordinal?: true;
  /** Whether the call has options that the code does not show. */
  readonly openOptions?: true;
  /** Whether the code has a source message, from which the framework computes the key. */
  readonly isMessage?: true;
}

/** How a framework names its keys. */
export interface KeyRules {
  /** Paths with prefixes and namespaces; names, also within domains; or texts that are their own keys. */
  readonly kind: "path" | "name" | "text";
  /**
   * Yields the names that a written key may have, in the framework's look-up order, without variants. Of a source
   * message (`isMessage`) these are the names that the framework computes from it.
   * @param isPartial whether `key` is only the start of a key, which has no context and no plural suffix
   */
  readonly candidates: (
    usage: WrittenKey,
    key: string,
    conventions: KeyConventions,
    isPartial: boolean,
  ) => Iterable<KeyName>;
  /** Its rules also count where no framework is known. */
  readonly isUsual?: true;
  /** A call without a namespace uses a default one, never any other. */
  readonly hasDefaultNamespace?: true;
  /** The namespace is the first part of a written key, and may be dynamic. */
  readonly hasGroups?: true;
  /** The JSON key comes first, but an existing group is the conventional place for a new key. */
  readonly prefersGroups?: true;
  /** Without a domain the program has chosen one: any namespace. */
  readonly usesAnyDomain?: true;
  /** Namespaces that belong to a domain beside the domain itself. */
  readonly domains?: DomainRules;
  readonly variants?: KeyVariants;
  /** Default of `namespaceSeparator` where keys are shown; absent: a dot. */
  readonly separator?: string;
  /** Returns names under which code may mention the key without calling a function. */
  readonly otherMentions?: (key: string) => readonly string[];
}

/** Namespaces of domains. */
export interface DomainRules {
  readonly default: readonly string[];
  /** Whether the namespace has keys of the domain: itself, a variant, or one that is named after its file. */
  readonly has: (namespace: string, domain: string) => boolean;
}

/** Keys with a suffix for a plural category or a context: `item_one`, `friend_male` of `item`, `friend`. */
export interface KeyVariants {
  /** Returns what a suffix may start with. */
  readonly separators: (conventions: KeyConventions) => readonly string[];
  /**
   * Returns the position in the look-up order of the variant with this suffix; `null` if the usage does not use it.
   * The key itself comes last.
   */
  readonly rank: (suffix: string, usage: WrittenKey, conventions: KeyConventions) => number | null;
  /** Returns the suffixes of all variants that the usage may use, as far as the code shows them, in look-up order. */
  readonly suffixes: (usage: WrittenKey, conventions: KeyConventions) => readonly string[];
  /** Returns the plural suffix of a name (`_one`, `_ordinal_few`); empty if it has none. */
  readonly pluralSuffix: (name: string, conventions: KeyConventions) => string;
  /** Returns the names that this name may be a variant of, the likeliest first. */
  readonly bases: (name: string, conventions: KeyConventions) => readonly string[];
}

/** A reference to another key in a text. */
export interface TextLink {
  /** Range of the key in the text. */
  readonly span: Span;
  readonly key: string;
  /** What the link says of count and context. */
  readonly usage: Pick<WrittenKey, "context" | "dynamicContext" | "plural" | "ordinal">;
  /** Whether the context of the call that shows the text applies to the link too. */
  readonly inheritsContext?: true;
}

export interface LinkSyntax {
  /** Part of every text with a link. */
  readonly marker: (conventions: KeyConventions) => string;
  readonly find: (text: string, conventions: KeyConventions) => readonly TextLink[];
  /** Whether a key can be written in place of the link's. */
  readonly canWrite: (key: string, link: TextLink, text: string) => boolean;
}

/** Groups of keys that a framework uses itself and provides texts for, regardless of the app's code. */
export interface ProvidedKeys {
  readonly groups: readonly string[];
  /** Whether the key belongs to a group by its namespace or name. */
  readonly isInGroup: (name: KeyName, group: string) => boolean;
  /** Texts without a namespace that it shows itself. */
  readonly texts?: ReadonlySet<string>;
  /**
   * Installed packages that use the texts of the app's own files: `packages` has a folder for each vendor with one for each
   * package, `texts` are the folders in a package with a folder for each language.
   */
  readonly packageFiles?: {
    readonly packages: string;
    readonly texts: readonly string[];
    readonly extension: string;
  };
}

/** The options of a framework in source code; they are read, never executed. */
export interface Configuration {
  /** Globs of the files that may have them. */
  readonly globs: readonly string[];
  /** Globs of files whose changes matter while they are edited. */
  readonly watch: string;
  /** Whether a text may have options. */
  readonly mayHave: RegExp;
  /** Finds calls whose first argument is the options, up to the parenthesis. */
  readonly call: RegExp;
  /** Paths of configuration files of tools. */
  readonly toolFile?: RegExp;
  /** Finds members of the options in a tool's configuration. */
  readonly toolOption?: RegExp;
  readonly read: (options: OptionReader, isTool: boolean) => FrameworkOptions;
  /** Reads what the code of a file shows, where it is no object of options. */
  readonly readCode?: (code: string) => FrameworkOptions;
}

/** What the options of a framework say. */
export interface FrameworkOptions extends KeyConventions {
  /** Hooks search all of their namespaces, not only the first. */
  readonly nsMode?: "fallback";
  readonly macros?: MacroOptions;
}

/** Reads an object of options in source code. */
export interface OptionReader {
  /** Returns the literal text of an option; `false` if it is the literal `false`, `undefined` if it is anything else. */
  text(...names: readonly string[]): string | false | undefined;
  /** Returns the names in a literal or an array; `undefined` if it is anything else, or empty. */
  names(...names: readonly string[]): readonly string[] | undefined;
  /** Returns the options in a nested object. */
  object(name: string): OptionReader | undefined;
  /** Returns the options that are literal texts, with their names. */
  entries(): readonly (readonly [name: string, text: string])[];
  /** Whether the option exists. */
  has(name: string): boolean;
  /** Whether the option is the literal `true`. */
  isTrue(name: string): boolean;
}
