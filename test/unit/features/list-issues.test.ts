/** The issues of the service as a task gets them. */
import { expect, test } from "vitest";
import {
  listIssuesCommand,
  registerListIssues,
} from "../../../src/features/list-issues/list-issues-command.ts";
import { setTranslations } from "../../../src/sync/edit/send-translations.ts";
import { cart, openShop, translate } from "../support/open-shop.ts";

test("issues of a language with warnings only are listed, too", async () => {
  const { shop, window, commands } = await openShop([registerListIssues]);
  try {
    await translate(window, { total: "Totaal: :amont" });
    const french = [{ name: cart("total"), text: { value: "Total : :amount de :who" } }];
    await setTranslations(window, "fr", french, "overwrite");
    const { issues } = (await commands.run(listIssuesCommand, {})) as unknown as {
      readonly issues: readonly { readonly locale: string; readonly level: string }[];
    };
    const found = new Set(issues.map(({ locale, level }) => `${locale} ${level}`));
    expect([...found].toSorted()).toEqual(["fr warning", "nl error"]);
  } finally {
    await shop.close();
  }
});
