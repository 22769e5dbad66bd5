/** Loads the extraction bundle, which contains the parsers, on first use. */

export const extraction = (): Promise<typeof import("../../workspace/extract-text/extract-text.ts")> =>
  import("../../workspace/extract-text/extract-text.ts");
