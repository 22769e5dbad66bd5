/** Types of the libraries that have none, as far as tests and benchmarks use them. */
declare module "gettext-parser" {
  interface Table {
    readonly charset: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly translations: Readonly<
      Record<
        string,
        Readonly<Record<string, { msgid: string; msgctxt?: string; msgid_plural?: string; msgstr: string[] }>>
      >
    >;
  }
  interface Kind {
    parse(input: Uint8Array): Table;
    compile(table: Table): Uint8Array;
  }
  const gettextParser: { readonly po: Kind; readonly mo: Kind };
  export default gettextParser;
}

declare module "xliff" {
  export function xliff12ToJs(text: string): Promise<{
    readonly resources: Readonly<
      Record<string, Readonly<Record<string, { readonly source?: unknown; readonly target?: unknown }>>>
    >;
  }>;
  export function xliff2js(text: string): ReturnType<typeof xliff12ToJs>;
}
