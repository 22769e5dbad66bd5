/** Loads the extraction bundle, which contains the parsers, on first use. */

export const extraction = (): Promise<typeof import("../../workspace/extract/extract.ts")> =>
  import("../../workspace/extract/extract.ts");
