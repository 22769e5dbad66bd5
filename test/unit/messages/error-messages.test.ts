/** Messages for errors of the service, in English. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";

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
