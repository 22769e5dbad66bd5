/** Evidence for keys that the code builds: what is found where, and what is stored of the files. */
import { afterEach, expect, test } from "vitest";
import { FileWordRepository } from "../../../../src/database/file-word-repository.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import type { CallChoice } from "../../../../src/workspace/usages/call-choices.ts";
import { sourceFilesOf } from "../../../../src/workspace/usages/list-source-files.ts";
import { UsageIndexer } from "../../../../src/workspace/usages/usage-indexer.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

let folder: SourceFolder | undefined;
afterEach(() => folder?.dispose());

interface Given {
  readonly keys: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly framework?: FrameworkName;
  readonly calls?: readonly CallChoice[];
}

/** Returns the evidence of each key: `namespace|key kind pattern path`. */
async function evidence({
  keys,
  files,
  framework = "laravel",
  calls = [],
}: Given): Promise<readonly string[]> {
  folder = new SourceFolder(files);
  const { database } = folder.open();
  folder.setKeys(database, keys);
  const options = usageOptions(framework);
  const indexer = folder.indexer(database);
  await indexer.update(options, NO_TEXTS);
  await indexer.findOccurrences([], { include: ["**"] }, [], options.lookup.frameworks, NO_TEXTS);
  const found = await indexer.findEvidence(options.lookup, calls, NO_TEXTS);
  return Array.from(found, ([hash, { kind, pattern, path }]) =>
    [hash, kind, pattern, path].filter((each) => each !== null).join(" "),
  ).sort();
}

const STATUS_CALL = "<?php echo __('status.' . $order->status);";

test.each([
  ["a quoted word of code", "app/Order.php", "<?php return $x === 'paid';"],
  ["a member of an object", "src/states.ts", "export const states = { paid: 1 };"],
  ["a case of an enum", "app/Status.php", "<?php enum Status { case paid; }"],
  ["a member of an enum", "src/status.ts", "enum Status { open, paid }"],
  ["a JSON file", "config/states.json", '{ "states": ["paid"] }'],
  ["a YAML file", "config/states.yaml", "states:\n  - paid\n"],
  ["a list in one text", "app/Rules.php", "<?php $rules = 'open|paid|gone';"],
  ["a list with spaces", "app/Rules.php", "<?php $rules = 'open, paid, gone';"],
  ["a migration", "database/migrations/a.php", "<?php $table->enum('status', ['paid']);"],
])("finds %s", async (_, path, text) => {
  const files = { "a.php": STATUS_CALL, [path]: text };
  expect(await evidence({ keys: ["status|paid", "status|lost"], files })).toEqual([
    "status|lost none status.*",
    `status|paid found status.* ${path}`,
  ]);
});

test.each([
  ["a document", "docs/readme.md", "`paid`"],
  ["a list of packages", "composer.json", '{ "keywords": ["paid"] }'],
  ["a part of a word", "app/Order.php", "<?php return 'paid_at';"],
])("does not count %s", async (_, path, text) => {
  const files = { "a.php": STATUS_CALL, [path]: text };
  expect(await evidence({ keys: ["status|paid"], files })).toEqual(["status|paid none status.*"]);
});

test("counts the names that Laravel derives: of routes, columns and classes", async () => {
  const files = {
    "a.php": "<?php __('title.' . $route); __('column.' . $name); __('model.' . $class);",
    "routes/web.php": "<?php Route::resource('photos', PhotoController::class);",
    "database/migrations/a.php": "<?php $table->timestamps();",
    "app/OrderLine.php": "<?php class OrderLine {}",
  };
  const keys = ["title|photos.edit", "column|created_at", "model|order_line", "model|invoice"];
  expect(await evidence({ keys, files })).toEqual([
    "column|created_at found column.* database/migrations/a.php",
    "model|invoice none model.*",
    "model|order_line found model.* app/OrderLine.php",
    "title|photos.edit found title.* routes/web.php",
  ]);
});

test("takes keys for built that a file lists with most others", async () => {
  const files = { "a.php": STATUS_CALL, "config/shop.php": "<?php return ['open', 'paid', 'sent'];" };
  const keys = ["status|open", "status|paid", "status|sent", "status|lost"];
  expect(await evidence({ keys, files })).toEqual([
    "status|lost none status.*",
    "status|open built status.* config/shop.php",
    "status|paid built status.* config/shop.php",
    "status|sent built status.* config/shop.php",
  ]);
});

test("counts used keys among those that a file lists, without evidence for them", async () => {
  const files = {
    "a.php": `${STATUS_CALL} echo __('status.paid');`,
    "config/shop.php": "<?php return ['open', 'paid', 'sent'];",
  };
  expect(await evidence({ keys: ["status|open", "status|paid", "status|sent"], files })).toEqual([
    "status|open built status.* config/shop.php",
    "status|sent built status.* config/shop.php",
  ]);
});

test("counts a file once for a key that has several names in it", async () => {
  const words = "const a = ['open', 'shop.open', 'paid', 'shop.paid'];";
  const files = { "a.ts": "i18next.t(`${x}.label`)", "b.ts": words };
  const keys = ["shop|open.label", "shop|paid.label"];
  expect(await evidence({ keys, files, framework: "i18next" })).toEqual(
    keys.map((key) => `${key} found *.label b.ts`),
  );
});

test("names code that has the open part rather than a test", async () => {
  const files = { "a.php": STATUS_CALL, "b.test.ts": "f('paid'); f('lost');", "c.ts": "f('paid');" };
  expect(await evidence({ keys: ["status|paid", "status|lost"], files })).toEqual([
    "status|lost found status.* b.test.ts",
    "status|paid found status.* c.ts",
  ]);
});

test("counts a key only for the call with the longest part of it", async () => {
  const files = {
    "a.php": "<?php __('status.' . $x); __('status.order.' . $y);",
    "config/shop.php": "<?php return ['order.a1', 'order.b1', 'order.c1', 'open'];",
  };
  const orders = ["a1", "b1", "c1"].map((name) => `status|order.${name}`);
  expect(await evidence({ keys: ["status|open", ...orders], files })).toEqual(
    ["status|open", ...orders].map((key) => `${key} found status.* config/shop.php`),
  );
});

test("takes keys for built whose open part is a name of its own", async () => {
  const files = { "a.php": STATUS_CALL, "b.php": "<?php $x = 'waiting_for_the_bank';" };
  expect(await evidence({ keys: ["status|waiting_for_the_bank"], files })).toEqual([
    "status|waiting_for_the_bank built status.* b.php",
  ]);
});

test("finds an open part that is made of two words of one file, or of a start and a word", async () => {
  const files = {
    "a.php": "<?php __(sprintf('intro.%s', $x));",
    "config/intro.php": "<?php return ['index' => ['help']];",
    "app/b.php": '<?php $a = "not_{$x}"; $b = "tag";',
    "app/c.php": "<?php $a = 'one';",
    "app/d.php": "<?php $a = 'two';",
  };
  expect(await evidence({ keys: ["intro|index_help", "intro|not_tag", "intro|one_two"], files })).toEqual([
    "intro|index_help found intro.* config/intro.php",
    "intro|not_tag found intro.* app/b.php",
    "intro|one_two none intro.*",
  ]);
});

test("finds an open part that a file makes of fixed parts and of values that other files have", async () => {
  const files = {
    "a.php": "<?php __(sprintf('page.%s', $x));",
    "views/empty.twig": "{{ ('no_' ~ type ~ '_title_' ~ kind)|_ }} {{ ('update_' ~ type ~ '_account')|_ }}",
    "views/path.twig": "{{ (a ~ '.form.' ~ b)|_ }}",
    "app/b.php": "<?php $a = ['bills', 'default', 'revenue'];",
  };
  const keys = [
    "no_bills_title_default",
    "bills_title_revenue",
    "update_bills_account",
    "bills.form.default",
  ];
  const others = [
    "no_bills_intro_default",
    "bills_title_tags",
    "tags_title_bills",
    "no_tags_title_default",
    "update_tags_account",
    "bills.list.default",
  ];
  const found = await evidence({ keys: [...keys, ...others].map((key) => `page|${key}`), files });
  const kinds = new Map(found.map((line) => line.split(" ").slice(0, 2) as [string, string]));
  expect(keys.map((key) => kinds.get(`page|${key}`))).toEqual(keys.map(() => "found"));
  expect(others.map((key) => kinds.get(`page|${key}`))).toEqual(others.map(() => "none"));
});

test("does not judge a call whose values come from outside of the project, or cannot be looked for", async () => {
  const codes = ["AA", "BB", "CC", "DD", "EE"].map((code) => `status|${code}`);
  expect(await evidence({ keys: codes, files: { "a.php": STATUS_CALL } })).toEqual(
    codes.map((code) => `${code} open status.*`),
  );
  const text = { "a.php": "<?php __('status.' . $x); $y = 'x';" };
  expect(await evidence({ keys: ["status|{x} of {y}"], files: text })).toEqual([
    "status|{x} of {y} open status.*",
  ]);
});

test("looks for whole names for a call without any part of a key, also in two parts", async () => {
  const files = { "a.php": "<?php __($key); $key = 'auth.'; $other = \"mail.{$x}\"; $z = ['ok', 'sent'];" };
  expect(await evidence({ keys: ["auth|ok", "mail|sent", "auth|never", "*|ok"], files })).toEqual([
    "*|ok none *",
    "auth|never none *",
    "auth|ok found * a.php",
    "mail|sent found * a.php",
  ]);
});

test("does not take a key for built because a call for any key could mean its name", async () => {
  const files = { "a.php": "<?php __($x); $a = 'status.'; $b = 'waiting_for_the_bank';" };
  expect(await evidence({ keys: ["status|waiting_for_the_bank"], files })).toEqual([
    "status|waiting_for_the_bank found * a.php",
  ]);
});

test("looks for the rest of a key where the call has a namespace", async () => {
  const files = { "a.ts": 'const { t } = useTranslation("cart"); t(name); const names = ["form.save"];' };
  const keys = ["cart|form.save", "cart|gone", "shop|form.save"];
  expect(await evidence({ keys, files, framework: "i18next" })).toEqual([
    "cart|form.save found * a.ts",
    "cart|gone none *",
  ]);
});

test("names every call that may mean a key, and the best evidence", async () => {
  folder = new SourceFolder({
    "a.php": "<?php __('status.' . $x); __('status.order.' . $x); __($x); 'paid';",
  });
  const { database } = folder.open();
  folder.setKeys(database, ["status|order.paid"]);
  const { lookup, find } = usageOptions("laravel");
  const indexer = folder.indexer(database);
  await indexer.update({ lookup, find }, NO_TEXTS);
  await indexer.findOccurrences([], { include: ["**"] }, [], lookup.frameworks, NO_TEXTS);
  const found = (await indexer.findEvidence(lookup, [], NO_TEXTS)).get("status|order.paid");
  expect(found).toMatchObject({ kind: "found", pattern: "status.order.*" });
  expect(found?.references).toHaveLength(3);
});

test("takes what a call for more keys may mean before a call for fewer, whose part of the key nothing has", async () => {
  const calls = "<?php __('status.' . $x); __('status.order.' . $y);";
  const keys = ["status|order.paid"];
  const files = { "a.php": `${calls} $z = 'order.paid';` };
  expect(await evidence({ keys, files })).toEqual(["status|order.paid found status.* a.php"]);
  folder?.dispose();
  // What was looked for may be in other projects.
  folder = new SourceFolder({ "a.php": calls });
  const { database } = folder.open();
  folder.setKeys(database, keys);
  const { lookup, find } = usageOptions("laravel");
  const indexer = folder.indexer(database);
  await indexer.update({ lookup, find }, NO_TEXTS);
  const found = (await indexer.findEvidence(lookup, [], NO_TEXTS)).get("status|order.paid");
  expect(found).toMatchObject({ kind: "none", pattern: "status.order.*", path: null });
  expect(found?.words.toSorted()).toEqual(["order.paid", "paid"]);
});

test("takes over what the project file says of a call", async () => {
  const files = { "a.php": "<?php __( $key ); f('paid');", "b.php": "<?php __($other);" };
  const keys = ["status|paid", "status|lost", "cart|title"];
  const ignored = { path: "b.php", key: "$other" };
  const only = { path: "a.php", key: "$key", only: ["status.*"] };
  expect(await evidence({ keys, files, calls: [ignored, only] })).toEqual([
    "status|lost none status.*",
    "status|paid found status.* a.php",
  ]);
  const both = { ...only, only: ["cart.*", "status.*"] };
  expect(await evidence({ keys, files, calls: [ignored, both] })).toEqual([
    "cart|title none cart.*",
    "status|lost none status.*",
    "status|paid found status.* a.php",
  ]);
  // The other call may still mean any key.
  expect(await evidence({ keys, files, calls: [only] })).toHaveLength(3);
  expect(await evidence({ keys, files, calls: [ignored, { path: "a.php", key: "$key" }] })).toEqual([]);
  // Without a path, equal calls of all files are meant.
  const equal = { "a.php": "<?php __($key);", "b.php": "<?php __( $key );" };
  expect(await evidence({ keys, files: equal, calls: [{ key: "$key" }] })).toEqual([]);
  expect(await evidence({ keys, files: equal, calls: [{ path: "a.php", key: "$key" }] })).toHaveLength(3);
  // Code that has changed is another call.
  expect(await evidence({ keys, files, calls: [ignored, { ...only, key: "$before" }] })).toHaveLength(3);
});

test("takes over what the project file says of a call in a document that is not saved", async () => {
  folder = new SourceFolder({ "a.php": "<?php __($before);" });
  const { database } = folder.open();
  folder.setKeys(database, ["status|paid"]);
  const { lookup, find } = usageOptions("laravel");
  const indexer = folder.indexer(database);
  const unsaved = new Map([["a.php", "<?php /* longer */ __($key);"]]);
  await indexer.update({ lookup, find }, unsaved);
  const ignored = { path: "a.php", key: "$key" };
  expect((await indexer.findEvidence(lookup, [ignored], unsaved)).size).toBe(0);
  expect((await indexer.findEvidence(lookup, [{ ...ignored, key: "$before" }], unsaved)).size).toBe(1);
});

test("takes keys for built that an installed package has in a file of the same name", async () => {
  const files = {
    "a.php": "<?php __($x);",
    "vendor/acme/installer/src/Lang/en/installer.php":
      "<?php return ['form' => ['save' => 'Save'], 'back' => 'Back'];",
    "vendor/acme/shop/lang/en/shop.php": "<?php return ['title' => 'Shop'];",
    "vendor/other/mail/lang/nl/mail.php": "<?php return ['sent' => 'Verstuurd'];",
    "vendor/other/news/lang/en_GB/news.php": "<?php return ['read' => 'Read'];",
    "vendor/other/news/lang/en_GB/note.json": '{ "read": "Read" }',
  };
  const keys = [
    ...["installer|form.save", "installer|back", "shop|total", "shop|title"],
    ...["mail|sent", "news|read", "note.|read"],
  ];
  const vendor = "vendor/acme/installer/src/Lang/en/installer.php";
  expect(await evidence({ keys, files })).toEqual([
    `installer|back built installer.* ${vendor}`,
    `installer|form.save built installer.* ${vendor}`,
    "mail|sent none *",
    "news|read built news.* vendor/other/news/lang/en_GB/news.php",
    "note.|read none *",
    "shop|title none *",
    "shop|total none *",
  ]);
});

test("stores the words of files that have changed, and deletes those of deleted ones", async () => {
  await evidence({
    keys: [],
    files: { "a.php": "<?php 'one';", "b.php": "<?php 'two';", "lang/en/x.php": "<?php 'no';" },
  });
  const { database } = folder?.open() ?? expect.fail();
  const words = new FileWordRepository(database);
  const stored = (): readonly string[] =>
    words.after("", 10).map(({ path, words: all }) => `${path} ${all.join()}`);
  expect(stored()).toEqual(["a.php one", "b.php two", "lang/en/x.php no"]);
  const disk = sourceFilesOf(folder?.root ?? "");
  let modified = 5;
  // Of a file that was just written, the stamp is not known.
  const indexer = new UsageIndexer(database, {
    list: (path) => disk.list(path),
    read: (path) => {
      const file = disk.read(path);
      return file.kind === "read" ? { ...file, stamp: { size: file.bytes.length, modified } } : file;
    },
  });
  const search = (except: readonly string[]): Promise<unknown> =>
    indexer.findOccurrences([], { include: ["**"] }, except, new Set(["laravel"]), NO_TEXTS);
  await search(["lang/en/x.php"]);
  for (const [path, stamp] of words.stamps()) words.put(path, stamp, [`kept ${path}`]);
  await search(["lang/en/x.php"]);
  expect(stored()).toEqual(["a.php kept a.php", "b.php kept b.php"]);
  // Others of the frameworks derive names from the code.
  await indexer.findOccurrences([], { include: ["**"] }, ["lang/en/x.php"], new Set(["symfony"]), NO_TEXTS);
  expect(stored()).toEqual(["a.php one", "b.php two"]);
  await search(["lang/en/x.php"]);
  // Of the same size, at another time.
  folder?.write("a.php", "<?php 'new';");
  modified++;
  await search(["lang/en/x.php"]);
  expect(stored()).toEqual(["a.php new", "b.php two"]);
  folder?.write("a.php", "<?php 'three';");
  folder?.remove("b.php");
  await search(["lang/en/x.php"]);
  expect(stored()).toEqual(["a.php three"]);
  for (const typed of ["typed", "other"]) {
    const unsaved = new Map([["a.php", `<?php '${typed}';`]]);
    await indexer.findOccurrences([], { include: ["**"] }, ["lang/en/x.php"], new Set(), unsaved);
    expect(stored()).toEqual([`a.php ${typed}`]);
  }
});
