/** Messages for errors of the service, in English. */
import { expect, test } from "vitest";
import { MALFORMED_TEXT } from "../../../src/api/batches.ts";
import { ApiError, type ApiErrorDetails, type ApiErrorKind } from "../../../src/api/errors.ts";
import { CommandError, KeptInputError, type FailureCode } from "../../../src/commands/command-types.ts";
import { SESSION_ENDED } from "../../../src/database/session/session.ts";
import {
  archivedError,
  nextStep,
  partialResultError,
  refusedKeysMessage,
  refusedSessionMessage,
  skipReason,
  toFailure,
  withFullStop,
} from "../../../src/messages/error-messages.ts";

test("a failure of the service says its own sentence, once ended, or that there is none", () => {
  const failure = (serviceMessage: string) =>
    toFailure(
      new ApiError("server_error", "for the log", {
        endpoint: "PUT /translations/nl",
        status: 500,
        serviceMessage,
      }),
    );
  for (const sentence of ["The database is full.", "The database is full"])
    expect(failure(sentence)).toEqual({
      code: "server_error",
      status: 500,
      message: "The service failed at PUT /translations/nl (500): The database is full. Try again later.",
    });
  expect(failure("").message).toBe("The service failed at PUT /translations/nl (500). Try again later.");
});

test("refused texts name their first key, and count the others once, whatever is wrong with them", () => {
  const refused = (...keys: readonly string[]): string => {
    const items = keys.map((key, number) => {
      const name = { namespace: "cart", key, context: null };
      return { ...name, field: `field ${number}`, file: "en.php", messages: [`Reason ${number}`] };
    });
    return toFailure(new ApiError("invalid", "for the log", { items })).message;
  };
  const rest = "Nothing was written. Change the text, then try again.";
  expect(refused("a")).toBe(`The service refused cart.a (en.php): Reason 0. ${rest}`);
  expect(refused("a", "a")).toBe(`The service refused cart.a (en.php): Reason 0. ${rest}`);
  expect(refused("a", "a", "b")).toBe(
    `The service refused cart.a (en.php) and 1 more key: Reason 0. ${rest}`,
  );
  expect(refused("a", "b", "c", "b")).toBe(
    `The service refused cart.a (en.php) and 2 more keys: Reason 0. ${rest}`,
  );
});

test("what was done before a failure is said, and then nothing that is not so", () => {
  const error = new ApiError("key_limit_reached", "for the log", { limit: 10, used: 9, requested: 3 });
  expect(toFailure(error).message).toBe(
    "The key limit of your plan is reached (9 of 10 in use, 3 more asked for). Nothing was written. Archive keys that are not used, or ask for a larger plan.",
  );
  expect(toFailure(error, "Pushed: 5 created.").message).toBe(
    "Pushed: 5 created. The key limit of your plan is reached (9 of 10 in use, 3 more asked for). Archive keys that are not used, or ask for a larger plan.",
  );
});

test.each([
  [new ApiError("busy", "for the log"), "Not done: 4."],
  [new ApiError("invalid", "for the log"), "Not done: 4."],
  [new DOMException("stopped", "AbortError"), "Not done: 4."],
  [new ApiError("timeout", "for the log"), "Not done, or not confirmed: 4."],
  [new ApiError("cancelled", "for the log"), "Not done, or not confirmed: 4."],
  [new Error("anything"), "Not done, or not confirmed: 4."],
])("after a part was done, %s says what was not", (cause, notDone) => {
  const error = partialResultError("Pushed: 5 created.", 4, { done: 5 }, cause);
  expect(error).toMatchObject({ message: `Pushed: 5 created. ${notDone}`, fields: { done: 5 }, cause });
});

const failureOf = (kind: ApiErrorKind, details: ApiErrorDetails = {}) =>
  toFailure(new ApiError(kind, "for the log", details));

test("a refused text says all where it is, and its first three reasons", () => {
  const name = { namespace: "cart", key: "title", context: null };
  const messages = ["One.", "Two.", "Three", "Four."];
  const items = [{ ...name, locale: "nl", file: "nl.php", field: "value", messages }];
  const spelled = { namespaceSeparator: ":", unwrittenNamespaces: new Set<string>() };
  const error = new ApiError("invalid", "for the log", { items });
  expect(toFailure(error, undefined, spelled).message).toBe(
    "The service refused cart:title (nl, nl.php): One. Two. Three. Nothing was written. Change the text, then try again.",
  );
  expect(toFailure(error, "Saved: 3.", spelled).message).toBe(
    "Saved: 3. The service refused cart:title (nl, nl.php): One. Two. Three. Change the text, then try again.",
  );
  const alone = toFailure(
    new ApiError("invalid", "for the log", { items: [{ ...name, field: "value", messages }] }),
  );
  expect(alone.message).toMatch(/^The service refused cart\.title: One\./u);
  expect(alone).toMatchObject({ code: "invalid", items: [name] });
  // The same key in two languages is two texts.
  const both = [...items, { ...items[0], ...name, locale: "fr", field: "value", messages }];
  expect(failureOf("invalid", { items: both }).message).toContain("cart.title (nl, nl.php) and 1 more key");
});

test("many refused keys are counted as the language writes numbers", () => {
  expect(refusedKeysMessage("a", 1_200, "No")).toBe("The service refused a and 1,200 more keys: No.");
});

test("a request that is refused as a whole has the service's reasons, of which three are said", () => {
  const errors = { a: ["One.", "Two."], b: ["Three.", "Four."] };
  expect(failureOf("invalid", { errors, serviceMessage: "Wrong." })).toEqual({
    code: "invalid",
    errors,
    message: "The service refused this: One. Two. Three. Correct it, then try again.",
  });
  expect(failureOf("invalid", { errors: {}, serviceMessage: "Wrong" }).message).toBe(
    "The service refused this: Wrong. Correct it, then try again.",
  );
  expect(failureOf("invalid").message).toBe(
    "The service refused this: for the log. Correct it, then try again.",
  );
});

test("a key limit has its numbers where the service gives them", () => {
  expect(failureOf("key_limit_reached").message).toMatch(
    /^The key limit of your plan is reached\. Nothing was written\./u,
  );
  expect(failureOf("key_limit_reached", { limit: 10 }).message).toContain(
    "(? of 10 in use, ? more asked for)",
  );
});

test.each<[ApiErrorKind, ApiErrorDetails, string]>([
  ["busy", {}, "Someone else is changing the project. Try again in a moment."],
  [
    "busy",
    { reason: "source_language_change" },
    "The source language of the project is being changed. Try again when that is done.",
  ],
  ["rate_limited", {}, "Too many requests to the service. Try again in a minute."],
  ["rate_limited", { retryAfter: 0 }, "Too many requests to the service. Try again in 0 seconds."],
  ["rate_limited", { retryAfter: 90 }, "Too many requests to the service. Try again in 2 minutes."],
  ["unauthorized", {}, "The service does not accept the token. Sign in with a new one."],
  [
    "unauthorized",
    { reason: SESSION_ENDED },
    "The sign-in changed in the meantime, so nothing more was sent. Try again.",
  ],
  ["server_error", {}, "The service failed at ? (?). Try again later."],
  [
    "bad_response",
    { endpoint: "GET /keys", field: "data.3.hash", status: 200 },
    "The answer to GET /keys could not be read (data.3.hash). Check that the base URL is that of the Project Translation Service.",
  ],
  [
    "bad_response",
    { endpoint: "GET /keys", status: 404 },
    "The answer to GET /keys could not be read (404). Check that the base URL is that of the Project Translation Service.",
  ],
  [
    "bad_response",
    {},
    "The answer could not be read. Check that the base URL is that of the Project Translation Service.",
  ],
  [
    "bad_response",
    { endpoint: "GET /keys", serviceMessage: "Gone!", status: 410 },
    "The service failed at GET /keys (410): Gone! Try again later.",
  ],
  ["not_found", {}, "The service could not find this. Refresh, then check again."],
  [
    "forbidden",
    {},
    "This token is not allowed to do that, or the project is archived. Sign in with a token that has write access, or have the project restored.",
  ],
  ["timeout", {}, "The service did not answer in time. Try again."],
  [
    "cancelled",
    {},
    "Cancelled before the service answered, so it may have been written. Refresh, then check before you try again.",
  ],
])("%s, %j", (kind, details, message) => {
  expect(failureOf(kind, details).message).toBe(message);
});

test.each([
  [undefined, "The service cannot be reached."],
  ["ECONNREFUSED", "The service cannot be reached."],
  ["PROXY_UNREACHABLE", "The proxy cannot be reached."],
  ["PROXY_407", "The proxy requires a user name and password."],
  ["PROXY_403", "The proxy blocks the service (403)."],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "This machine does not trust the certificate of the service (SELF_SIGNED_CERT_IN_CHAIN).",
  ],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "This machine does not trust the certificate of the service ("],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "This machine does not trust the certificate of the service ("],
  ["CERT_UNTRUSTED", "This machine does not trust the certificate of the service ("],
  ["CERT_HAS_EXPIRED", "A secure connection to the service could not be established (CERT_HAS_EXPIRED)."],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "A secure connection to the service could not be established ("],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "A secure connection to the service could not be established ("],
  ["EPROTO", "A secure connection to the service could not be established ("],
])("a connection that fails with %s says what of it failed", (code, sentence) => {
  expect(failureOf("offline", { code }).message.startsWith(sentence)).toBe(true);
});

test("other errors are those of files, or unexpected ones; a command's own is told as it is", () => {
  const file = Object.assign(new Error("EACCES: permission denied, open 'a.json'."), { code: "EACCES" });
  expect(toFailure(file)).toEqual({
    code: "unsafe_file",
    message:
      "A file could not be read or written: EACCES: permission denied, open 'a.json'. Check its permissions, then try again.",
  });
  const ofEditor = Object.assign(new Error("No"), { name: "EntryNotFound (FileSystemError)" });
  expect(toFailure(ofEditor).code).toBe("unsafe_file");
  for (const code of ["EIO", "EPERM", "EROFS"])
    expect(toFailure(Object.assign(new Error(code), { code })).code).toBe("unsafe_file");
  for (const error of [new Error("odd."), Object.assign(new Error("odd"), { code: "ERR_ODD" }), "odd"])
    expect(toFailure(error)).toEqual({
      code: "bad_response",
      message: "Something went wrong: odd. See the log for details.",
    });
  const own = new CommandError("job_failed", "The job failed.", { reason: "zip_slip", status: 422 });
  expect(toFailure(own, "Imported 1 file.")).toEqual({
    code: "job_failed",
    reason: "zip_slip",
    status: 422,
    message: "Imported 1 file. The job failed.",
  });
  const kept = new KeptInputError(new ApiError("busy", "for the log"), {
    label: "Again",
    act: () => undefined,
  });
  expect(toFailure(kept)).toEqual({
    code: "busy",
    message: "Someone else is changing the project. Try again in a moment. What you typed is kept.",
  });
});

test("the offered action fits the failure: an archived project is signed out of, no other one is", () => {
  const steps = (codes: readonly FailureCode[]) => [...new Set(codes.map((code) => nextStep({ code })))];
  expect(steps(["unauthorized", "forbidden", "not_signed_in"])).toEqual(["sign-in"]);
  const temporary = ["busy", "rate_limited", "offline", "timeout", "server_error", "file_changed"] as const;
  expect(steps([...temporary, "no_model", "model_refused"])).toEqual(["try-again"]);
  expect(
    steps(["not_found", "invalid", "key_limit_reached", "bad_response", "job_failed", "unsafe_file"]),
  ).toEqual(["show-log"]);
  expect(steps(["no_project", "cancelled"])).toEqual(["none"]);
  expect(steps(["untrusted"])).toEqual(["manage-trust"]);
  const { code, details } = archivedError();
  expect(nextStep({ code, ...details })).toBe("sign-out");
  expect(nextStep({ code: "unauthorized", reason: "archived" })).toBe("sign-in");
});

test("a service that refuses is said for the first project of which it is so", () => {
  const signedIn = { session: { kind: "signed-in" } } as never;
  const refused = (reason: string) => ({ session: { kind: "refused", reason } }) as never;
  expect(refusedSessionMessage([signedIn])).toBeUndefined();
  expect(refusedSessionMessage([signedIn, refused("archived"), refused("token")])).toBe(
    "The project is archived: nothing can be read or changed until it is restored.",
  );
  expect(refusedSessionMessage([refused("token"), refused("archived")])).toBe(
    "The service does not accept the token. Sign in with a new one.",
  );
});

test("reasons of the service are said before a full stop, and those of the document in words", () => {
  expect(skipReason("Is locked.")).toBe("Is locked");
  expect(skipReason("")).toBe("no reason given");
  expect(skipReason(MALFORMED_TEXT)).toBe("it contains half a character (an unpaired surrogate)");
  expect(["Why?", "No!", "So.", "So"].map(withFullStop)).toEqual(["Why?", "No!", "So.", "So."]);
});
