/** `laravel_php`: a PHP file that returns an array; keys are dotted paths in it. */
import { laravelPipes } from "../../frameworks/laravel.ts";
import type { TextFormat } from "../format.ts";
import { scanPhp } from "./php-array-parser.ts";
import { phpSyntax } from "./php-syntax.ts";
import { treeFormat } from "../object-tree/tree-format.ts";

export const laravelPhp: TextFormat = treeFormat({
  name: "laravel_php",
  rules: { nested: true, suffixes: false, pipes: true, parts: laravelPipes },
  syntax: phpSyntax,
  scan: scanPhp,
  surroundingText: () => ["<?php\n\nreturn ", ";\n"],
  isReusable: ([before, after]) =>
    /^<\?php\s+(?:declare\s*\(\s*strict_types\s*=\s*[01]\s*\)\s*;\s*)?return\s*$/iu.test(before) &&
    /^\s*;\s*(?:\?>\s*)?$/u.test(after),
});
