/** The commands of the program: what arguments they take, by which those are parsed, checked and shown. */
import { parseArgs } from "node:util";
import * as v from "valibot";
import type { CommandDeclaration, OptionsOf } from "../commands/define-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { choicesOf, schemaAt, structureOf } from "../commands/schema-structure.ts";
import { optionProblemMessage } from "../messages/option-messages.ts";
import { definedFields } from "../util/defined-fields.ts";
import { l10n } from "../util/l10n.ts";
import { CommandLineError } from "./arguments.ts";

/** An option: `--NAME`, or `--NAME VALUE`. */
interface OptionSpec {
  readonly type: "boolean" | "string";
  /** What the value is called, if it is none of `choices`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Whether it may be repeated, or have several values with commas. */
  readonly isList?: boolean;
  /** Whether it is not shown with the others. */
  readonly isHidden?: boolean;
  /** Whether its opposite is shown, too. */
  readonly isNegatable?: boolean;
}
type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ValueOf<Spec extends OptionSpec> = Spec extends { readonly type: "boolean" }
  ? boolean
  : Spec extends { readonly isList: true }
    ? readonly string[]
    :
        | (Spec extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
        | (Spec extends { readonly default: string } ? never : undefined);

/** Options of a command of the editor, by the names that they have there. */
interface DeclaredOptions<Declaration extends CommandDeclaration, Name extends string> {
  readonly declaration: Declaration;
  readonly names: readonly Name[];
}

interface Call<Options extends OptionSpecs, Declared> {
  /** What is no option: files and folders. */
  readonly operands: readonly string[];
  readonly values: { readonly [Name in keyof Options]: ValueOf<Options[Name]> };
  /** Those of the editor's command. */
  readonly declared: Declared;
}

/** Returns the exit code. */
type Work<Given> = (call: Given, signal: AbortSignal) => Promise<number>;

export interface ProgramCommand {
  /** The arguments. */
  readonly usage: string;
  /** @throws {CommandLineError} for wrong arguments, or as `parseArgs` */
  readonly run: Work<readonly string[]>;
}

/** Of all commands. */
const COMMON = {
  language: { type: "string", choices: ["en", "nl"] },
  help: { type: "boolean" },
} as const satisfies OptionSpecs;

/**
 * Declares a command.
 * @param from the options that a command of the editor has, too
 */
export function programCommand<
  const Options extends OptionSpecs,
  Declaration extends CommandDeclaration = CommandDeclaration,
  const Name extends keyof OptionsOf<Declaration> & string = never,
>({
  operands,
  options,
  from,
  run,
}: {
  readonly operands: string;
  readonly options: Options;
  readonly from?: DeclaredOptions<Declaration, Name>;
  readonly run: Work<Call<Options, Pick<OptionsOf<Declaration>, Name>>>;
}): ProgramCommand {
  const names = from?.names ?? [];
  const shared: OptionSpecs =
    from === undefined
      ? {}
      : Object.fromEntries(names.map((name) => [flagOf(name), specOf(from.declaration, name)]));
  const { help: _, ...common } = COMMON;
  const shown = { ...shared, ...options, ...common };
  return {
    usage: [operands, ...Object.entries(shown).map(([name, spec]) => usageOf(name, spec))]
      .filter((text) => text !== "")
      .join(" "),
    run: (args, signal) => {
      const specs: OptionSpecs = { ...shown, ...COMMON };
      const { positionals, values } = parse(args, specs);
      const given = Object.fromEntries(names.map((name) => [name, values[flagOf(name)]]));
      const declared = (from === undefined ? {} : checked(from.declaration, given)) as Pick<
        OptionsOf<Declaration>,
        Name
      >;
      return run(
        { operands: positionals, values: values as Call<Options, never>["values"], declared },
        signal,
      );
    },
  };
}

/** @throws {CommandLineError} for a value that is none of the choices, or as `parseArgs` */
function parse(args: readonly string[], specs: OptionSpecs) {
  const config = Object.entries(specs).map(([name, { type, isList = false, default: byDefault }]) => {
    return [name, { type, multiple: isList, ...definedFields({ default: byDefault }) }] as const;
  });
  const options = Object.fromEntries(config);
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options,
  });
  const entries = Object.entries(specs).map(([name, { isList = false, choices }]) => {
    const value = values[name];
    if (choices !== undefined && typeof value === "string" && !choices.includes(value))
      throw new CommandLineError(
        l10n.t("{0} is “{1}”, but may only be {2}.", `--${name}`, value, choices.join(", ")),
      );
    if (!isList) return [name, value] as const;
    const parts = [value ?? []].flat().flatMap((each) => String(each).split(","));
    return [name, parts.filter((part) => part !== "")] as const;
  });
  return { positionals, values: Object.fromEntries(entries) };
}

/** Checks options as the editor's command does. @throws {CommandLineError} */
function checked<Declaration extends CommandDeclaration>(declaration: Declaration, given: object): object {
  const parsed = parseOptions(declaration, definedFields(given));
  if (parsed.kind === "valid") return parsed.options;
  const { problem } = parsed;
  const named = "path" in problem ? { ...problem, path: `--${flagOf(problem.path)}` } : problem;
  throw new CommandLineError(optionProblemMessage(declaration, named, l10n));
}

/** `--archive-missing` of `archiveMissing`. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function specOf({ options }: CommandDeclaration, name: string): OptionSpec {
  const known = schemaAt(v.strictObject(options), [name]);
  if (known.type === "boolean") return { type: "boolean", isNegatable: true };
  const choices = choicesOf(known) ?? [];
  const isList = structureOf(known).item !== undefined;
  return { type: "string", isList, ...(choices.length > 0 && choices.length < 5 ? { choices } : {}) };
}

/** `[--locales LOCALES,…]` */
function usageOf(name: string, spec: OptionSpec): string {
  const { type, value = name.toUpperCase(), choices, isList = false, isNegatable = false } = spec;
  if (spec.isHidden === true) return "";
  if (type === "boolean") return `[--${isNegatable ? "[no-]" : ""}${name}]`;
  return `[--${name} ${choices?.join("|") ?? value}${isList ? ",…" : ""}]`;
}
