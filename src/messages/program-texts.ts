/** What is said otherwise in a program than in the editor: nobody signs in there, and there is no Activity. */
export type ProgramTexts = Readonly<
  Record<"unauthorized" | "forbidden" | "cancelled" | "readOnly" | "sent", (name: string) => string>
>;

let texts: Partial<ProgramTexts> = {};

export function setProgramTexts(given: ProgramTexts): void {
  texts = given;
}

/** Returns what a program says; `undefined` in the editor. @param name of the project, or of files */
export function programText(about: keyof ProgramTexts, name = ""): string | undefined {
  return texts[about]?.(name);
}
