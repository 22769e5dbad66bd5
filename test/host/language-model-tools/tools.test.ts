/** The tools for language models, called as an agent calls them. */
import assert from "node:assert/strict";
import { writeFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LanguageModelTextPart, lm, workspace } from "vscode";
import { runSuccessfully } from "../harness/documents.ts";
import { startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";
import { journey } from "../harness/journey.ts";

interface Result {
  readonly items: readonly Record<string, unknown>[];
  readonly next?: string;
  readonly [member: string]: unknown;
}

let service: RunningService;

async function call(tool: string, input: object): Promise<Result> {
  const { content } = await lm.invokeTool(`project_translations_${tool}`, {
    input,
    toolInvocationToken: undefined,
  });
  const text = content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
  assert.ok(text.length <= 16_000, `${text.length} characters`);
  assert.ok(!text.includes(service.token));
  return JSON.parse(text) as Result;
}

async function all(tool: string, input: object): Promise<readonly Record<string, unknown>[]> {
  const { items, next } = await call(tool, input);
  return next === undefined ? items : [...items, ...(await all(tool, { ...input, cursor: next }))];
}

async function atTheService(locale: string, namespace: string, key: string): Promise<string | null> {
  const path = `/translations/${locale}?namespace=${encodeURIComponent(namespace)}`;
  const response = await fetch(`${service.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const { data } = (await response.json()) as { data: { key: string; value: string | null }[] };
  return data.find((row) => row.key === key)?.value ?? null;
}

describe("tools for language models", () => {
  const ours = () => lm.tools.filter(({ name }) => name.startsWith("project_translations_"));

  before(async () => {
    service = await startService({ demo: true });
    await runSuccessfully("signIn", { baseUrl: service.baseUrl, token: service.token });
    await runSuccessfully("refresh");
    await waitFor("the tools are there", () => ours().length === 8);
  });

  journey("have descriptions for models", () => {
    for (const { tags, description } of ours()) {
      assert.deepEqual([...tags], ["translations"]);
      assert.ok(description.length > 0);
    }
  });

  journey("list keys, optionally those untranslated in a language", async () => {
    const keys = await all("list_keys", { namespace: "cart" });
    assert.ok(keys.some(({ key, source }) => key === "title" && source === "Your cart"));
    const missing = await all("list_keys", { locale: "pl", state: "untranslated" });
    assert.ok(missing.some(({ key }) => key === "remove"));
    assert.ok(!missing.some(({ key }) => key === "title"));
    const outdated = await all("list_keys", { locale: "fr", state: "outdated" });
    assert.deepEqual(
      outdated.filter(({ key }) => key === "voucher.label").map(({ source }) => source),
      ["Voucher code"],
    );
  });

  journey("find texts in any language", async () => {
    const found = await all("search_texts", { query: "Winkelwagen", locale: "nl" });
    assert.ok(
      found.some(({ key, translation }) => key === "title" && translation === "Je winkelwagen"),
      JSON.stringify(found),
    );
  });

  journey("return translations with the context for translating", async () => {
    const items = await all("get_translations", {
      keys: [{ namespace: "cart", key: "items" }],
      locales: ["pl"],
    });
    assert.deepEqual(items[0]?.["sourceForms"], { one: ":count item", other: ":count items" });
    assert.deepEqual(items[1]?.["neededForms"], ["one", "few", "many"]);
    assert.equal(items[1]?.["state"], "translated");
  });

  journey("return the usages of a key", async () => {
    const items = await all("find_usages", { namespace: "cart", key: "remove" });
    assert.equal(items[0]?.["path"], "resources/views/cart.blade.php");
    assert.match(String(items[0]?.["code"]), /cart\.remove/);
  });

  journey("list QA issues with their suggestions", async () => {
    const items = await all("list_issues", { locale: "de" });
    assert.ok(
      items.some(({ suggestion }) => String(suggestion).includes(":seconds")),
      JSON.stringify(items),
    );
  });

  journey("read the glossary and the instructions of the project file", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const path = join(folder.uri.fsPath, "project-translations.json");
    const before = await readFile(path, "utf8");
    const file = JSON.parse(before) as object;
    const translate = { instructions: "Informal.", glossary: { cart: { nl: "winkelwagen" } } };
    await writeFile(path, JSON.stringify({ ...file, translate }));
    await waitFor("the project file was read", async () => {
      const { instructions } = await call("get_glossary", {});
      return instructions === "Informal.";
    });
    const { items, languages } = await call("get_glossary", { locale: "nl" });
    assert.deepEqual(items, [{ term: "cart", translation: "winkelwagen" }]);
    assert.deepEqual(languages, ["nl", "fr", "de", "pl"]);
  });

  journey("accept valid proposals, refuse invalid ones, and write nothing", async () => {
    const { staged, items } = await call("stage_translations", {
      locale: "pl",
      translations: [
        { namespace: "cart", key: "remove", text: "Usuń :product", source: "Remove :product" },
        { namespace: "cart", key: "free_delivery", text: "Jeszcze tylko :kwota" },
        { namespace: "admin/products", key: "stock", text: "W magazynie: :count", source: "Stock" },
        { namespace: "cart", key: "items", text: "produkty" },
        { key: "nothing.there", text: "Nic" },
      ],
    });
    assert.equal(staged, 1, JSON.stringify(items));
    const problems = items.map(({ key, problem }) => `${String(key)}: ${String(problem)}`);
    assert.match(problems[0] ?? "", /^free_delivery: .*Missing: :amount\. Too many: :kwota/);
    assert.match(problems[1] ?? "", /^stock: The source text was changed/);
    assert.match(problems[2] ?? "", /^items: Plural forms are needed/);
    assert.match(problems[3] ?? "", /^nothing\.there: There is no key .*search_texts/);
    assert.equal(await atTheService("pl", "cart", "remove"), null);
    const [, row] = await all("get_translations", {
      keys: [{ namespace: "cart", key: "remove" }],
      locales: ["pl"],
    });
    assert.deepEqual([row?.["proposed"], row?.["proposedBy"]], ["Usuń :product", "model"]);
    assert.deepEqual(
      (await all("list_keys", { locale: "pl", state: "proposed" })).map(({ key }) => key),
      ["remove"],
    );
  });

  it("push source texts that changed", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const path = join(folder.uri.fsPath, "lang/en/cart.php");
    const before = await readFile(path, "utf8");
    await writeFile(path, before.replace(/'title'\s*=> '[^']*'/u, "'title' => 'Your basket'"));
    const result = await call("push_changes", { keys: [{ namespace: "cart", key: "title" }] });
    assert.equal(result["outcome"], "done", JSON.stringify(result));
    const response = await fetch(`${service.baseUrl}/keys?namespace=cart`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
    const { data } = (await response.json()) as { data: { key: string; source: { value?: string } }[] };
    assert.equal(data.find(({ key }) => key === "title")?.source.value, "Your basket");
    const again = await call("push_changes", { keys: [{ namespace: "cart", key: "title" }] });
    assert.equal(again["outcome"], "unchanged");
  });

  it("push nothing that somebody changed on the service, unless its key is named", async () => {
    const response = await fetch(`${service.baseUrl}/keys/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: JSON.stringify({ keys: [{ namespace: "cart", key: "title", value: "Theirs" }], archive: [] }),
    });
    assert.equal(response.status, 200);
    const result = await call("push_changes", {});
    const left = result["left"] as readonly { readonly key: string; readonly problem: string }[];
    const [title] = left.filter(({ key }) => key === "title");
    assert.match(title?.problem ?? "", /Somebody changed its text on the service/);
    const named = await call("push_changes", { keys: [{ namespace: "cart", key: "title" }] });
    assert.equal(named["outcome"], "done", JSON.stringify(named));
  });

  for (const [tool, input, words] of [
    ["search_texts", {}, /"query".*Correct it and call the tool again/],
    ["list_keys", { state: "untranslated" }, /give "locale" too/],
    ["list_keys", { locale: "xx" }, /no language "xx"\. It has: en, nl, fr, de, pl/],
    ["find_usages", { key: "nothing.there" }, /There is no key .*search_texts/],
    [
      "stage_translations",
      { locale: "en", translations: [{ key: "a", text: "b" }] },
      /is the source language/,
    ],
    ["get_glossary", { project: "other" }, /Say which project is meant, as "project": "webshop"/],
  ] as const) {
    it(`return instructive errors: ${tool} ${JSON.stringify(input)}`, async () => {
      await assert.rejects(call(tool, input), (error: Error) => {
        assert.match(error.message, words);
        return true;
      });
    });
  }

  it("work on the local files again after signing out", async () => {
    await runSuccessfully("signOut");
    const keys = await all("list_keys", { namespace: "cart" });
    assert.ok(keys.some(({ key, source }) => key === "title" && source === "Your basket"));
  });
});
