/** Babel's parser, in a bundle of its own. */
export { parse } from "@babel/parser";
