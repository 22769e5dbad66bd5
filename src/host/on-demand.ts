/**
 * What is loaded when it is first needed, as a bundle of its own: the readers and writers of translation files, and the
 * editing of the project file. Only ever imported with `import()`.
 */
export { direct } from "../core/formats/direct.ts";
export { setInProjectFile } from "../core/project-file-edit.ts";
