/**
 * The scanners against the frameworks' own extractors: xgettext over samples of hard cases, and over whole projects
 * together with what Django's makemessages and wp-cli wrote, where somebody has fetched these (`README.md`).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REASONS, samples } from "./disagreements.ts";
import { byMakemessages, byTemplates } from "./makemessages.ts";
import { extracted } from "./projects.ts";
import { byPlugin, textsOf } from "./wp-cli.ts";
import { byOurs, byXgettext, differences, KINDS } from "./xgettext.ts";

const SAMPLES = join(import.meta.dirname, "../../../../fixtures/xgettext");
/** The folder of the fetched projects. */
const PROJECTS = process.env["PROJECT_TRANSLATIONS_PROJECTS"];

describe("xgettext over samples", () => {
  test.each(samples)("$file", ({ file, kind, agreed, disagreements }) => {
    const theirs = byXgettext(SAMPLES, [file], KINDS[kind]);
    const ours = byOurs(SAMPLES, [file], KINDS[kind]);
    const found = differences(theirs, ours).map(({ who, said }) => `${who} ${said}`);
    expect(found.sort()).toEqual(disagreements.map(([who, said]) => `${who} ${said}`).sort());
    const only = disagreements.filter(([who]) => who === "xgettext").length;
    expect((theirs.get(file)?.size ?? 0) - only).toBe(agreed);
  });

  test("every sample is asked about", () => {
    expect(readdirSync(SAMPLES).sort()).toEqual(samples.map(({ file }) => file).sort());
  });
});

if (PROJECTS !== undefined)
  describe("whole projects", () => {
    for (const { name, folder, kind, ending, except, texts } of extracted) {
      test(`xgettext over ${name}`, { timeout: 300_000 }, () => {
        const root = join(PROJECTS ?? "", name, folder);
        const paths = readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
          .filter((path) => except === undefined || !except.test(path));
        const theirs = byXgettext(root, paths, KINDS[kind]);
        const unexplained = differences(theirs, byOurs(root, paths, KINDS[kind])).filter(
          ({ path, who, said }) => {
            const source = readFileSync(join(root, path), "utf8");
            return !REASONS.some((reason) => reason.who === who && reason.fits(said, path, source));
          },
        );
        expect(unexplained).toEqual([]);
        expect([...theirs.values()].reduce((sum, set) => sum + set.size, 0)).toBe(texts);
      });
    }

    test("wp-cli over pmpro: the catalogue that it has committed", { timeout: 120_000 }, () => {
      const root = join(PROJECTS ?? "", "pmpro");
      const theirs = textsOf(readFileSync(join(root, "languages/paid-memberships-pro.pot"), "utf8"));
      const ours = byPlugin(root, "paid-memberships-pro.php", /^(?:node_modules|languages)\/|min\.js$/);
      expect([...theirs].filter((said) => !ours.has(said))).toEqual([]);
      expect([...ours].filter((said) => !theirs.has(said))).toEqual([]);
      expect(theirs.size).toBe(2_997);
    });

    test.each([
      ["paperless-ngx", "src", "src/locale/en_US/LC_MESSAGES/django.po", 4],
      ["wagtail", "wagtail/admin", "wagtail/admin/locale/en/LC_MESSAGES/django.po", 0],
      ["wagtail", "wagtail/images", "wagtail/images/locale/en/LC_MESSAGES/django.po", 0],
      ["wagtail", "wagtail/users", "wagtail/users/locale/en/LC_MESSAGES/django.po", 0],
    ])("makemessages over %s: %s", { timeout: 120_000 }, (name, folder, catalogue, formatted) => {
      const root = join(PROJECTS ?? "", name, folder);
      expect(existsSync(root)).toBe(true);
      const theirs = byMakemessages(readFileSync(join(PROJECTS ?? "", name, catalogue), "utf8"));
      const found = differences(theirs, byTemplates(root, [...theirs.keys()]));
      // f-strings, which makemessages takes and Python never asks for.
      expect(found.filter(({ who, said }) => who === "xgettext" && /\{[^}]*\}/.test(said))).toHaveLength(
        formatted,
      );
      expect(found).toHaveLength(formatted);
    });
  });
