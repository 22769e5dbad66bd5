/** The file to which a change of a key is written. */
import { describe, expect, test } from "vitest";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import type { LocalChange, LocalLayout } from "../../../../src/workspace/local-files/local-entries.ts";
import { change, nameOf, createLocalProject } from "./local-project.ts";

type Files = Readonly<Record<string, string>>;

/** Each path with its text afterwards, and what was refused with the path that was meant. */
async function outcomeOf(
  files: Files,
  layout: readonly FilesEntry[],
  changes: readonly LocalChange[],
  rest: Partial<LocalLayout> = {},
): Promise<Record<string, string | undefined>> {
  const fixture = createLocalProject(files, {
    files: layout,
    serviceLocales: ["en", "nl", "pt-BR"],
    ...rest,
  });
  const { writes, refused } = await fixture.local.planEdit(changes);
  await fixture.files.write(writes);
  return Object.fromEntries([
    ...writes.map(({ path }) => [path, fixture.files.text(path)]),
    ...refused.map(({ change: { name }, reason, path }) => [`${name.key}: ${reason}`, path]),
  ]);
}

const json = (path: string, more: Partial<FilesEntry> = {}): FilesEntry => {
  return { path, format: "json_js", ...more };
};
const obj = (texts: object): string => `${JSON.stringify(texts, null, 2)}\n`;
const xliff = (original: string, id: string): string =>
  `<xliff version="1.2"><file original="${original}" source-language="en" target-language="nl"><body>\n<trans-unit id="${id}"><source>A</source><target>Aa</target></trans-unit>\n</body></file></xliff>`;
const po = (...messages: readonly string[]): string =>
  `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n${messages.map((id) => `\nmsgid "${id}"\nmsgstr "${id}!"\n`).join("")}`;

describe("existing key", () => {
  test("is changed in its own file", async () => {
    const layout = [json("a/{locale}.json"), json("b/{locale}.json")];
    const files = { "a/nl.json": obj({ x: "1" }), "b/nl.json": obj({ y: "2" }) };
    expect(await outcomeOf(files, layout, [change("y", "nl", "3"), change("x", "nl", "4")])).toEqual({
      "b/nl.json": obj({ y: "3" }),
      "a/nl.json": obj({ x: "4" }),
    });
  });

  test("is changed and removed by the file's names for key, namespace and locale", async () => {
    const sheet = "namespace,key,en,pt_BR\ncart,title,Cart,Carrinho\nmenu,title,Menu,Cardápio\n";
    const csv: FilesEntry = { path: "t.csv", format: "csv", keyPrefix: "app." };
    const changes = [change("menu|app.title", "pt-BR", "Lista"), change("cart|app.title", "en", null)];
    const { "t.csv": after } = await outcomeOf({ "t.csv": sheet }, [csv], changes);
    expect(after).toBe("namespace,key,en,pt_BR\ncart,title,,Carrinho\nmenu,title,Menu,Lista\n");
  });

  test("is not removed from files without it", async () => {
    const files = { "a/en.json": obj({ x: "1" }), "a/nl.json": obj({ y: "2" }) };
    const changes = [change("x", "nl", null), change("z", "en", null)];
    expect(await outcomeOf(files, [json("a/{locale}.json")], changes)).toEqual({
      "x: not_found": null,
      "z: not_found": null,
    });
  });
});

describe("source text that only files of other languages contain", () => {
  const layout: readonly FilesEntry[] = [{ path: "l/{locale}.po", format: "po" }];
  const files = { "l/nl.po": po("Save") };

  test("cannot be removed there", async () => {
    expect(await outcomeOf(files, layout, [change("Save", "en", null)])).toEqual({
      "Save: source": "l/nl.po",
    });
  });

  test("is written to a file of the source language", async () => {
    const after = await outcomeOf(files, layout, [change("Save", "en", "Keep")]);
    expect(Object.keys(after)).toEqual(["l/en.po"]);
    expect(after["l/en.po"]).toContain('msgid "Save"\nmsgstr "Keep"\n');
  });

  test("cannot be changed without a possible file of the source language", async () => {
    // No English file has keys of the namespace "nl".
    const fixed: readonly FilesEntry[] = [{ path: "l/{locale}.po", format: "po", namespace: "{locale}" }];
    expect(await outcomeOf(files, fixed, [change("nl|Save", "en", "Keep")])).toEqual({
      "Save: source": "l/nl.po",
    });
    expect(await outcomeOf(files, fixed, [change("nl|New", "en", "Keep")])).toEqual({
      "New: no_file": null,
    });
  });
});

describe("translation of a source key", () => {
  test("goes next to the source file, even if another has more siblings", async () => {
    const layout = [json("a/{locale}.json"), json("b/{locale}.json")];
    const files = {
      "a/en.json": obj({ cart: { title: "Cart" } }),
      "b/nl.json": obj({ cart: { full: "Vol", empty: "Leeg" } }),
    };
    expect(await outcomeOf(files, layout, [change("cart.title", "nl", "Mand")])).toEqual({
      "a/nl.json": obj({ cart: { title: "Mand" } }),
    });
  });

  test("goes to the file with the same namespace, by the project's locale name", async () => {
    const layout: readonly FilesEntry[] = [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }];
    const files = {
      "lang/en/admin/users.php": "<?php\n\nreturn [\n    'title' => 'Users',\n];\n",
      "lang/en/cart.php": "<?php\n\nreturn [\n    'title' => 'Cart',\n];\n",
    };
    expect(
      await outcomeOf(files, layout, [change("admin/users|title", "pt-BR", "Usuários")], {
        locales: { pt_BR: "pt-BR" },
      }),
    ).toEqual({
      "lang/pt_BR/admin/users.php": "<?php\n\nreturn [\n    'title' => 'Usuários',\n];\n",
    });
  });

  test("goes into a column of the same table, added if missing", async () => {
    const layout: readonly FilesEntry[] = [{ path: "t.csv", format: "csv" }, json("l/{locale}.json")];
    const files = { "t.csv": "key,en,nl\na,A,\n", "l/nl.json": obj({ b: "B" }) };
    expect(await outcomeOf(files, layout, [change("a", "nl", "Aa")])).toEqual({
      "t.csv": "key,en,nl\na,A,Aa\n",
    });
    expect(
      await outcomeOf(files, layout, [change("a", "pt-BR", "Ah")], { locales: { pt_BR: "pt-BR" } }),
    ).toEqual({ "t.csv": "key,en,nl,pt_BR\na,A,,Ah\n" });
  });

  test("goes into the table that has the source text, even if another has more siblings", async () => {
    const layout: readonly FilesEntry[] = ["a", "b"].map((name) => ({ path: `${name}.csv`, format: "csv" }));
    const files = { "a.csv": "key,en,nl\nmenu.open,Open,Openen\n", "b.csv": "key,en\nmenu.save,Save\n" };
    expect(await outcomeOf(files, layout, [change("menu.save", "nl", "Bewaren")])).toEqual({
      "b.csv": "key,en,nl\nmenu.save,Save,Bewaren\n",
    });
  });

  test("goes to another layout entry if the source file has one language only", async () => {
    const layout = [json("src/texts.json"), json("l/{locale}.json")];
    const files = { "src/texts.json": obj({ a: "A" }) };
    expect(await outcomeOf(files, layout, [change("a", "nl", "Aa")])).toEqual({
      "l/nl.json": obj({ a: "Aa" }),
    });
    expect(await outcomeOf(files, [json("src/texts.json")], [change("a", "nl", "Aa")])).toEqual({
      "a: no_file": null,
    });
  });

  test("never goes next to a compiled file", async () => {
    const compiled: FilesEntry = { path: "l/{locale}.l10n.php", format: "wordpress_php" };
    const files = {
      "l/en.l10n.php": "<?php\nreturn ['language'=>'en','messages'=>['Save'=>'Keep']];\n",
      "l/nl.po": po("Open"),
    };
    const layout: readonly FilesEntry[] = [compiled, { path: "l/{locale}.po", format: "po" }];
    const after = await outcomeOf(files, layout, [change("Save", "nl", "Bewaar")]);
    expect(Object.keys(after)).toEqual(["l/nl.po"]);
    expect(await outcomeOf(files, [compiled], [change("New", "nl", "x")])).toEqual({
      "New: generated": "l/nl.l10n.php",
    });
  });

  test("that only a compiled file has goes next to the source file, and is not removed from there", async () => {
    const files = {
      "l/en.po": po("Save"),
      "l/nl.l10n.php": "<?php\nreturn ['language'=>'nl','messages'=>['Save'=>'Opslaan']];\n",
    };
    const layout: readonly FilesEntry[] = [
      { path: "l/{locale}.po", format: "po" },
      { path: "l/{locale}.l10n.php", format: "wordpress_php" },
    ];
    const after = await outcomeOf(files, layout, [change("Save", "nl", "Bewaar")]);
    expect(Object.keys(after)).toEqual(["l/nl.po"]);
    expect(await outcomeOf(files, layout, [change("Save", "nl", null)])).toEqual({
      "Save: generated": "l/nl.l10n.php",
    });
  });
});

describe("new key", () => {
  test("goes into the first possible file, created if missing", async () => {
    const layout = [json("a/{locale}.json", { namespace: "shop" }), json("b/{locale}/{namespace}.json")];
    expect(
      await outcomeOf({}, layout, [
        change("shop|a", "en", "1"),
        change("cart|a", "nl", "2"),
        change("a", "en", "3"),
      ]),
    ).toEqual({ "a/en.json": obj({ a: "1" }), "b/nl/cart.json": obj({ a: "2" }), "a: no_file": null });
  });

  test("prefers an existing file", async () => {
    const layout = [json("a/{locale}.json"), json("b/{locale}.json")];
    const files = { "b/en.json": obj({ x: "1" }) };
    expect(Object.keys(await outcomeOf(files, layout, [change("y", "en", "2")]))).toEqual(["b/en.json"]);
  });

  test("goes to the closest siblings by key segments", async () => {
    const layout = [json("a/{locale}.json"), json("b/{locale}.json"), json("c/{locale}.json")];
    const files = {
      "a/en.json": obj({ shop: { menu: { x: "1" } }, top: "1" }),
      "b/en.json": obj({ shop: { cart: { line: { x: "1" } } } }),
      "c/en.json": obj({ shop: { cartoon: "1", car: { x: "1" } } }),
    };
    const paths = async (key: string): Promise<string[]> =>
      Object.keys(await outcomeOf(files, layout, [change(key, "en", "2")]));
    expect(await paths("shop.cart.line.price")).toEqual(["b/en.json"]);
    expect(await paths("shop.cart.total")).toEqual(["b/en.json"]);
    expect(await paths("shop.car.wash")).toEqual(["c/en.json"]);
    expect(await paths("shop.menu.y")).toEqual(["a/en.json"]);
    const several = ["shop.menu.y", "shop.cart.total", "shop.car.wash"].map((key) => change(key, "en", "2"));
    expect(Object.keys(await outcomeOf(files, layout, several))).toEqual([
      "a/en.json",
      "b/en.json",
      "c/en.json",
    ]);
    // All three have keys below `shop`, none has one below `other`: the first one.
    expect(await paths("shop.y")).toEqual(["a/en.json"]);
    expect(await paths("other.y")).toEqual(["a/en.json"]);
    expect(await paths("top2")).toEqual(["a/en.json"]);
  });

  test("prefers its namespace to closer keys of another", async () => {
    const xlf = (name: string): FilesEntry => ({ path: `${name}/m.{locale}.xlf`, format: "xliff12" });
    const layout = [xlf("a"), xlf("b"), xlf("c")];
    const files = {
      "a/m.nl.xlf": xliff("first", "cart.title"),
      "b/m.nl.xlf": xliff("second", "menu.title"),
    };
    const paths = async (id: string): Promise<string[]> =>
      Object.keys(await outcomeOf(files, layout, [change(id, "nl", "x")]));
    expect(await paths("second|cart.total")).toEqual(["b/m.nl.xlf"]);
    expect(await paths("first|menu.total")).toEqual(["a/m.nl.xlf"]);
    expect(await paths("third|menu.total")).toEqual(["b/m.nl.xlf"]);
    expect(await paths("third|other")).toEqual(["a/m.nl.xlf"]);
    const { "a/m.nl.xlf": third } = await outcomeOf(files, layout, [change("third|other", "nl", "x")]);
    expect(third).toContain('<file original="third"');
  });

  test("is written without the layout entry's prefix, never under another prefix", async () => {
    const layout = [json("a/{locale}.json", { keyPrefix: "app." }), json("b/{locale}.json")];
    const files = { "a/en.json": obj({ x: "1" }) };
    expect(
      await outcomeOf(files, layout, [
        change("app.y", "en", "2"),
        change("apps.y", "en", "3"),
        change("app.", "en", "4"),
        change("app.z", "nl", "5"),
      ]),
    ).toEqual({
      "a/en.json": obj({ x: "1", y: "2" }),
      "a/nl.json": obj({ z: "5" }),
      "b/en.json": obj({ apps: { y: "3" }, "app.": "4" }),
    });
  });

  test("never goes into a file of another namespace or language", async () => {
    const layout = [json("a/{locale}.json", { namespace: "shop" })];
    const files = { "a/en.json": obj({ x: "1" }), "a/nl.json": obj({ x: "1" }) };
    expect(await outcomeOf(files, layout, [change("other|y", "en", "2")])).toEqual({ "y: no_file": null });
    expect(await outcomeOf(files, layout, [change("shop|y", "nl", "2")])).toEqual({
      "a/nl.json": obj({ x: "1", y: "2" }),
    });
  });

  test.each(["../out", "/out", "a/../../out", "a//b", "a/./b"])(
    "does not leave the folder with the namespace %j",
    async (namespace) => {
      const layout = [json("l/{locale}/{namespace}.json")];
      expect(await outcomeOf({}, layout, [change(`${namespace}|y`, "en", "2")])).toEqual({
        "y: no_file": null,
      });
    },
  );

  test("goes into subfolders if its namespace is a path", async () => {
    const layout = [json("l/{locale}/{namespace}.json")];
    expect(await outcomeOf({}, layout, [change("a.b/..c|y", "en", "2")])).toEqual({
      "l/en/a.b/..c.json": obj({ y: "2" }),
    });
  });

  test("names its namespace in a table without a common one", async () => {
    const csv: FilesEntry = { path: "t.csv", format: "csv" };
    const files = { "t.csv": "namespace,key,en\n,a,A\n" };
    const changes = [change("cart|b", "en", "B"), change("c", "en", "C")];
    expect(await outcomeOf(files, [csv], changes)).toEqual({
      "t.csv": "namespace,key,en\n,a,A\ncart,b,B\n,c,C\n",
    });
    // The project file's word counts for all of them: what the column says is its own affair.
    const own = { "t.csv": "namespace,key,en\nold,a,A\n" };
    expect(await outcomeOf(own, [{ ...csv, namespace: "shop" }], [change("shop|b", "en", "B")])).toEqual({
      "t.csv": "namespace,key,en\nold,a,A\n,b,B\n",
    });
  });

  test("goes into the table with its namespace, whatever that is called, and into none that would give it another", async () => {
    const csv: FilesEntry = { path: "t/{namespace}.csv", format: "csv", keyPrefix: "app." };
    const files = { "t/shop.csv": "namespace,key,en\ncart,a,A\n" };
    expect(await outcomeOf(files, [csv], [change("cart|app.b", "en", "B")])).toEqual({
      "t/shop.csv": "namespace,key,en\ncart,a,A\ncart,b,B\n",
    });
    expect(await outcomeOf(files, [csv], [change("app.c", "en", "C")])).toEqual({ "app.c: no_file": null });
  });

  test("adds a column for a new language, with the project's locale name", async () => {
    const csv: FilesEntry = { path: "t.csv", format: "csv" };
    const rest = { locales: { pt_BR: "pt-BR" } };
    expect(await outcomeOf({ "t.csv": "key,en\na,A\n" }, [csv], [change("b", "pt-BR", "B")], rest)).toEqual({
      "t.csv": "key,en,pt_BR\na,A,\nb,,B\n",
    });
    const made = await outcomeOf({}, [csv], [change("b", "pt-BR", "B")], rest);
    expect(made["t.csv"]).toMatch(/^key,.*pt_BR/m);
    // The layout alone does not say in which of its files a key belongs.
    const named: FilesEntry = { path: "t/{namespace}.csv", format: "csv", namespace: "*" };
    expect(
      await outcomeOf({ "t/shop.csv": "key,en\na,A\n" }, [named], [change("b", "pt-BR", "B")], rest),
    ).toEqual({ "t/shop.csv": "key,en,pt_BR\na,A,\nb,,B\n" });
    const perLanguage: FilesEntry = { path: "l/{locale}.csv", format: "csv" };
    expect(Object.keys(await outcomeOf({}, [perLanguage], [change("b", "pt-BR", "B")], rest))).toEqual([
      "l/pt_BR.csv",
    ]);
  });

  test("keeps its context", async () => {
    const layout: readonly FilesEntry[] = [{ path: "l/{locale}.po", format: "po" }];
    const name = { ...nameOf("Open"), context: "verb" };
    const after = await outcomeOf({ "l/nl.po": po("Save") }, layout, [
      { name, locale: "nl", text: { value: "Openen" } },
    ]);
    expect(after["l/nl.po"]).toContain('msgctxt "verb"\nmsgid "Open"\nmsgstr "Openen"\n');
  });
});
