/** A service in this process with its own store, and plain requests to it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  startService,
  type RunningService,
  type ServiceOptions,
} from "../../../src/local-service/start-service.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { NO_LIMITS } from "../../service/support/local-service.ts";
import { temporaryFolder } from "../../service/support/temporary.ts";

export { temporaryFolder };

interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Harness extends RunningService {
  readonly logged: readonly string[];
  /** A JSON request with the token that may write. */
  call<Body = { data: unknown }>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  /** `data` of an answer that must be good. */
  data<Data>(method: string, path: string, body?: unknown): Promise<Data>;
  upload(
    files: Readonly<Record<string, string | Uint8Array>>,
    fields?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** `GET /exports/PATH` */
  download(path: string, ifNoneMatch?: string): Promise<Download>;
  /** Waits for the end of a job. */
  ended(jobId: number): Promise<Job>;
}

export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string | null;
  readonly etag: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
}

interface Job {
  readonly id: number;
  readonly status: string;
  readonly result: Record<string, number> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Writes a project file, without rate limits by default. */
export function projectFile(folder: string, project: ProjectFile): string {
  const file = join(folder, "project.json");
  writeFileSync(file, JSON.stringify({ limits: NO_LIMITS, ...project }));
  return file;
}

/** Starts a service that stops after the test. */
export async function start(project: ProjectFile, options: ServiceOptions = {}): Promise<Harness> {
  const logged: string[] = [];
  const service = await startService({
    project: projectFile(temporaryFolder(), project),
    log: (text) => void logged.push(text),
    ...options,
  });
  onTestFinished(() => service.stop());
  return { ...service, ...calls(service), logged };
}

/** Calls to any service. */
export function calls({
  baseUrl,
  token,
}: {
  baseUrl: string;
  token: string;
}): Omit<Harness, keyof RunningService | "logged"> {
  const send = async <Body>(
    method: string,
    path: string,
    sent?: FormData | string,
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      ...(sent === undefined ? {} : { body: sent }),
      headers: {
        authorization: `Bearer ${token}`,
        "accept-language": "en",
        ...(typeof sent === "string" ? { "content-type": "application/json" } : {}),
      },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  };
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body));
  const data = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const answer = await call<{ data: Data }>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  return {
    call,
    data,
    upload: async (files, fields = {}) => {
      const form = new FormData();
      for (const [name, content] of Object.entries(files))
        form.append("files[]", new File([new Uint8Array(Buffer.from(content))], name));
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return send("POST", "/imports", form);
    },
    download: async (path, ifNoneMatch) => {
      const response = await fetch(`${baseUrl}/exports/${path}`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
        },
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status, headers } = response;
      return {
        status,
        headers,
        bytes,
        text: Buffer.from(bytes).toString(),
        type: headers.get("content-type"),
        etag: headers.get("etag"),
      };
    },
    ended: async (jobId) => {
      for (;;) {
        const job = await data<Job>("GET", `/jobs/${jobId}`);
        if (job.status === "succeeded" || job.status === "failed") return job;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
