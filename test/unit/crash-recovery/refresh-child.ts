/**
 * A child process that reads a project into the database of a folder: `node refresh-child.ts BASE_URL TOKEN FOLDER
 * [PAGE]`. It kills itself after that many pages; otherwise it prints the result.
 */
import { openWindow, type Interceptor } from "../support/test-window.ts";

const [baseUrl = "", token = "", folder = "", endsAt = "0"] = process.argv.slice(2);
let pages = 0;
const intercept: Interceptor = async (asked, pass) => {
  const answer = await pass();
  if (/^GET \/(?:keys|translations)/u.test(asked) && ++pages === Number(endsAt))
    process.kill(process.pid, "SIGKILL");
  return answer;
};
const { project, refresher, database, log } = await openWindow({
  baseUrl,
  token,
  folder,
  intercept,
  preview: ["en", "nl"],
});
const wasOnDisk = database.isOnDisk;
if (wasOnDisk) {
  const text = { locale: "nl", hash: "a".repeat(40), text: { value: "Mand" }, base: null, baseVersion: null };
  project.drafts.put([{ ...text, origin: "person", model: null, source: null }]);
}
if ((await refresher.refresh()) === null) await refresher.refresh();
console.log(
  JSON.stringify({
    wasOnDisk,
    isOnDisk: database.isOnDisk,
    keys: project.keys.size,
    translations: project.translations.counts("nl").translated,
    isComplete: project.keysComplete && project.isComplete("nl"),
    drafts: project.drafts.count(),

    warnings: log.lines.filter((line) => line.includes("project.db cannot be used")).length,
  }),
);
