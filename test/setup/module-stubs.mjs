/**
 * Stubs for the native modules of VS Code's server that npm would have to compile or download: its logger, the
 * watchdog that ends an extension host whose server died, and ripgrep (which a newer package carries ready). They do
 * the same in plain JavaScript.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const spdlog = `const { appendFileSync } = require("node:fs");
class Logger {
  constructor(file) { this.file = file; this.level = 2; this.pattern = true; }
  write(level, text) {
    if (level < this.level) return;
    const stamp = this.pattern ? new Date().toISOString() + " [" + NAMES[level] + "] " : "";
    try { appendFileSync(this.file, stamp + text + (this.pattern ? "\\n" : "")); } catch { /* the folder is gone: so is the reader */ }
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.pattern = true; }
  clearFormatters() { this.pattern = false; }
  flush() {}
  drop() {}
}
const NAMES = ["trace", "debug", "info", "warning", "error", "critical"];
NAMES.forEach((name, level) => { Logger.prototype[name === "warning" ? "warn" : name] = function (text) { this.write(level, text); }; });
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = async (name, file) => new Logger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
exports.Logger = Logger;
`;

const watchdog = `exports.start = (pid) => {
  setInterval(() => { try { process.kill(pid, 0); } catch { process.exit(87); } }, 3000).unref();
};
exports.exit = (code) => process.exit(code);
`;

const ripgrep = `exports.rgPath = require("@vscode/ripgrep-universal").rgPath;
`;

const sources = {
  "@vscode/spdlog": spdlog,
  "@vscode/native-watchdog": watchdog,
  "native-watchdog": watchdog,
  "@vscode/ripgrep": ripgrep,
};

/** Writes the stubs into a `node_modules` folder. */
export function writeModuleStubs(modules) {
  for (const [name, source] of Object.entries(sources)) {
    const folder = join(modules, ...name.split("/"));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "0.0.0", main: "index.js" }));
    writeFileSync(join(folder, "index.js"), source);
  }
}
