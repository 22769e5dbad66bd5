/** The program of the thread that reads and changes large translation files; a bundle of its own. It knows no VS Code. */
import { parentPort } from "node:worker_threads";
import { serve } from "../core/formats/conversation-worker.ts";
import { lineOf } from "./thread-line.ts";

// Nobody else starts this file.
if (parentPort !== null) void serve(lineOf(parentPort));
