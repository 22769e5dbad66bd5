/** Keys that the code of one project uses of the other projects of the window. */
import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/database/database.ts";
import { KeySearch } from "../../../../src/database/full-text-search.ts";
import { KeyNames } from "../../../../src/database/key-name-repository.ts";
import { SearchIndex } from "../../../../src/database/update-search-index.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import {
  nearestAmongProjects,
  type ProjectsToResolveIn,
  resolveAmongProjects,
} from "../../../../src/workspace/usages/resolve-among-projects.ts";
import type {
  KeyReference,
  KeyResolutionOptions,
} from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyDatabase } from "../../support/key-database.ts";

interface Project {
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  readonly usesTextsOf: readonly Project[];
  readonly lookup: KeyResolutionOptions;
}

const databases: Database[] = [];
afterEach(() => {
  for (const database of databases.splice(0)) database.close();
});

/** A project with these keys: `namespace|key`, which is also the hash. */
async function project(
  keys: readonly string[],
  framework: FrameworkName = "i18next",
  more: { readonly uses?: readonly Project[]; readonly packageNames?: readonly string[] } = {},
): Promise<Project> {
  const database = createKeyDatabase(
    keys.map((hash) => {
      const [namespace = "", key = ""] = hash.split("|");
      return { hash, namespace, key, context: null, text: { value: key } };
    }),
  );
  databases.push(database);
  await new SearchIndex(database).update();
  const packageNames = more.packageNames === undefined ? {} : { packageNames: more.packageNames };
  return {
    keyNames: new KeyNames(database),
    keySearch: new KeySearch(database),
    usesTextsOf: more.uses ?? [],
    lookup: { frameworks: new Set([framework]), ...packageNames },
  };
}

const use = (key: string): KeyReference => {
  const [prefix = "", suffix] = key.split("…");
  return {
    expression: suffix === undefined ? { kind: "static", key } : { kind: "pattern", prefix, suffix },
    namespaces: null,
    keyPrefix: "",
    context: null,
  };
};

const among = (...all: readonly Project[]): ProjectsToResolveIn<Project> => {
  return { all, lookupOf: ({ lookup }) => lookup };
};

/** The number of the project that the key belongs to, and its hash or what is known of it. */
function resolved(key: string, open: Project, ...all: readonly Project[]): readonly [number, string] {
  const { open: owner, resolution } = resolveAmongProjects(use(key), open, among(...all));
  return [all.indexOf(owner), resolution.kind === "known" ? resolution.key.hash : resolution.kind];
}

describe("a usage", () => {
  test("means a key of its own project first, and of the only other one with the namespace", async () => {
    const [app, shop, mail] = [
      await project(["app|title", "both|mine"]),
      await project(["shop|title", "both|a", "twice|a"]),
      await project(["mail|title", "twice|a"]),
    ];
    const all = [app, shop, mail];
    expect(resolved("app:title", app, ...all)).toEqual([0, "app|title"]);
    expect(resolved("shop:title", app, ...all)).toEqual([1, "shop|title"]);
    expect(resolved("shop:gone", app, ...all)).toEqual([1, "unknown"]);
    // Its own namespace may lack the key, and two projects may have the namespace.
    expect(resolved("both:a", app, ...all)).toEqual([0, "unknown"]);
    expect(resolved("twice:a", app, ...all)).toEqual([0, "unknown"]);
    expect(resolved("shop:title", app, app)).toEqual([0, "unknown"]);
    const either = { ...use("gone"), namespaces: ["app", "shop"] };
    expect(resolveAmongProjects(either, app, among(...all)).open).toBe(app);
    expect(resolveAmongProjects({ ...either, namespaces: ["none", "shop"] }, app, among(...all)).open).toBe(
      shop,
    );
    // Another one of its namespaces may be that of another project.
    const shared = { ...use("title"), namespaces: ["both", "shop"] };
    expect(resolveAmongProjects(shared, app, among(...all)).open).toBe(app);
    expect(resolved("shop:…", app, ...all)[0]).toBe(0);
  });

  test("means a key of the only other project with the namespace, also where its own keys have none", async () => {
    const [app, shop] = [await project(["*|own"], "laravel"), await project(["shop|title"], "laravel")];
    expect(resolved("shop.title", app, app, shop)).toEqual([1, "shop|title"]);
    expect(resolved("shop.gone", app, app, shop)).toEqual([1, "unknown"]);
    expect(resolved("gone", app, app, shop)).toEqual([0, "unknown"]);
    // As the code writes keys, whatever the other one does.
    const script = await project(["app|a"], "i18next");
    expect(resolved("shop:title", script, script, shop)).toEqual([1, "shop|title"]);
  });

  test("means a key of a project whose texts the code uses, by that project’s conventions", async () => {
    const texts = await project(["cart|title"], "laravel");
    const [app, other] = [await project(["app|a"], "i18next", { uses: [texts] }), await project(["x|y"])];
    expect(resolved("cart.title", app, app, texts, other)).toEqual([1, "cart|title"]);
    expect(resolved("cart.gone", app, app, texts, other)[1]).toBe("unknown");
    expect(resolved("title", app, app, texts, other)).toEqual([0, "unknown"]);
    // No group of it, and none of its patterns.
    expect(resolved("cart", app, app, texts, other)).toEqual([0, "unknown"]);
  });

  test("means a key of the package that it names", async () => {
    const app = await project(["app|a"], "laravel");
    const shop = await project(["cart|title"], "laravel", { packageNames: ["shop"] });
    const mail = await project(["cart|title"], "laravel", { packageNames: ["mail"] });
    expect(resolved("shop::cart.title", app, app, mail, shop)).toEqual([2, "cart|title"]);
    expect(resolved("gone::cart.title", app, app, mail, shop)).toEqual([0, "unknown"]);
    expect(resolved("::cart.title", app, app, mail, shop)).toEqual([0, "unknown"]);
  });
});

describe("the nearest names", () => {
  const nearest = (key: string, open: Project, all: readonly Project[], scope?: "others") =>
    nearestAmongProjects(use(key), 1, open, among(...all), scope);

  test("are those of the own project, or else of the others in which the key was looked up", async () => {
    const texts = await project(["cart|title", "cart|total"], "laravel");
    const app = await project(["app|save", "app|title"], "i18next", { uses: [texts] });
    const all = [app, texts, await project(["cart|titel"])];
    expect(nearest("app:sabe", app, all)).toEqual(["app:save"]);
    // By the conventions of the project that has the key, unless the usage names a namespace of its own.
    expect(nearest("carts.title", app, [app, texts])).toEqual(["cart.title"]);
    expect(nearest("cart.titel", app, [app, texts])).toEqual(["cart:title"]);
    expect(nearest("app:sabe", app, all, "others")).toEqual([]);
    expect(nearest("carts.total", app, [app, texts], "others")).toEqual(["cart.total"]);
    expect(nearest("nothing.like.it", app, all)).toEqual([]);
    expect(nearest("cart.…", app, all)).toEqual([]);
  });

  test("are those of the only project with the namespace", async () => {
    const [app, shop] = [await project(["app|title"]), await project(["shop|title", "shop|total"])];
    expect(nearest("shop:titel", app, [app, shop])).toEqual(["shop:title"]);
    const similar = await project(["shops|title"]);
    expect(nearest("shop:titel", similar, [similar, shop])).toEqual(["shop:title"]);
    expect(nearest("shop:titel", similar, [similar, shop], "others")).toEqual(["shop:title"]);
  });
});
