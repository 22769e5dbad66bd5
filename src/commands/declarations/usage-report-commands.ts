/** Commands about the calls that a usage report shows first. */
import * as v from "valibot";
import { defineCommand } from "../define-command.ts";
import { listOf, option, requiredOption } from "../option-schemas.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const call = {
  path: option(text, "The file with the call, relative to the project’s root; default: in every file."),
  key: requiredOption(text, "The expression of the key, as in the code: `$status`."),
};

export const limitCallCommand = defineCommand({
  id: "limitCall",
  title: "Only Keys That Begin with",
  needs: "project",
  inRowMenus: true,
  description: "Writes to `usage.calls` of the project file which keys a call may mean.",
  options: {
    ...call,
    only: option(listOf(text), "Patterns of the keys (`status.*`); default: asks for their beginning."),
  },
});

export const ignoreCallCommand = defineCommand({
  id: "ignoreCall",
  title: "Ignore in This Report",
  needs: "project",
  inRowMenus: true,
  description: "Writes to `usage.calls` of the project file that the usage report ignores a call.",
  options: call,
});
