#!/usr/bin/env node
/**
 * Entry point of `dist/cli.mjs`, a bundle of its own. It runs in every Node that knows modules, and says which one is needed:
 * the rest of the program could not even be loaded in an older one.
 */
import process from "node:process";

const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
// The first version in which SQLite needs no option.
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`project-translations needs Node 22.13 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  void import("./main.ts").then(({ runProgram }) => runProgram());
}
