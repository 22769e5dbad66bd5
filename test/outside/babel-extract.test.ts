/** The messages that Babel extracts from the Python and JavaScript sources of its own tests. */
import { join } from "node:path";
import { describe, test } from "vitest";
import type { CustomFunction } from "../../src/scanners/key-usage.ts";
import { PYTHON, requireTool, runText } from "../unit/support/reference-tools.ts";
import { expectShare, keyCases, projectFolder, usagesIn } from "./outside-suite.ts";

const TESTS = "tests/messages";

/** A call of Babel's extractor in one of its tests, and what it returned. */
interface Extraction {
  readonly test: string;
  readonly method: "python" | "javascript";
  readonly source: string;
  /** Names that are no functions of gettext. */
  readonly functions: readonly string[];
  /** Of each message its key, and its plural if it has one; `null` for anything but a literal. */
  readonly messages: readonly (string | null | readonly (string | null)[])[];
}

/**
 * Runs the statements of each test that prepare a source and extract its messages with Babel's `extract`, which also
 * applies the keywords, and prints them.
 */
const RECORD = `
import ast, codecs, io, json, sys
from babel.messages import extract
recorded = []
class Recorder:
    DEFAULT_KEYWORDS = extract.DEFAULT_KEYWORDS
    def extract(self, method, source, keywords=extract.DEFAULT_KEYWORDS, comment_tags=(), options=None, **rest):
        if callable(method): return []
        text = source.getvalue()
        messages = list(extract.extract(method, source, keywords, comment_tags, options, **rest))
        text = text.decode("latin-1" if b"latin-1" in text else "utf-8-sig")
        functions = [name for name in keywords if name not in extract.DEFAULT_KEYWORDS]
        recorded.append(dict(test=name, method=method, source=text, functions=functions, messages=[each[1] for each in messages]))
        return messages
    def extract_python(self, source, keywords, comment_tags, options):
        return self.extract("python", source, {name: extract.DEFAULT_KEYWORDS[name] for name in keywords}, comment_tags, options)
    def extract_javascript(self, source, keywords, comment_tags, options):
        return self.extract("javascript", source, {name: extract.DEFAULT_KEYWORDS[name] for name in keywords}, comment_tags, options)
module = ast.parse(open(sys.argv[1], encoding="utf-8").read())
names = dict(BytesIO=io.BytesIO, StringIO=io.StringIO, codecs=codecs, sys=sys, extract=Recorder(), jsx_enabled=True)
def run(statement):
    if isinstance(statement, ast.Try):
        for each in statement.body: run(each)
    elif isinstance(statement, ast.Assign) and not (isinstance(statement.targets[0], ast.Attribute)):
        # A list of other things than Babel's \`extract\` returns (\`m[2]\`) is what an assertion needs.
        code = ast.unparse(statement).replace("m[2]", "m[1]")
        exec(compile(code, sys.argv[1], "exec"), names)
for test in module.body:
    name = getattr(test, "name", "")
    for statement in test.body if isinstance(test, ast.FunctionDef) else [test]: run(statement)
print(json.dumps(recorded))
`;

describe.each(["test_extract.py", "test_extract_python.py", "test_js_extract.py"])("%s", (file) => {
  test("messages", (context) => {
    const folder = projectFolder(context, "babel", "python-babel/babel", join(TESTS, file));
    requireTool(context, "python");
    const code = `import sys; sys.path.insert(0, ${JSON.stringify(folder)})\n${RECORD}`;
    const extractions = JSON.parse(
      runText(PYTHON, ["-c", code, join(folder, TESTS, file)]),
    ) as readonly Extraction[];
    const cases = extractions.flatMap(({ test: name, method, source, functions, messages }) => {
      const expected = messages.map((message) => (Array.isArray(message) ? message[0] : message) as string);
      const options = {
        frameworks: new Set(["gettext"] as const),
        functions: functions.map((each): CustomFunction => ({ name: each, key: 0 })),
      };
      const usages = usagesIn(method === "python" ? "a.py" : "a.jsx", source, options);
      const found = usages.flatMap(({ expression, callSpan }) => {
        if (expression.kind !== "static") return [];
        // Babel cannot extract a plural that is no literal; the key is asked for all the same.
        if (/ungettext\("Babel", multi_arg/.test(source.slice(callSpan.start, callSpan.end))) return [];
        // An empty key is where completion starts; nothing is looked up for it.
        return expression.key === "" ? [] : [expression.key];
      });
      return keyCases(name, expected, found);
    });
    expectShare(`babel ${file}`, cases, 0.95);
  });
});
