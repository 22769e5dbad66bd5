/** A window that is signed in, whose files have keys that the service does not have, and the other way round. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchKeysCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand, signOutCommand } from "../../../src/commands/declarations/session-commands.ts";
import { extractKeyCommand, setLocalCommand } from "../../../src/commands/declarations/text-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  answerNextList,
  type CompletionList,
  type InputBox,
  pickInNextList,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const GERMAN = "locales/de/cart.json";
const CODE = "src/Tea.tsx";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0", "react-i18next": "^14.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  }),
  [GERMAN]: `{ "title": "Korb", "only": "Nur" }\n`,
  "locales/en/cart.json": `{ "title": "Basket" }\n`,
  // Nobody has pushed these.
  "locales/de/cold.json": `{ "ice": "Eis" }\n`,
  "locales/de/warm.json": `{ "tea": "Tee", "milk_tea": "Tee mit {{milk}}" }\n`,
  [CODE]: "",
};
const SERVICE = {
  ...SHOP,
  type: "i18next",
  sourceLocale: "de",
  languages: ["en", "fr"].map((locale) => ({ locale })),
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: SERVICE });
  await editor.request("POST", "/keys/sync", {
    keys: [
      { namespace: "cart", key: "title", value: "Korb", maxLength: 10 },
      { namespace: "cart", key: "hers", value: "Von {{name}}" },
    ],
    archive: [],
  });
  await editor.request("PUT", "/translations/fr", {
    mode: "overwrite",
    translations: [{ namespace: "cart", key: "title", value: "Panier" }],
  });
  await editor.run(refreshCommand, {});
});
afterAll(() => editor.close());

/** Writes a component with these arguments of its hook, and selects the words. */
async function component(hook: string, body: string, words: string): Promise<void> {
  const { document } = await editor.show(CODE);
  await editor.write(
    CODE,
    `import { useTranslation } from "react-i18next";
export function Tea() {
  const { t } = useTranslation(${hook});
  ${body}
}
`,
  );
  document.isDirty = false;
  document.reload();
  await editor.show(CODE, words);
}
const BOTH = '["cold", "warm"], { nsMode: "fallback" }';
const proposed = async (): Promise<string> => {
  let name = "";
  answerNextInput((input) => {
    name = input.value;
    input.hide();
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "cancelled" });
  return name;
};

test("a text is extracted to the key that only the files have, in the namespace where they have it", async () => {
  await component(BOTH, "return <p>Tee</p>;", "<p>|Tee|</p>");
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["$(symbol-key) Use tea", "$(add) New Key…"]);
    return items[0];
  });
  expect(await editor.ask(extractKeyCommand, {})).toEqual({ outcome: "done", key: "tea", file: null });
  expect(await editor.text("locales/de/cold.json")).toBe(FILES["locales/de/cold.json"]);
  // No name of such a key is proposed, and their namespace is that of the calls that use them.
  await component('"cold"', "return <p>Ice!</p>;", "<p>|Ice!|</p>");
  expect(await proposed()).toBe("ice2");
  await component("", 'return <p title={t("warm:tea")}>Cup</p>;', ">|Cup|</p>");
  expect(await proposed()).toBe("warm:cup");
});

test("placeholders are those of the text in the files, else of the one that the service has", async () => {
  const names = async (body: string, words: string) => {
    await component(BOTH, body, words);
    const given = ["Completion", "provideCompletionItems", CODE, words] as const;
    return (await editor.provide<CompletionList | undefined>(...given))?.items.map(
      ({ label }) => label.label,
    );
  };
  expect(await names('return t("milk_tea", {  });', "{ | }")).toEqual(["milk"]);
  expect(await names('return t("cart:hers", {  });', "{ | }")).toEqual(["name"]);
});

test("keys are found by texts of languages that were not read before", async () => {
  answerNextList(async (list) => {
    list.type("Panier");
    await waitUntil(() => list.rows.includes("cart:title"));
    list.hide();
  });
  expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "cancelled" });
});

test("a text in a file is typed for the key at the cursor, checked, and kept for that key until it is written", async () => {
  await component("", 'return t("cart:title");', '"cart:ti|tle"');
  const ask = (answer: (input: InputBox) => Promise<void> | void, options: object = {}) => {
    answerNextInput(answer);
    return editor.ask(setLocalCommand, options);
  };
  const said = (input: InputBox) => JSON.stringify(input.validationMessage);
  expect(
    await ask((input) => {
      expect([input.title, input.value]).toEqual(["de · cart:title", "Korb"]);
      input.type("Ein viel zu langer Korb");
      expect(said(input)).toContain("10");
      input.type("Korb");
      input.accept();
    }),
  ).toEqual({ outcome: "unchanged", file: GERMAN, created: false });
  const hers = { namespace: "cart", key: "hers" };
  const english = { namespace: "cart", key: "title", locale: "en" };
  expect(
    await ask(
      (input) => {
        input.type("Of somebody");
        expect(said(input)).toContain("{{name}}");
        input.hide();
      },
      { ...hers, locale: "en" },
    ),
  ).toEqual({ outcome: "cancelled" });
  // Somebody adds it meanwhile, or removes it.
  const added = await ask(async (input) => {
    await editor.write(GERMAN, `{ "title": "Korb", "only": "Nur", "hers": "Von {{name}}" }\n`);
    input.type("Für {{name}}");
    input.accept();
  }, hers);
  expect(added).toMatchObject({ error: { code: "file_changed" } });
  expect(JSON.stringify(added)).toContain(GERMAN);
  const removed = await ask(async (input) => {
    await editor.write("locales/en/cart.json", "{}\n");
    input.type("Cart");
    input.accept();
  }, english);
  expect(removed).toMatchObject({ error: { code: "file_changed" } });
  expect(JSON.stringify(removed)).toContain("locales/en/cart.json");
  // Each has its own, also after signing out.
  const values: string[] = [];
  const look = (input: InputBox) => {
    values.push(input.value);
    input.hide();
  };
  await ask(look, { namespace: "cart", key: "only" });
  await ask(look, hers);
  expect(await editor.run(signOutCommand, {})).toEqual({ outcome: "done" });
  await ask(look, { ...hers, locale: "de" });
  await ask(look, english);
  expect(values).toEqual(["Nur", "Für {{name}}", "Für {{name}}", "Cart"]);
});
