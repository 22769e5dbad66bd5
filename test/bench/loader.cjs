/**
 * Stands before an extension's own main file while it is measured: notes what loading and activating it took, or why
 * that failed, and hands everything on as it is. `original.json` beside it says where the real one lies.
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
  loadedAt: Date.now(),
  processorFrom: threadTime(),
  busyFrom: performance.eventLoopUtilization(),
  require: 0,
  activate: 0,
  activated: null,
  failed: null,
};
globalThis.benchNoted = noted;
const { main } = JSON.parse(readFileSync(join(__dirname, "original.json"), "utf8"));
const start = performance.now();
const failed = (error) => (noted.failed = String(error?.stack ?? error));
const load = () => {
  try {
    return require(join(__dirname, main));
  } catch (error) {
    failed(error);
    throw error;
  }
};
const real = load();
noted.require = performance.now() - start;
noted.requireProcessor = threadTime() - noted.processorFrom;

const begin = (context) => {
  try {
    return real.activate?.(context);
  } catch (error) {
    failed(error);
    throw error;
  }
};

exports.activate = (context) => {
  const from = performance.now();
  const spent = threadTime();
  const result = begin(context);
  noted.activate = performance.now() - from;
  noted.activateProcessor = threadTime() - spent;
  Promise.resolve(result).then(() => (noted.activated = performance.now() - from), failed);
  return result;
};
exports.deactivate = () => real.deactivate?.();
