/** An editor based on VS Code without language models. */
import { expect, test } from "vitest";
import { languageModels } from "../../../src/vscode/language-models.ts";
import { lm } from "../support/vscode-stub.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";

test("reports missing language models", async () => {
  expect(lm).toEqual({});
  const error = await languageModels().catch(toFailure);
  expect(error).toEqual({
    code: "no_model",
    message: expect.stringMatching(/^This editor .*language models.*\.$/u) as string,
  });
});
