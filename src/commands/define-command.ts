/**
 * Declarations of commands. One declaration has everything about a command that does not need VS Code: its id, its options,
 * what it needs and what it resolves with. Registration, the check of options, docs/commands.md, the tests of the manifest
 * and calls between features use it. The work of a command is in its feature (`App.command`).
 */
import * as v from "valibot";
import type { CommandResult } from "./command-types.ts";
import { hasText, isAtMostOneText, option, TEXT_RULES, UriSchema } from "./option-schemas.ts";

/** What a command needs before it does anything; each includes those before it. */
export const REQUIREMENTS = ["window", "project", "trusted-workspace", "signed-in", "write-access"] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Options that every command accepts. */
const commonOptions = {
  folder: option(
    UriSchema,
    "A path or `Uri` in the project; default: the only project, or that of the active editor.",
  ),
  confirm: option(v.boolean(), "`false`: the command asks nothing and opens nothing."),
};

/** The schemas of a command's own options, by name. */
export type OptionEntries = Readonly<Record<string, v.GenericSchema>>;

type AllEntries<Entries extends OptionEntries> = Entries & typeof commonOptions;
/** The options after they were checked. */
type Output<Entries extends OptionEntries> = v.InferOutput<
  v.StrictObjectSchema<AllEntries<Entries>, undefined>
>;

/** Describes the fields of a result beside `outcome`; `Fields` is their type. */
export interface ResultDescription<Fields extends object> {
  /** Markdown for docs/commands.md. */
  readonly text: string;
  /** Never set. */
  readonly type?: Fields;
}

/** Describes the fields of a result. */
export function resolvesWith<Fields extends object>(text: string): ResultDescription<Fields> {
  return { text };
}

/** The declaration of a command. */
export interface CommandDeclaration<
  Entries extends OptionEntries = OptionEntries,
  Fields extends object = object,
  Needs extends Requirement = Requirement,
> {
  /** `projectTranslations.…`, as in the manifest. */
  readonly id: `projectTranslations.${string}`;
  /** English title of its progress notification; with `…` at the end for commands that prompt, its title in the manifest. */
  readonly title: string;
  /** Checked before the command does anything. */
  readonly needs: Needs;
  /** The schemas of all its options, by name. */
  readonly options: AllEntries<Entries>;
  /** The schema of the object that holds them; its output is `OptionsOf` the declaration. */
  readonly schema: v.GenericSchema;
  readonly resolvesWith: ResultDescription<Fields>;
  /** Markdown for docs/commands.md. */
  readonly description: string;
  /**
   * Who calls it: `anyone` (documented), `person` (from the palette and menus only, since it always prompts or shows
   * something), or `row` (a row of a view, whose options it needs).
   */
  readonly audience: "anyone" | "person" | "row";
  /** Whether it is in the menus of rows, so that it applies to the row that it was called from. */
  readonly inRowMenus: boolean;
}

/** The options of a command, after they were checked. */
export type OptionsOf<Declaration> =
  Declaration extends CommandDeclaration<infer Entries, infer _Fields, infer _Needs>
    ? Output<Entries>
    : never;

/** The fields of a command's result beside `outcome`. */
export type FieldsOf<Declaration> =
  Declaration extends CommandDeclaration<infer _Entries, infer Fields, infer _Needs> ? Fields : never;

/** Runs commands by their declarations. */
export interface CommandRunner {
  /** Runs a command of another feature, as its callers do; `options` are checked by the compiler. */
  run<Declared extends CommandDeclaration>(
    declaration: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>>;
}

/**
 * Declares a command. `id`: without the common prefix. `needsText`: one of `value` and `forms` has to be set. An option for the
 * files of a menu is named `files`, also where it takes only one: by that name menus pass them (`call-arguments.ts`).
 */
export function defineCommand<
  const Needs extends Requirement,
  const Entries extends OptionEntries = {},
  Fields extends object = object,
>({
  id,
  options,
  needsText = false,
  audience = "anyone",
  inRowMenus = audience === "row",
  ...declaration
}: {
  readonly id: string;
  readonly title: string;
  readonly needs: Needs;
  readonly description: string;
  readonly options?: Entries & { readonly file?: never };
  readonly needsText?: boolean;
  readonly resolvesWith?: ResultDescription<Fields>;
  readonly audience?: CommandDeclaration["audience"];
  readonly inRowMenus?: boolean;
}): CommandDeclaration<Entries, Fields, Needs> {
  const all = { ...(options ?? ({} as Entries)), ...commonOptions };
  return {
    resolvesWith: resolvesWith<Fields>(""),
    ...declaration,
    id: `projectTranslations.${id}`,
    options: all,
    schema: v.pipe(
      v.strictObject<OptionEntries>(all),
      v.check((given) => isAtMostOneText(given), TEXT_RULES.both),
      v.check((given) => !needsText || hasText(given), TEXT_RULES.none),
    ),
    audience,
    inRowMenus,
  };
}

/**
 * Declares the same command for the menus of rows. VS Code passes the focused row to the buttons of a view too, which apply
 * to the whole view, so a command that is in both needs two ids.
 */
export function forRows<Entries extends OptionEntries, Fields extends object, Needs extends Requirement>(
  declaration: CommandDeclaration<Entries, Fields, Needs>,
): CommandDeclaration<Entries, Fields, Needs> {
  return { ...declaration, id: `${declaration.id}Row`, audience: "row", inRowMenus: true };
}
