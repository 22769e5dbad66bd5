/** What the extension provides to editors, by the documents that it is for. */
import { matchesGlob } from "node:path";
import type { Diagnostic, Uri } from "./values.ts";
import type { TextDocument } from "./workspace.ts";

type Filter = string | { readonly language?: string; readonly scheme?: string; readonly pattern?: string };

interface Provided {
  readonly kind: string;
  readonly selector: Filter | readonly Filter[];
  readonly provider: object;
}

const all = new Set<Provided>();

function register(kind: string) {
  return (selector: Provided["selector"], provider: object) => {
    const provided = { kind, selector, provider };
    all.add(provided);
    return { dispose: () => void all.delete(provided) };
  };
}

function isSelected({ uri, languageId }: TextDocument, filter: Filter): boolean {
  if (typeof filter === "string") return filter === languageId;
  const { language = languageId, scheme = uri.scheme, pattern } = filter;
  if (language !== languageId || scheme !== uri.scheme) return false;
  return pattern === undefined || matchesGlob(uri.path.slice(1), pattern);
}

/** Returns the providers of a kind for a document, such as those of `Hover`. */
export function providersFor<Provider extends object>(
  kind: string,
  document: TextDocument,
): readonly Provider[] {
  return [...all].flatMap((each) =>
    each.kind === kind && [each.selector].flat().some((filter) => isSelected(document, filter))
      ? [each.provider as Provider]
      : [],
  );
}

/** The problems that are shown, by URI. */
export class Problems {
  readonly #shown = new Map<string, readonly [Uri, readonly Diagnostic[]]>();

  set(uri: Uri, diagnostics: readonly Diagnostic[]): void {
    this.#shown.set(uri.toString(), [uri, diagnostics]);
  }

  delete(uri: Uri): void {
    this.#shown.delete(uri.toString());
  }

  of(uri: Uri): readonly Diagnostic[] {
    return this.#shown.get(uri.toString())?.[1] ?? [];
  }

  [Symbol.iterator]() {
    return this.#shown.values();
  }

  dispose(): void {
    this.#shown.clear();
  }
}

/** The last collection of problems. */
export let problems = new Problems();

export const languages = {
  registerHoverProvider: register("Hover"),
  registerCompletionItemProvider: register("Completion"),
  registerDefinitionProvider: register("Definition"),
  registerImplementationProvider: register("Implementation"),
  registerReferenceProvider: register("Reference"),
  registerRenameProvider: register("Rename"),
  registerInlayHintsProvider: register("InlayHints"),
  registerCodeLensProvider: register("CodeLens"),
  registerCodeActionsProvider: register("CodeActions"),
  registerDocumentSymbolProvider: register("DocumentSymbol"),
  registerFoldingRangeProvider: register("FoldingRange"),
  createDiagnosticCollection: (): Problems => (problems = new Problems()),
  setTextDocumentLanguage: <Document>(document: Document): Document => document,
};
