/** `laravel_php`: a PHP file that returns an array; keys are the dotted paths in it. */
import type { TextFormat } from "../format.ts";
import { scanPhp } from "./php-scan.ts";
import { phpSyntax } from "./php-tree.ts";
import { treeFormat } from "../tree/tree-format.ts";

export const laravelPhp: TextFormat = treeFormat({
  name: "laravel_php",
  extensions: [".php"],
  rules: { nested: true, suffixes: false, pipes: true },
  syntax: phpSyntax,
  scan: scanPhp,
  before: "<?php\n\nreturn ",
  after: ";\n",
});
