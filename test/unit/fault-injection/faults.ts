/** Faults, the columns of the fault matrix: the effect of the proxy and the expected outcome (expected-outcomes.ts). */
import type { Answer } from "../support/fault-proxy.ts";
import type { Action } from "./user-actions.ts";
import {
  answers,
  bend,
  busy,
  exportBuilt,
  EXPORT_JOB,
  FEW,
  fieldError,
  html,
  jobSays,
  json,
  later,
  limited,
  rewrites,
  TIME,
  until,
} from "./fault-effects.ts";
import { lostAlways, lostOnce, refused, refusedFields, waitedFor, type Fault } from "./expected-outcomes.ts";

const jobs = (action: Action): boolean => action.job === true;
const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Answers of the service, which take nothing. */
const statuses: readonly (readonly [name: string, answer: Answer, code: string, reason?: string])[] = [
  ["401 in the middle", json(401, { message: "Niet ingelogd" }), "unauthorized"],
  ["403 without the scope", json(403, { message: "Geen rechten" }), "forbidden"],
  ["403 of an archived project", json(403, { message: "Gearchiveerd" }), "forbidden"],
  ["404", json(404, { message: "Niet gevonden" }), "not_found"],
  [
    "422 of the key limit",
    json(422, {
      message: "Vol",
      errors: { keys: ["Vol"] },
      reason: "key_limit_reached",
      limit: 10,
      used: 10,
      requested: 4,
    }),
    "key_limit_reached",
    "key_limit_reached",
  ],
  ["500", json(500, { message: "Oeps" }), "server_error"],
  ["500 of a web server", html(500), "server_error"],
];

/** All of them. */
export const FAULTS: readonly Fault[] = [
  {
    name: "no fault",
    lasts: "on",
    effect: () => async (passage) => passage.answer(await passage.forward()),
    expected: waitedFor(1),
  },
  {
    name: "connection refused",
    lasts: "on",
    connectionFailure: "refused",
    expected: () => ({ code: "offline", most: 2, taken: false }),
  },
  { name: "DNS gone", lasts: "on", connectionFailure: "no-name", expected: refused("offline") },
  {
    name: "TLS: untrusted certificate",
    lasts: "on",
    connectionFailure: "untrusted",
    expected: refused("offline"),
  },
  { name: "TLS: no handshake", lasts: "on", connectionFailure: "no-tls", expected: refused("offline") },
  {
    name: "reset before it was taken, once",
    lasts: "once",
    effect: () => (passage) => passage.reset(),
    expected: lostOnce("offline", false),
  },
  {
    name: "reset before it was taken",
    lasts: "on",
    effect: () => (passage) => passage.reset(),
    expected: lostAlways("offline", false),
  },
  {
    name: "reset after it was taken, once",
    lasts: "once",
    effect: () => async (passage) => {
      await passage.forward();
      passage.reset();
    },
    expected: lostOnce("offline", true),
  },
  {
    name: "reset after it was taken",
    lasts: "on",
    effect: () => async (passage) => {
      await passage.forward();
      passage.reset();
    },
    expected: lostAlways("offline", true),
  },
  {
    name: "answer cut in half, once",
    lasts: "once",
    effect: () => async (passage) => passage.truncate(await passage.forward()),
    expected: lostOnce("offline", true),
  },
  {
    name: "answer cut in half",
    lasts: "on",
    effect: () => async (passage) => passage.truncate(await passage.forward()),
    expected: lostAlways("offline", true),
  },
  {
    name: "silence, once",
    lasts: "once",
    effect: () => (passage) => passage.hang(),
    expected: lostOnce("timeout", false),
  },
  {
    name: "silence",
    lasts: "on",
    effect: () => (passage) => passage.hang(),
    expected: lostAlways("timeout", false),
  },
  {
    name: "silence after it was taken",
    lasts: "on",
    effect: () => async (passage) => {
      await passage.forward();
      passage.hang();
    },
    expected: lostAlways("timeout", true),
  },
  {
    name: "silence after half the answer",
    lasts: "on",
    effect: () => async (passage) => passage.sendHalf(await passage.forward()),
    expected: lostAlways("timeout", true),
  },
  {
    name: "a trickle",
    lasts: "on",
    effect: (network) => async (passage) =>
      passage.trickle(await passage.forward(), 12, () => network.clock.sleep(20_000)),
    expected: waitedFor(1),
  },
  {
    name: "captive portal's page",
    lasts: "on",
    effect: answers(html(200)),
    expected: refused("bad_response"),
  },
  {
    name: "captive portal's redirect",
    lasts: "on",
    effect: answers(html(302, { location: "http://portal.invalid/login" })),
    expected: refused("bad_response"),
  },
  {
    name: "captive portal's 511",
    lasts: "on",
    effect: answers(html(511)),
    expected: refused("server_error"),
  },
  {
    name: "gzip garbage",
    lasts: "on",
    effect: rewrites((answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-encoding": "gzip" },
      body: Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), Buffer.alloc(200, 0x55)]),
    })),
    expected: () => ({ code: "bad_response", sent: 1, taken: true }),
  },
  ...statuses.map(([name, answer, code, reason]): Fault => ({
    name,
    lasts: "on",
    effect: answers(answer),
    expected: refused(code, reason),
  })),
  ...(
    [
      ["422 of an item", fieldError("translations.1.value", "keys.1.value")],
      ["422 of the body", fieldError("body")],
      ["422 of a file", fieldError("files.0")],
      ["422 of a field of later", fieldError("later")],
      ["422 without fields", json(422, { message: "Nee" })],
      ["413 of a proxy", html(413)],
    ] as const
  ).map(([name, answer]): Fault => ({
    name,
    lasts: "on",
    effect: answers(answer),
    expected: refusedFields(name === "422 of a field of later"),
  })),
  { name: "409 busy for a minute", lasts: "kind", effect: until(6, busy("busy")), expected: waitedFor(7) },
  {
    name: "409 source language, for a minute",
    lasts: "kind",
    effect: until(6, busy("source_language_change")),
    expected: waitedFor(7),
  },
  {
    name: "409 busy for ever",
    lasts: "on",
    effect: answers(busy("busy")),
    expected: () => ({ code: "busy", reason: "busy", taken: false }),
  },
  {
    name: "409 source language, for ever",
    lasts: "on",
    effect: answers(busy("source_language_change")),
    expected: () => ({ code: "busy", reason: "source_language_change", taken: false }),
  },
  {
    name: "409 with a reason of later",
    lasts: "kind",
    effect: until(2, busy("later")),
    expected: waitedFor(3),
  },
  {
    name: "429 with Retry-After",
    lasts: "kind",
    effect: until(2, limited({ "retry-after": "30" })),
    expected: waitedFor(3),
  },
  { name: "429 without Retry-After", lasts: "kind", effect: until(2, limited({})), expected: waitedFor(3) },
  {
    name: "429 with an HTTP date",
    lasts: "kind",
    effect: (network) => {
      let first = true;
      return async (passage) => {
        if (!first) return passage.answer(await passage.forward());
        first = false;
        passage.answer(
          limited({
            date: new Date(network.clock.now()).toUTCString(),
            "retry-after": new Date(network.clock.now() + 45_000).toUTCString(),
          }),
        );
      };
    },
    expected: waitedFor(2),
  },
  {
    name: "429 for an hour",
    lasts: "on",
    effect: answers(limited({ "retry-after": "3600" })),
    pause: 3600,
    expected: () => ({ code: "rate_limited", sent: 1, taken: false }),
  },
  { name: "429 of a gateway's page", lasts: "kind", effect: until(1, html(429)), expected: waitedFor(2) },
  ...[-YEAR, YEAR].map((wrong): Fault => ({
    name: `429 with an HTTP date, clock a year ${wrong < 0 ? "behind" : "ahead"}`,
    lasts: "kind",
    wrong,
    effect: until(
      1,
      limited({
        date: "Thu, 01 Jan 2026 00:00:00 GMT",
        "retry-after": "Thu, 01 Jan 2026 00:00:40 GMT",
      }),
    ),
    expected: waitedFor(2),
  })),
  ...[-YEAR, YEAR].map((wrong): Fault => ({
    name: `clock a year ${wrong < 0 ? "behind" : "ahead"}`,
    lasts: "on",
    wrong,
    effect: () => async (passage) => passage.answer(await passage.forward()),
    expected: waitedFor(1),
  })),
  ...[502, 503].flatMap((status): Fault[] => [
    {
      name: `${status}, once`,
      lasts: "once",
      effect: answers(html(status)),
      expected: lostOnce("server_error", false),
    },
    {
      name: `${status}`,
      lasts: "on",
      effect: answers(html(status)),
      expected: lostAlways("server_error", false),
    },
  ]),
  {
    name: "503 with Retry-After",
    lasts: "on",
    effect: answers(html(503, { "retry-after": "600" })),
    expected: lostAlways("server_error", false),
  },
  {
    name: "504 after it was taken",
    lasts: "on",
    effect: () => async (passage) => {
      await passage.forward();
      passage.answer(html(504));
    },
    expected: lostAlways("server_error", true, 2),
  },
  {
    name: "a shown field is missing",
    lasts: "kind",
    effect: rewrites(bend((parent, name) => delete parent[name])),
    expected: ({ toleratesFields }) => ({
      code: toleratesFields ? "done" : "bad_response",
      sent: 1,
      taken: true,
    }),
  },
  {
    name: "a shown field of the wrong type",
    lasts: "kind",
    effect: rewrites(
      bend((parent, name) => void (parent[name] = typeof parent[name] === "string" ? 7 : "seven")),
    ),
    expected: ({ toleratesFields }) => ({
      code: toleratesFields ? "done" : "bad_response",
      sent: 1,
      taken: true,
    }),
  },
  {
    name: "an empty answer",
    lasts: "on",
    effect: rewrites((answer) => ({ ...answer, headers: {}, body: Buffer.alloc(0) })),
    expected: () => ({ code: "bad_response", sent: 1, taken: true }),
  },
  { name: "unknown fields and words", lasts: "on", effect: later, expected: waitedFor(1) },
  {
    name: "a job that never ends",
    lasts: "on",
    atJob: true,
    effect: jobSays({}),
    patience: 5 * MINUTE,
    applies: jobs,
    expected: () => ({ code: "left", sent: 1, taken: true }),
  },
  {
    name: "a job of a later status",
    lasts: "on",
    atJob: true,
    effect: jobSays({ status: "pondering" }),
    patience: MINUTE,
    applies: jobs,
    expected: () => ({ code: "left", sent: 1, taken: true }),
  },
  {
    name: "a job that vanishes",
    lasts: "on",
    atJob: true,
    effect: jobSays(null),
    applies: jobs,
    expected: () => ({ code: "job_failed", sent: 1, taken: true }),
  },
  {
    name: "a job that fails with an unknown code",
    lasts: "on",
    atJob: true,
    effect: jobSays({ status: "failed", error: { code: "comet", message: "Komeet" }, finishedAt: TIME }),
    applies: jobs,
    expected: () => ({ code: "job_failed", reason: "comet", sent: 1, taken: true }),
  },
  {
    name: "a job whose polls are lost for a minute",
    lasts: "kind",
    atJob: true,
    effect: () => {
      let left = 4;
      return async (passage) => {
        if (left-- > 0) return passage.reset();
        const id = passage.request.path.split("/").at(-1);
        passage.answer(id === String(EXPORT_JOB) ? exportBuilt() : await passage.forward());
      };
    },
    applies: jobs,
    expected: ({ name }) => ({ code: "done", sent: name === "pull" ? 2 : 1, taken: true }),
  },
  {
    name: "a cursor that expires, once",
    lasts: "kind",
    atPages: true,
    effect: () => {
      let first = true;
      return async (passage) => {
        if (!first) return passage.answer(await passage.forward(FEW));
        first = false;
        passage.answer(fieldError("cursor"));
      };
    },
    applies: ({ pages }) => pages === true,
    expected: () => ({ code: "done", taken: true }),
  },
  {
    name: "a cursor that always expires",
    lasts: "on",
    atPages: true,
    effect: answers(fieldError("cursor")),
    applies: ({ pages }) => pages === true,
    expected: () => ({ code: "invalid", taken: false }),
  },
];
