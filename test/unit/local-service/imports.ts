/** Imports files into a running service and returns the results. */
import { expect } from "vitest";
import type { Harness } from "./harness.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";

/** A project whose languages a test imports. */
export const project: ProjectFile = { type: "laravel", languages: [{ locale: "nl" }, { locale: "pt-BR" }] };

/** A catalogue with a context, a plural and a message without translation. */
export const PO = `msgid ""
msgstr ""
"Language: nl\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#. Above the cart
msgctxt "menu"
msgid "Cart"
msgstr "Winkelwagen"

msgid "%d item"
msgid_plural "%d items"
msgstr[0] "%d stuk"
msgstr[1] "%d stuks"

msgid "Later"
msgstr ""
`;

export type Files = Readonly<Record<string, string | Uint8Array>>;
export type Fields = Readonly<Record<string, string>>;

/** The job's counters that are not zero, or the code that it failed with. */
export async function imported(service: Harness, files: Files, fields?: Fields): Promise<unknown> {
  const answer = await service.upload(files, fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const { id } = answer.body["data"] as { id: number };
  expect(answer.headers.get("location")).toBe(`${service.baseUrl}/jobs/${id}`);
  const job = await service.ended(id);
  if (job.error !== null) return job.error.code;
  return Object.fromEntries(Object.entries(job.result ?? {}).filter(([, count]) => count !== 0));
}

/** What the answer says of each refused file. */
export async function refused(
  service: Harness,
  files: Files,
  fields?: Fields,
): Promise<Record<string, string>> {
  const answer = await service.upload(files, fields);
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  const errors = answer.body["errors"] as Record<string, string[]>;
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, messages.join()]));
}

export async function rows(service: Harness, locale: string): Promise<string[]> {
  const all = await service.data<Record<string, unknown>[]>("GET", `/translations/${locale}`);
  return all.map(({ namespace, key, context, value, forms }) =>
    [namespace, context, key, forms ?? value]
      .filter((part) => part !== null)
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      .join(" | "),
  );
}
