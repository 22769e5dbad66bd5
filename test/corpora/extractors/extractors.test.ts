/**
 * The scanners against the frameworks' own extractors over whole projects: xgettext, and what Django's makemessages and
 * wp-cli wrote (README.md).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { REASONS } from "../../unit/scanners/extractors/disagreements.ts";
import { byOurs, byXgettext, differences, KINDS } from "../../unit/scanners/extractors/xgettext.ts";
import { requireTool } from "../../unit/support/reference-tools.ts";
import { FOLDER, needsProject } from "../folder.ts";
import { byMakemessages, byTemplates } from "./makemessages.ts";
import { extracted } from "./projects.ts";
import { byPlugin, textsOf } from "./wp-cli.ts";

describe("whole projects", () => {
  for (const { name, repository, commit, folder, kind, ending, except, texts } of extracted) {
    test(`xgettext over ${name}: ${ending}`, (context) => {
      requireTool(context, "gettext");
      needsProject(context, name, repository, commit, ".git");
      const root = join(FOLDER, name, folder);
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

  test("wp-cli over pmpro: matches its committed catalogue", (context) => {
    needsExtracted(context, "pmpro");
    const root = join(FOLDER, "pmpro");
    const theirs = textsOf(readFileSync(join(root, "languages/paid-memberships-pro.pot"), "utf8"));
    const ours = byPlugin(root, "paid-memberships-pro.php", /^(?:node_modules|languages)\/|min\.js$/);
    expect([...theirs].filter((said) => !ours.has(said))).toEqual([]);
    expect([...ours].filter((said) => !theirs.has(said))).toEqual([]);
    expect(theirs.size).toBe(2_997);
  });

  test.for([
    ["paperless-ngx", "src", "src/locale/en_US/LC_MESSAGES/django.po", 4],
    ["wagtail", "wagtail/admin", "wagtail/admin/locale/en/LC_MESSAGES/django.po", 0],
    ["wagtail", "wagtail/images", "wagtail/images/locale/en/LC_MESSAGES/django.po", 0],
    ["wagtail", "wagtail/users", "wagtail/users/locale/en/LC_MESSAGES/django.po", 0],
  ] as const)("makemessages over %s: %s", ([name, folder, catalogue, formatted], context) => {
    needsExtracted(context, name);
    const theirs = byMakemessages(readFileSync(join(FOLDER, name, catalogue), "utf8"));
    const found = differences(theirs, byTemplates(join(FOLDER, name, folder), [...theirs.keys()]));
    // f-strings, which makemessages takes and Python never asks for.
    expect(found.filter(({ who, said }) => who === "xgettext" && /\{[^}]*\}/.test(said))).toHaveLength(
      formatted,
    );
    expect(found).toHaveLength(formatted);
  });
});

function needsExtracted(context: TestContext, name: string): void {
  const { repository = "", commit = "" } = extracted.find((each) => each.name === name) ?? {};
  needsProject(context, name, repository, commit, ".git");
}
