/** `POST /imports`: stores the upload and queues its job. */
import { JOB_LOCK_WAIT_MS, JOB_TYPE_IMPORT } from "../specification-decisions.ts";
import type { ImportRequest } from "../imports/import-job.ts";
import { readUpload } from "../imports/upload.ts";
import { addJob, jobResponse } from "../jobs/jobs.ts";
import { invalid } from "../http/problem.ts";
import { listedLanguages } from "../store/rows.ts";
import { runInThread, SMALL_BYTES } from "../worker-thread.ts";
import { dataResponse, jobUrl, type Endpoint } from "./endpoint.ts";

export const postImports: Endpoint = {
  method: "POST",
  path: "/imports",
  scope: "write",
  waitsForSource: true,
  handle: async (service, c) => {
    const { store } = service;
    const locales = listedLanguages(store.reader).map((language) => language.locale);
    const { files, fields } = await readUpload(c.req.raw, locales);
    const size = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const { refused } = await runInThread(
      { kind: "inspect", files, format: fields.format },
      size <= SMALL_BYTES,
    );
    if (refused.length > 0) {
      throw invalid(
        new Map(refused.map(({ index, code, values }) => [`files.${index}`, [{ code, values }]])),
      );
    }
    const id = await store.write(JOB_LOCK_WAIT_MS, (connection) => {
      const request: ImportRequest = { fields };
      const job = addJob(connection, JOB_TYPE_IMPORT, request, service.now());
      for (const [position, file] of files.entries()) {
        connection
          .sql("INSERT INTO uploads (job_id, position, name, bytes) VALUES (?, ?, ?, ?)")
          .run(job, position, file.name, file.bytes);
      }
      return job;
    });
    const job = jobResponse(store.reader, id, () => undefined, c.get("messageLanguage"));
    service.jobs.start();
    return dataResponse(job, 202, { Location: jobUrl(c, id) });
  },
};
