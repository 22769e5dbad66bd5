/**
 * Files of public projects in which undoing a change does not restore the bytes, and why. Differences of a known kind
 * (`ASIDES` of round-trip.ts) are not listed.
 */
import type { Known } from "../unit/formats/round-trip-suite.ts";

export const KNOWN: readonly Known[] = [
  {
    path: "tests/data/Reader/XLSX/issue2109b.xlsx",
    steps: ["back"],
    why: "A cell of the header's own column is a number with a style for dates; it comes back as the text that was shown.",
  },
  {
    path: "locales/pl-pl/errors/role.ts",
    steps: ["back"],
    why: "A byte-order mark stands unseen in the text; written anew it is an escape, for people to see it.",
  },
  {
    path: "locales/pt-br/translation/admin-console/webhooks.ts",
    steps: ["back"],
    why: "Some texts of the file write letters as escapes and others as they are; a text in place of one tells no more.",
  },
  {
    path: "carbon/src/Carbon/Lang/en.php",
    steps: ["back"],
    why: "A bare number that was made words comes back as words.",
  },
  {
    path: "Intl/Tests/Data/Bundle/Writer/Fixtures/en.php",
    steps: ["back"],
    why: "A bare number that was made words comes back as words.",
  },
  {
    path: "Tests/Fixtures/empty-translation.mo",
    steps: ["back", "remove"],
    why: "A text that is empty in a compiled file is not compiled anew; msgfmt leaves it out.",
  },
  {
    path: "test-intl/xx/LC_MESSAGES/refs.po",
    steps: ["back"],
    why: "The only text that repeats its msgid, in a file that leaves such texts empty.",
  },
];
