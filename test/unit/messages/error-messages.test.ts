/** Messages for errors of the service, in English. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { partialResultError, toFailure } from "../../../src/messages/error-messages.ts";

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
