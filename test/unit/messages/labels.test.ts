/** How keys and languages are spelled in labels and messages. */
import { afterEach, expect, test } from "vitest";
import { fileProblemMessage } from "../../../src/messages/file-problem-messages.ts";
import { languageLabel, localeLabel } from "../../../src/messages/labels.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";

let shop: FixtureProject | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

test("a problem of a file names its key as the code does, with prefix and separator", async () => {
  shop = await openFixtureProject();
  const { local } = await shop.open();
  await shop.write("lang/en/cart.php", "<?php\n\nreturn ['title' => 'A', 'title' => 'B', 'n' => foo()];\n");
  await local.reload();
  const problems = (await local.problems()).filter(({ path }) => path === "lang/en/cart.php");
  const said = (separator: string, unwritten: readonly string[] = []): readonly string[] =>
    problems.map((problem) =>
      fileProblemMessage(problem, {
        namespaceSeparator: separator,
        unwrittenNamespaces: new Set(unwritten),
      }).replace(/^[^ ]* /u, ""),
    );
  expect(said(".")).toEqual([
    "cart.title appears more than once in the file",
    "cart.n is code, so its text is not known",
  ]);
  expect(said(":")[0]).toBe("cart:title appears more than once in the file");
  expect(said(":", ["cart"])[0]).toBe("title appears more than once in the file");
});

test("a language has the service's name, else its name in itself, always before its locale", () => {
  expect(languageLabel({ name: "Dutch", locale: "nl" })).toBe("Dutch (nl)");
  expect(languageLabel({ name: "", locale: "nl" })).toBe("Nederlands (nl)");
  expect(languageLabel({ name: "", locale: "de_informal" })).toBe("Deutsch (de_informal)");
  expect(languageLabel({ name: "", locale: "sr@latin" })).toBe("Српски (sr@latin)");
  expect(languageLabel({ name: "", locale: "xx_custom" })).toBe("xx_custom");
  expect(localeLabel({ stats: null }, "fr")).toBe("Français (fr)");
});
