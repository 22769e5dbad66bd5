/** What texts are extracted with: a bundle of its own with parsers, loaded when it is first needed. */

export const extraction = (): Promise<typeof import("../../workspace/extract/extract.ts")> =>
  import("../../workspace/extract/extract.ts");
