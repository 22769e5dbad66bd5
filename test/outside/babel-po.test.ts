/** What Babel reads in the PO files of its tests, and the pairs of format strings that its checker accepts. */
import { join } from "node:path";
import { test } from "vitest";
import { po } from "../../src/formats/gettext/po-format.ts";
import { isUnreadable, readTranslationFile } from "../../src/formats/parse-and-edit-file.ts";
import { checkPlaceholders } from "../../src/model/placeholder-checks.ts";
import { valuesOf } from "../../src/model/translation-text.ts";
import { PYTHON, requireTool, runText } from "../unit/support/reference-tools.ts";
import { expectShare, keyCases, type OutsideCase, projectFolder } from "./outside-suite.ts";

const TESTS = "tests/messages";
const FILES = ["test_pofile.py", "test_pofile_read.py", "test_pofile_write.py", "test_catalog.py"];

/** A PO file of a test, in Base64, and its messages as Babel reads them. */
interface PoFile {
  readonly test: string;
  readonly bytes: string;
  readonly messages: readonly {
    readonly id: string;
    readonly context: string | null;
    readonly texts: readonly string[];
    readonly isFuzzy: boolean;
  }[];
}

/** Reads each buffer that a test makes with Babel's own `read_po`.
 * The language and the header need data that is not in the clone. */
const READ_FILES = `
import ast, base64, io, json, re, sys
from babel.messages import pofile
found = []
for path in sys.argv[2:]:
    for test in ast.parse(open(path, encoding="utf-8").read()).body:
        for each in ast.walk(test) if isinstance(test, ast.FunctionDef) else []:
            if not (isinstance(each, ast.Assign) and re.match(r"\\w+ = (StringIO|BytesIO)\\(.", ast.unparse(each))): continue
            try: buffer = eval(compile(ast.Expression(each.value), path, "eval"), dict(StringIO=io.StringIO, BytesIO=io.BytesIO))
            except NameError: continue
            source = buffer.getvalue()
            source = source.encode("utf-8") if isinstance(source, str) else source
            source = re.sub(rb'"Language: [^"]*"\\r?\\n?', b"", source)
            try: catalog = pofile.read_po(io.BytesIO(source), abort_invalid=True)
            except (pofile.PoFileError, ValueError, LookupError): continue
            texts = lambda text: list(text) if isinstance(text, (tuple, list)) else [text]
            messages = [dict(id=texts(m.id)[0], context=m.context, texts=[text for text in texts(m.string) if text], isFuzzy=m.fuzzy) for m in catalog._messages.values()]
            found.append(dict(test=test.name, bytes=base64.b64encode(source).decode(), messages=messages))
print(json.dumps(found))
`;

function run<Result>(folder: string, code: string, files: readonly string[]): Result {
  const paths = files.map((file) => join(folder, TESTS, file));
  const start = `import sys; sys.path.insert(0, sys.argv[1])\n`;
  return JSON.parse(runText(PYTHON, ["-c", start + code, folder, ...paths])) as Result;
}

test("PO files", async (context) => {
  const folder = projectFolder(context, "babel", "python-babel/babel", join(TESTS, "test_pofile_read.py"));
  requireTool(context, "python");
  const cases: OutsideCase[] = [];
  for (const { test: name, bytes, messages } of run<PoFile[]>(folder, READ_FILES, FILES)) {
    const read = await readTranslationFile(po, Buffer.from(bytes, "base64"), {
      locale: "nl",
      sourceLocale: "en",
    });
    const entries = isUnreadable(read) ? [] : read.entries;
    const written = (id: string, from: string | null, texts: readonly string[], isFuzzy: boolean): string =>
      JSON.stringify([from, id, [...texts].sort(), isFuzzy]);
    cases.push(
      ...keyCases(
        name,
        messages.map((each) => written(each.id, each.context, each.texts, each.isFuzzy)),
        entries.map(({ key, context: from, text, isFuzzy = false }) =>
          written(
            key,
            from,
            valuesOf(text).filter((value) => value !== ""),
            isFuzzy,
          ),
        ),
      ),
    );
  }
  expectShare("babel read_po", cases, 0.95);
});

/** Reads the parameters of the tests of the checker. */
const READ_PAIRS = `
import ast, json
found = []
for test in ast.parse(open(sys.argv[2], encoding="utf-8").read()).body:
    if not (isinstance(test, ast.FunctionDef) and "validate_format" in test.name): continue
    for pair in ast.literal_eval(test.decorator_list[0].args[1]):
        found.append([test.name.endswith("_valid"), pair[0], pair[1]])
print(json.dumps(found))
`;

test("pairs of Python's format strings", (context) => {
  const folder = projectFolder(context, "babel", "python-babel/babel", join(TESTS, "test_checkers.py"));
  requireTool(context, "python");
  const pairs = run<[isValid: boolean, source: string, translation: string][]>(folder, READ_PAIRS, [
    "test_checkers.py",
  ]);
  const cases = pairs
    // Babel accepts whatever stands where the source has no placeholder, and a missing name; msgfmt does not.
    .filter(([, source, translation]) => source !== "foo" || !translation.includes("%"))
    .filter(([, source, translation]) => source !== "%(foo)s" || translation !== "foo")
    // Of an invalid source text msgfmt says nothing, and it has no `%F`.
    .filter(([, source, translation]) => source !== "%s %(foo)s" && translation !== "%F")
    .map(([isValid, source, translation]): OutsideCase => {
      const issues = checkPlaceholders(["python-format"], { value: source }, { value: translation }, "nl");
      return {
        name: `${isValid ? "valid" : "invalid"}: ${source} / ${translation}`,
        isRight: (issues.length === 0) === isValid,
      };
    });
  expectShare("babel checkers", cases, 0.98);
});
