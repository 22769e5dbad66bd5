/**
 * Runs a command in a process group of its own. Kills the whole group and removes the folders named in
 * `REMOVE_ON_EXIT` when the command ends, or when standard input is closed: that also happens when the parent process
 * dies, even by SIGKILL.
 *
 * `node process-group.mjs COMMAND ARGS...`; exits with the command's exit code, or 1 when a signal ended it.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { delimiter } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const { REMOVE_ON_EXIT, ...env } = process.env;
const [command, ...args] = process.argv.slice(2);
// On Windows a batch file needs a shell, and its arguments need quotes.
const shell = /\.(cmd|bat)$/i.test(command);
const child = spawn(command, shell ? args.map((arg) => `"${arg}"`) : args, {
  env,
  shell,
  stdio: ["ignore", "inherit", "inherit"],
  detached: process.platform !== "win32",
});
const ended = new Promise((resolve) => {
  child.on("exit", (code) => resolve(code ?? 1));
  child.on("error", (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    resolve(1);
  });
});
const inputClosed = new Promise((resolve) => process.stdin.on("close", resolve).resume());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy());

await Promise.race([ended, inputClosed]);
signalGroup("SIGTERM");
// Three seconds to save what is in memory.
const code = await Promise.race([ended, wait(3000, 1, { ref: false })]);
signalGroup("SIGKILL");
for (const folder of (REMOVE_ON_EXIT ?? "").split(delimiter)) {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(code);

function signalGroup(signal) {
  try {
    if (process.platform === "win32") child.kill(signal);
    else if (child.pid) process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
