/** `POST /imports`: stores the upload and queues its job. */
import { JOB_LOCK_WAIT_MS, JOB_TYPE_IMPORT } from "../specification-decisions.ts";
import type { ImportRequest } from "../imports/import-job.ts";
import { readUpload } from "../imports/parse-upload.ts";
import { addJob } from "../jobs/job-store.ts";
import { invalid } from "../http/error-responses.ts";
import { listedLanguages } from "../store/store-rows.ts";
import { isSmallUpload, runInThread } from "../worker-thread.ts";
import { jobResponse, type Endpoint } from "./endpoint.ts";

export const postImports: Endpoint = {
  method: "POST",
  path: "/imports",
  scope: "write",
  handle: async (service, c) => {
    const { store } = service;
    const locales = listedLanguages(store.reader).map((language) => language.locale);
    const { files, fields } = await readUpload(c.req.raw, locales);
    const refused = await runInThread(
      { kind: "inspect", files, format: fields.format },
      isSmallUpload(files),
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
    return jobResponse(service, c, id);
  },
};
