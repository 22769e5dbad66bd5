/**
 * Stands before an extension's own main file while it is measured: notes what loading and activating it took, and
 * hands everything on as it is. `original.json` beside it says where the real one lies.
 */
"use strict";
const { join } = require("node:path");
const { performance } = require("node:perf_hooks");
const { readFileSync } = require("node:fs");

const threadTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const noted = {
  processorFrom: threadTime(),
  busyFrom: performance.eventLoopUtilization(),
  require: 0,
  activate: 0,
  activated: null,
};
globalThis.benchNoted = noted;
const { main } = JSON.parse(readFileSync(join(__dirname, "original.json"), "utf8"));
const start = performance.now();
const real = require(join(__dirname, main));
noted.require = performance.now() - start;
noted.requireProcessor = threadTime() - noted.processorFrom;

exports.activate = (context) => {
  const from = performance.now();
  const spent = threadTime();
  const result = real.activate?.(context);
  noted.activate = performance.now() - from;
  noted.activateProcessor = threadTime() - spent;
  Promise.resolve(result).then(
    () => (noted.activated = performance.now() - from),
    () => {},
  );
  return result;
};
exports.deactivate = () => real.deactivate?.();
