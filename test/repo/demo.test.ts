/**
 * The sample app and the demo project match, except for the differences that the views and commands of the demo show.
 */
import { existsSync, globSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { laravelJson } from "../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../src/formats/php/laravel-php-format.ts";
import { keyHash } from "../../src/model/key-hash.ts";
import type { Text } from "../../src/model/translation-text.ts";
import { opening, scenes } from "../demo/scenes.ts";
import { STEPS } from "../demo/shots.ts";
import { tourSteps } from "../demo/demo-setup.ts";
import { root } from "../setup/ensure.mjs";
import { read, readJson, trackedFiles } from "./tree.ts";

type DemoText = string | Readonly<Record<string, string>>;
type DemoKey = Readonly<Record<"ns" | "key", string>> & {
  readonly en: DemoText;
  readonly archived?: boolean;
};

const shop = "test/demo/sample/webshop";

describe("the tour", () => {
  const tour = read("test/demo/tour.md");

  it("starts with a few lines on what to try", () => {
    const steps = tourSteps();
    expect(steps.length).toBeGreaterThanOrEqual(4);
    expect(steps.length).toBeLessThanOrEqual(6);
    expect(steps).toEqual([...tour.matchAll(/^\d\. \*\*([^*]+)\*\*/gmu)].map(([, step]) => step));
  });

  it("names existing commands and files", () => {
    const titles = Object.values(readJson<Readonly<Record<string, string>>>("package.nls.json"));
    const commands = [...tour.matchAll(/“(.+?)”/gu)].map(([, title = ""]) => title);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((title) => !titles.includes(title))).toEqual([]);
    const links = [...tour.matchAll(/\]\((.+?)\)/gu)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((path) => !existsSync(join(root, shop, path)))).toEqual([]);
  });

  it("names the correct line of its key", () => {
    const [, key = "", line] = /`(.+?)`, the underlined key in line (\d+)/u.exec(tour) ?? [];
    const lines = read(`${shop}/resources/views/cart.blade.php`).split("\n");
    expect(lines.findIndex((text) => text.includes(`'${key}'`)) + 1).toBe(Number(line));
  });
});

describe("the scenes", () => {
  it("run commands that a person finds in the palette", () => {
    const { contributes } = readJson<{
      readonly contributes: {
        readonly commands: readonly { readonly command: string }[];
        readonly menus: {
          readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
        };
      };
    }>("package.json");
    const hidden = contributes.menus.commandPalette.flatMap(({ command, when }) =>
      when === "false" ? [command] : [],
    );
    const offered = contributes.commands.map(({ command }) => command);
    const run = ["test/demo/scenes.ts", "test/demo/editor-scenes.ts"].flatMap((path) =>
      [...read(path).matchAll(/runExtensionCommand\(page, "(\w+)"\)/gu)].map(
        ([, name = ""]) => `projectTranslations.${name}`,
      ),
    );
    expect(run.length).toBeGreaterThan(8);
    expect(run.filter((command) => !offered.includes(command) || hidden.includes(command))).toEqual([]);
  });
});

describe("pictures of the README and of docs", () => {
  const pages = trackedFiles().filter((path) => path === "README.md" || /^docs\/[^/]+\.md$/u.test(path));
  const shown = pages.flatMap((path) =>
    [...read(path).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/gu)].map(([, alt = "", picture = ""]) => ({
      alt,
      picture: posix.join(posix.dirname(path), picture),
    })),
  );

  it("are all taken by the demo and all used", () => {
    const taken = [STEPS, opening.name, ...scenes.map(({ name }) => name)].map(
      (name) => `media/readme/${name}.png`,
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.map(({ picture }) => picture).filter((picture) => !taken.includes(picture))).toEqual([]);
    const there = trackedFiles().filter((path) => path.startsWith("media/readme/"));
    expect([...new Set(shown.map(({ picture }) => picture))].toSorted()).toEqual(there.toSorted());
  });

  it("have at most 300 KB and an alternative text", () => {
    for (const { alt, picture } of shown) {
      expect(statSync(join(root, picture)).size, picture).toBeLessThanOrEqual(300 * 1024);
      expect(alt.length, picture).toBeGreaterThan(15);
    }
  });
});

function localKeys(): ReadonlyMap<string, { readonly name: string; readonly text: Text }> {
  const lang = join(root, shop, "lang");
  const files = globSync(["en.json", "en/**/*.php"], { cwd: lang }).map((path) => path.replaceAll("\\", "/"));
  const keys = files.flatMap((path) => {
    const format = path.endsWith(".php") ? laravelPhp : laravelJson;
    const namespace = path.endsWith(".php") ? path.slice(3, -4) : "*";
    const { entries } = format.read(read(`${shop}/lang/${path}`), { locale: "en", sourceLocale: "en" });
    return entries.map(({ key, text }) => ({ namespace, key, text }));
  });
  return new Map(
    keys.map(({ namespace, key, text }) => [
      keyHash({ namespace, key, context: null }),
      { name: `${namespace}: ${key}`, text },
    ]),
  );
}

describe("the demo", () => {
  const local = localKeys();
  const demo = readJson<readonly DemoKey[]>("src/local-service/demo-texts.json");
  const served = new Map(demo.map((it) => [keyHash({ namespace: it.ns, key: it.key, context: null }), it]));

  it("has most, but not all, keys of the sample app", () => {
    const unknown = [...local].filter(([key]) => !served.has(key)).map(([, it]) => it.name);
    expect(local.size).toBeGreaterThan(50);
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.length).toBeLessThan(local.size / 10);
  });

  it("has source texts that differ from those of the app", () => {
    const changed = [...local].filter(([key, { text }]) => {
      const there = served.get(key)?.en;
      return (
        there !== undefined &&
        JSON.stringify(there) !== JSON.stringify("value" in text ? text.value : text.forms)
      );
    });
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(local.size / 5);
  });

  it("has a key that the app lacks, and an archived one that it uses", () => {
    expect(
      demo.filter(
        (it) => it.archived !== true && ![...served].some(([key, other]) => other === it && local.has(key)),
      ).length,
    ).toBeGreaterThan(0);
    expect([...served].filter(([key, it]) => it.archived === true && local.has(key)).length).toBeGreaterThan(
      0,
    );
  });
});
