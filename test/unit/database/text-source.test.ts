/** Where texts come from and where they are saved, for each session. */
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/database/session/session.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";

const SIGNED_IN = {
  kind: "signed-in",
  baseUrl: "https://example.com",
  slug: "shop",
  name: "Shop",
  canWrite: true,
} as const;

const sourceOf = (session: Session, areFilesShown = false, sourceLocale: string | null = "en") =>
  textSourceOf(session, areFilesShown, () => sourceLocale);

describe("the files alone", () => {
  test.each([
    [{ kind: "signed-out" }, "signed-out"],
    [{ kind: "untrusted" }, "untrusted"],
    [{ kind: "unknown", isTokenStored: false }, "signed-out"],
  ] as const)("%j", (session, refusal) => {
    const source = sourceOf(session, true);
    expect(source).toMatchObject({ hasService: false, isConnected: false, isKnown: true, refusal });
    expect(["en", "nl"].map((locale) => [source.savesTo(locale), source.canWrite(locale)])).toEqual([
      ["file", true],
      ["file", true],
    ]);
  });

  test("are not known before they are read", () => {
    const source = sourceOf({ kind: "signed-out" });
    expect([source.isKnown, source.canWrite("nl")]).toEqual([false, false]);
  });
});

describe("a service", () => {
  test("saves translations, while source texts are saved in the files", () => {
    const source = sourceOf(SIGNED_IN);
    expect(source).toMatchObject({ hasService: true, isConnected: true, isKnown: true, refusal: null });
    expect([source.savesTo("en"), source.savesTo("nl")]).toEqual(["file", "service"]);
    expect([source.canWrite("en"), source.canWrite("nl")]).toEqual([true, true]);
  });

  test("refuses translations of a token that may only read, but not source texts in the files", () => {
    const source = sourceOf({ ...SIGNED_IN, canWrite: false });
    expect([source.refusal, source.canWrite("en"), source.canWrite("nl")]).toEqual([
      "read-only",
      true,
      false,
    ]);
  });

  test.each([
    [{ kind: "refused", baseUrl: "https://example.com", reason: "unauthorized" }, "unauthorized"],
    [{ kind: "refused", baseUrl: "https://example.com", reason: "archived" }, "archived"],
    [{ kind: "unknown", isTokenStored: true }, "signed-out"],
  ] as const)("keeps its texts out of the files while it cannot be used: %j", (session, refusal) => {
    const source = sourceOf(session, true);
    expect(source).toMatchObject({ hasService: true, isConnected: false, isKnown: false, refusal });
    expect([source.savesTo("nl"), source.canWrite("nl")]).toEqual(["service", false]);
  });

  test("saves nothing in the files by mistake before its languages are known", () => {
    expect(sourceOf(SIGNED_IN, false, null).savesTo("nl")).toBe("service");
  });
});
