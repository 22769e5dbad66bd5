/** `GET /jobs/{jobId}`. */
import { jobResponse } from "../jobs/jobs.ts";
import { notFound } from "../http/problem.ts";
import { dataResponse, type Endpoint } from "./endpoint.ts";

export const getJob: Endpoint = {
  method: "GET",
  path: "/jobs/:jobId",
  scope: "read",
  waitsForSource: false,
  handle: ({ store, jobs }, c) => {
    const given = c.req.param("jobId") ?? "";
    const id = /^\d{1,15}$/u.test(given) ? Number(given) : undefined;
    const job =
      id === undefined
        ? undefined
        : jobResponse(store.reader, id, (running) => jobs.progress(running), c.get("messageLanguage"));
    if (job === undefined) throw notFound();
    return dataResponse(job);
  },
};
