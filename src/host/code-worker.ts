/** The program of the thread that reads and searches code files; a bundle of its own. It knows no VS Code. */
import { parentPort } from "node:worker_threads";
import { serveCode } from "../core/code-conversation-worker.ts";
import { readCode } from "./read-code.ts";
import { lineOf } from "./thread-line.ts";

// Nobody else starts this file.
if (parentPort !== null) void serveCode(lineOf(parentPort), readCode);
