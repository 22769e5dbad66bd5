/** Where a token is stored: by the folder and the base URL that it was entered for. */
import { expect, test } from "vitest";
import { secretName } from "../../../../src/sync/session/token-storage.ts";

const nameOf = (root: string, baseUrl: string | null = "https://a.example/v1"): string | null =>
  secretName({ baseUrl, root });

test("the name of a secret is the same in each version, or a token that is stored is not found", () => {
  // printf 'https://a.example/v1\x1ffile:///w/App' | sha1sum
  expect(nameOf("file:///w/App")).toBe("token.887e7b5b418eb4987f18d0f61666acc709337022");
  expect(nameOf("file:///w/App", null)).toBeNull();
});

test("folders that differ only in case, and base URLs, have tokens of their own", () => {
  const names = [
    nameOf("file:///w/App"),
    nameOf("file:///w/app"),
    nameOf("file:///w/App", "https://b.example/v1"),
  ];
  expect(new Set(names).size).toBe(3);
});
