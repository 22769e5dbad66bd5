/** The workspace of the suite, with a file of every catalogue format, and its service. */
import assert from "node:assert/strict";
import { commands, type LocationLink, type Position, type TextDocument, Uri, workspace } from "vscode";
import { mo } from "../../../src/formats/gettext/mo-format.ts";
import { xlsx } from "../../../src/formats/spreadsheets/xlsx-format.ts";
import { startService } from "../harness/bridge-client.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string; readonly reason?: string };
  readonly files?: readonly { readonly path: string; readonly change: string }[];
  readonly plan?: Readonly<Record<string, number>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
};

export const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });
export const done = async (name: string, options: object = {}): Promise<Result> => {
  const result = await run(name, options);
  assert.equal(result.outcome, "done", JSON.stringify(result));
  return result;
};

export const place = (path: string): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
};
export const readBytes = async (path: string): Promise<Uint8Array> => workspace.fs.readFile(place(path));
export const read = async (path: string): Promise<string> => new TextDecoder().decode(await readBytes(path));

export const SHEET = "texts.xlsx";
export const sheetTexts = async (): Promise<Record<string, unknown>> => {
  const { entries } = xlsx.read(await readBytes(SHEET), { locale: "en", sourceLocale: "en" });
  return Object.fromEntries(entries.map(({ namespace, locale, text }) => [`${namespace} ${locale}`, text]));
};

const SERVICE = {
  sourceLocale: "en",
  languages: [{ locale: "nl", name: "Nederlands" }],
  exportProfiles: [
    { key: "catalogues", name: "Catalogues", format: "po", path: "languages/{namespace}-{locale}.po" },
    { key: "sheet", name: "Sheet", format: "xlsx", path: SHEET },
  ],
};

export const OLD = "languages/old-nl.po";
/** Every character of it is one byte, as the header says. */
export const oldFile = (text: string): string =>
  [
    'msgid ""',
    'msgstr ""',
    '"Language: nl\\n"',
    '"Content-Type: text/plain; charset=ISO-8859-1\\n"',
    "",
    "# Caf\u00e9",
    'msgid "Coffee"',
    `msgstr "${text}"`,
    "",
  ].join("\n");
export const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

export const COMPILED = "languages/compiled-nl.mo";
export const compiledTexts = async (): Promise<unknown[]> =>
  mo.read(await readBytes(COMPILED), { locale: "nl", sourceLocale: "en" }).entries.map(({ text }) => text);

export function placeIn(document: TextDocument, words: string): Position {
  const at = document.getText().indexOf(words);
  assert.ok(at >= 0, `${words} is in ${document.uri.path}`);
  return document.positionAt(at + 2);
}
const uses = async (words: string): Promise<readonly [Uri, Position]> => {
  const document = await workspace.openTextDocument(place("src/page.php"));
  return [document.uri, placeIn(document, words)];
};
export const leadsTo = async (words: string, kind: "Definition" | "Implementation"): Promise<string[]> => {
  const found = await commands.executeCommand<LocationLink[]>(
    `vscode.execute${kind}Provider`,
    ...(await uses(words)),
  );
  return found.map(({ targetUri, targetRange, targetSelectionRange = targetRange }) => {
    const { line, character } = targetSelectionRange.start;
    return `${workspace.asRelativePath(targetUri)}:${line + 1}:${character + 1}`;
  });
};

/** The one line in which two texts of as many lines differ, before and after. */
export function changedLines(before: string, after: string): [string, string][] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  assert.equal(now.length, old.length, after);
  return old.flatMap((line, index): [string, string][] =>
    line === now[index] ? [] : [[line, now[index] ?? ""]],
  );
}

let prepared: Promise<void> | undefined;

/** Lays the files that are no text, and signs in; once for the whole window. */
export function prepare(): Promise<void> {
  return (prepared ??= layAndSignIn());
}

async function layAndSignIn(): Promise<void> {
  const entries = [
    { key: "title", context: null, namespace: "page", locale: "en", text: { value: "Title" } },
    { key: "title", context: null, namespace: "page", locale: "nl", text: { value: "Titel" } },
  ];
  await workspace.fs.writeFile(place(SHEET), xlsx.print(entries, { locale: "en", sourceLocale: "en" }));
  await workspace.fs.writeFile(place(OLD), latin1(oldFile("Koffie, cr\u00e8me")));
  const compiled = { key: "Checkout", context: null, text: { value: "Afrekenen" } };
  await workspace.fs.writeFile(place(COMPILED), mo.print([compiled], { locale: "nl", sourceLocale: "en" }));
  const { baseUrl, token } = await startService({ project: SERVICE });
  await done("signIn", { baseUrl, token });
}
