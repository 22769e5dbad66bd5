/** `GET /jobs/{jobId}`. */
import { jobRecord } from "../jobs/job-store.ts";
import { notFound } from "../http/error-responses.ts";
import { dataResponse, type Endpoint } from "./endpoint.ts";

export const getJob: Endpoint = {
  method: "GET",
  path: "/jobs/:jobId",
  scope: "read",
  handle: ({ store, jobs }, c) => {
    const given = c.req.param("jobId") ?? "";
    const id = /^\d{1,15}$/u.test(given) ? Number(given) : 0;
    const job = jobRecord(store.reader, id, jobs.progress(id), c.get("messageLanguage"));
    if (job === undefined) throw notFound();
    return dataResponse(job);
  },
};
