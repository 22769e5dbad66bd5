/**
 * `npm run service`: the local service from a fresh clone. What is missing is installed and built first; all words
 * about that go to standard error, since the first line on standard output is the service's.
 */
import { runOnProjectNode } from "./ensure.mjs";

await runOnProjectNode(new URL("service-built.ts", import.meta.url), process.argv.slice(2));
