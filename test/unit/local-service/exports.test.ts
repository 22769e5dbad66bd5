/** The content of exports, and when they are rebuilt. */
import { expect, test } from "vitest";
import { readZip, readZipDirectory } from "../../../src/formats/zip.ts";
import { ARCHIVE_LIMITS } from "../../../src/local-service/specification-decisions.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { start, type Download, type Harness } from "./harness.ts";

const project: ProjectFile = {
  slug: "shop",
  type: "laravel",
  languages: [{ locale: "nl" }, { locale: "nl-BE", fallback: ["nl"] }, { locale: "pl" }],
  exportProfiles: [
    {
      key: "app",
      format: "laravel_php",
      path: "lang/{locale}/{namespace}.php",
      files: [{ format: "laravel_json", path: "lang/{locale}.json" }],
      missing: "omit",
    },
    { key: "json", format: "laravel_json", path: "{locale}.json", missing: "fallback" },
  ],
};

const filesOf = ({ bytes }: Download): Record<string, string> =>
  Object.fromEntries(
    readZip(bytes, ARCHIVE_LIMITS).map((entry) => [entry.path, Buffer.from(entry.read()).toString()]),
  );

async function shop(): Promise<Harness> {
  const service = await start(project);
  await service.data("POST", "/keys/sync", {
    keys: [
      { key: "Hello", value: "Hello" },
      { key: "Bye", value: "Bye" },
      { namespace: "cart", key: "items", forms: { one: ":count item", other: ":count items" } },
    ],
  });
  await service.data("PUT", "/translations/nl", {
    translations: [
      { key: "Hello", value: "Hallo" },
      { namespace: "cart", key: "items", forms: { one: ":count stuk", other: ":count stuks" } },
    ],
  });
  return service;
}

test("exports several files as a zip with the profile's paths, without empty languages", async () => {
  const service = await shop();
  const answer = await service.download("app");
  expect(answer.type).toBe("application/zip");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="shop-app.zip"');
  expect(Object.keys(filesOf(answer))).toEqual([
    "lang/en.json",
    "lang/en/cart.php",
    "lang/nl.json",
    "lang/nl/cart.php",
  ]);
  expect(filesOf(answer)["lang/nl/cart.php"]).toContain("':count stuk|:count stuks'");
  // Whoever unpacks it may write them, and everybody may read them.
  const modes = readZipDirectory(answer.bytes).headers.map(({ mode }) => mode);
  expect(new Set(modes)).toEqual(new Set([0o100644]));
});

test("exports an empty language only if all are empty", async () => {
  const service = await shop();
  const paths = async (locales: string): Promise<string | null> =>
    (await service.download(`json?locales=${locales}&missing=omit`)).headers.get("content-disposition");
  expect(await paths("nl,pl")).toContain("nl.json");
  const none = await service.download("json?locales=pl&missing=omit");
  expect([none.status, none.text.replaceAll(/\s/g, "")]).toEqual([200, "{}"]);
  expect(await paths("pl")).toContain("pl.json");
});

test("allows no namespace to leave the archive", async () => {
  const service = await start(project);
  const names = ["../../etc/passwd", "/abs", "C:\\windows", "a/../../b"];
  const keys = names.flatMap((namespace) => [{ namespace, key: "a", value: "x" }]);
  await service.data("POST", "/keys/sync", { keys: [...keys, { key: "plain", value: "x" }] });
  const paths = Object.keys(filesOf(await service.download("app?locales=en")));
  expect(paths.length).toBe(names.length + 1);
  for (const path of paths) expect(path).not.toMatch(/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|:|\\/u);
});

test("builds a large export in a shared job, kept until the content changes", async () => {
  const service = await start({
    ...project,
    languages: [{ locale: "nl" }, { locale: "de" }, { locale: "fr" }, { locale: "es" }],
  });
  const sync = async (from: number): Promise<unknown> =>
    service.data("POST", "/keys/sync", {
      keys: Array.from({ length: 4_500 }, (_, index) => ({ key: `k${from + index}`, value: "v" })),
    });
  await sync(0);
  const [one, two] = await Promise.all([service.download("json"), service.download("json")]);
  expect([one.status, two.status]).toEqual([202, 202]);
  expect(one.headers.get("location")).toBe(two.headers.get("location"));
  const { id } = (JSON.parse(one.text) as { data: { id: number } }).data;
  expect((await service.ended(id)).status).toBe("succeeded");
  const built = await service.download("json");
  expect(built.status).toBe(200);
  expect((await service.download("json", built.etag ?? "")).status).toBe(304);
  await sync(4_500);
  expect((await service.download("json")).status).toBe(202);
});
