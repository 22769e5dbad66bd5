/**
 * Stands before an extension's own main file while it is measured: notes what loading and activating it took, or why
 * that failed, and hands everything on as it is. `original.json` beside it says where the real one lies.
 */
"use strict";
const { join } = require("node:path");
const { performance } = require("node:perf_hooks");
const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

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
const failed = (error) => {
  noted.failed = String(error?.stack ?? error);
  throw error;
};
const start = performance.now();
// A module or a CommonJS module.
const loading = import(pathToFileURL(join(__dirname, main)).href).then((real) => {
  noted.require = performance.now() - start;
  noted.requireProcessor = threadTime() - noted.processorFrom;
  return typeof real.activate === "function" ? real : real.default;
}, failed);

exports.activate = async (context) => {
  const real = await loading;
  const from = performance.now();
  const spent = threadTime();
  try {
    const result = real.activate?.(context);
    noted.activate = performance.now() - from;
    noted.activateProcessor = threadTime() - spent;
    const value = await result;
    noted.activated = performance.now() - from;
    return value;
  } catch (error) {
    return failed(error);
  }
};
exports.deactivate = async () => (await loading).deactivate?.();
