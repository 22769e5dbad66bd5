/** Entry point of `dist/cli.mjs`. */
import { main } from "./main.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
process.exitCode = await main(process.argv.slice(2), stop.signal);
