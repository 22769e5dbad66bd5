/** The words of the messages: one for one thing in both languages, and the typography of each. */
import { describe, expect, it } from "vitest";
import { readJson, sources } from "./tree.ts";

type Texts = Readonly<Record<string, string>>;

interface Pair {
  readonly english: string;
  readonly dutch: string;
}

const manifestTexts = readJson<Texts>("package.nls.json");
const manifestDutch = readJson<Texts>("package.nls.nl.json");
const pairs: readonly Pair[] = [
  ...Object.entries(readJson<Texts>("l10n/bundle.l10n.nl.json")).map(([english, dutch]) => ({
    english,
    dutch,
  })),
  ...Object.entries(manifestTexts).map(([name, english]) => ({ english, dutch: manifestDutch[name] ?? "" })),
];

/** Names of options, fields and files, which are not translated, and the targets of links. */
function words(text: string): string {
  return text.replaceAll(/“[^”]*”|`[^`]*`|\]\([^)]*\)|\$\([\w-]+\)|project-translations\.json/gu, "");
}

/** What the English texts call a thing, and the Dutch ones. */
const GLOSSARY: readonly (readonly [english: RegExp, dutch: RegExp])[] = [
  [/\bkeys?\b/iu, /sleutel/iu],
  [/\bplaceholders?\b/iu, /plaatshouder/iu],
  [/\buntranslated\b/iu, /onvertaald/iu],
  [/\boutdated\b/iu, /verouderd/iu],
  [/\bQA issues?\b/iu, /QA-proble/u],
  [/\bQA errors?\b/iu, /QA-fout/u],
  [/\bQA warnings?\b/iu, /QA-waarschuwing/u],
  [/\bexport formats?\b/iu, /exportindeling/iu],
  [/\blayouts?\b/iu, /padpatro/iu],
  [/\breferences?\b/iu, /verwijzing/iu],
  [/\bentr(?:y|ies)\b/iu, /vermelding/iu],
  [/\btranslation files?\b/iu, /vertaalbestand/iu],
  [/\bproject file\b/iu, /projectbestand/iu],
  [/\bsource texts?\b/iu, /brontekst/iu],
  [/\bsource language\b/iu, /brontaal/iu],
  [/\bservice\b/iu, /service/iu],
  [/\barchived?\b/iu, /archive/iu],
  [/\btokens?\b/iu, /token/iu],
  [/\bunused\b/iu, /ongebruikt/iu],
  [/\bmay be used\b/iu, /mogelijk gebruikt/iu],
  [/\blanguage models?\b/iu, /taalmodel/iu],
  [/\bsuggestions?\b/iu, /suggestie/iu],
  [/\bunsaved\b/iu, /niet[- ]opgeslagen/iu],
  [/\bread-only\b/iu, /alleen-lezen/iu],
  [/\bplural forms?\b/iu, /meervoudsvorm/iu],
  [/\btranslation editor\b/iu, /vertaaleditor/iu],
  [/\bdiagnostics\b/iu, /diagnostische gegevens/iu],
  [/\bconfigure project\b/iu, /project configureren/iu],
  [/\brefused\b/iu, /geweigerd|weigerde/iu],
];

/** What has another word, or is addressed otherwise. */
const AVOIDED: Readonly<Record<"english" | "dutch", RegExp>> = {
  english:
    /\bin the service\b|\blocal only\b|\bexport profile\b|\bdiagnosis\b|\bnot translated\b|\bplaceholder errors?\b|\bplease\b|\bsuccessfully\b|\.\.\./iu,
  dutch:
    /\bu\b|\buw\b|\bdienst\b|\bplaceholders?\b|\bniet vertaald\b|\balleen lezen\b|\bsuccesvol\b|\.\.\./iu,
};

const lastOf = (text: string): string => /[.?!:…]$/u.exec(text)?.[0] ?? "";

describe("the texts", () => {
  it.each(GLOSSARY)("say %s as %s", (english, dutch) => {
    const inEnglish = pairs.filter((pair) => english.test(words(pair.english)));
    expect(inEnglish).not.toEqual([]);
    expect(inEnglish.filter((pair) => !dutch.test(pair.dutch))).toEqual([]);
  });

  it("have one word for one thing", () => {
    expect(
      pairs.filter(
        (pair) => AVOIDED.english.test(words(pair.english)) || AVOIDED.dutch.test(words(pair.dutch)),
      ),
    ).toEqual([]);
  });

  it("have typographic quotes and apostrophes", () => {
    const isPlain = (text: string): boolean => /['"]/u.test(words(text));
    expect(pairs.filter(({ english, dutch }) => isPlain(english) || isPlain(dutch))).toEqual([]);
  });

  it("end alike in both languages", () => {
    expect(pairs.filter(({ english, dutch }) => lastOf(english) !== lastOf(dutch))).toEqual([]);
  });

  it("end in a full stop after a sentence that has one", () => {
    // A reason and what to do, to be put before a full stop.
    const isPart = (text: string): boolean => /^\p{Ll}/u.test(text);
    const isOpen = (text: string): boolean =>
      /[\p{Ll}}”)]\. \p{Lu}/u.test(text) && lastOf(text) === "" && !/[)}”]$/u.test(text) && !isPart(text);
    expect(pairs.filter(({ english, dutch }) => isOpen(english) || isOpen(dutch))).toEqual([]);
  });

  it("name no key as its file does: `projectKeyLabel` spells it as the code does", () => {
    const named = [...sources(/^src\/(operations|messages|cli|vscode|features)/u)].flatMap(([path, source]) =>
      [
        ...source.matchAll(
          /l10n\.t\((?:\s*"(?:[^"\\]|\\.)*",?)[^;]*?\b(?:name|refusal|problem|item)\.key\b/gu,
        ),
      ].map(([call]) => `${path}: ${call}`),
    );
    expect(named).toEqual([]);
  });
});
