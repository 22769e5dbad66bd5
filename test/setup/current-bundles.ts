/** Tests run what is bundled: it is built before them, unless it is newer than the sources. */
export { buildIfStale as setup } from "./build.ts";
