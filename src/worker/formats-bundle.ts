/** The readers and writers of translation files: a bundle of its own, only ever imported with `import()`. */
export { direct } from "../formats/in-process.ts";
