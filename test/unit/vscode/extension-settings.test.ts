/** The limits of the refresh interval. */
import { expect, test } from "vitest";
import { allowedHintLength, allowedRefreshInterval } from "../../../src/vscode/extension-settings.ts";

test.for([
  [-1, 0],
  [0, 0],
  [1, 30],
  [300, 300],
  [86_400, 86_400],
  // A timer of more than 24.8 days fires at once.
  [9_999_999, 86_400],
] as const)("an interval of %d seconds is one of %d", ([seconds, allowed]) => {
  expect(allowedRefreshInterval(seconds)).toBe(allowed);
});

test.each([
  [60, 60],
  [7.9, 7],
  [0, 5],
  [-3, 5],
  [501, 500],
])("VS Code does not enforce the limits of the hints' length: %d means %d", (characters, allowed) => {
  expect(allowedHintLength(characters)).toBe(allowed);
});
