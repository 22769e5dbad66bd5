/**
 * Holds a program on a leash: starts it in a process group of its own and ends the whole group, and the folders named
 * in `LEASH_REMOVE`, when the program ends or when whoever holds the other end of standard input lets go of it,
 * however that came about (even by SIGKILL).
 *
 * `node leash.mjs COMMAND ARGS...`; ends with the program's exit code, or 1 when a signal ended it.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { delimiter } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const { LEASH_REMOVE, ...env } = process.env;
const [command, ...args] = process.argv.slice(2);
// Only a shell starts a batch file, and it takes quoted words.
const shell = /\.(cmd|bat)$/i.test(command);
const words = shell ? args.map((arg) => `"${arg}"`) : args;
const child = spawn(command, words, {
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
const letGo = new Promise((resolve) => process.stdin.on("close", resolve).resume());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.stdin.destroy());

await Promise.race([ended, letGo]);
signalGroup("SIGTERM");
// Time to write down what is in memory; then no more asking.
const code = await Promise.race([ended, wait(3000, 1, { ref: false })]);
signalGroup("SIGKILL");
for (const folder of (LEASH_REMOVE ?? "").split(delimiter)) {
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
