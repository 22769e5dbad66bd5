/** What agents were told would be written: who may carry it out, and how often. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ToolPlans } from "../../../src/mcp/tool-plans.ts";
import { propertyRuns } from "../support/full-run.ts";

const tool = fc.constantFrom("add_key", "push_changes");
const input = fc.constantFrom<object>({}, { key: "a" }, { key: "b" }, { key: "a", text: "c" });
const call = fc.record({ tool, input, isAsked: fc.boolean() });

test("a plan is carried out once: by its tool, as it was asked, with its input or, by an agent, alone", () => {
  fc.assert(
    fc.property(call, fc.array(call, { minLength: 1, maxLength: 8 }), (made, calls) => {
      const plans = new ToolPlans();
      const id = plans.put({ ...made, basis: "now" });
      let isLeft = true;
      for (const each of calls) {
        const isAlone = !made.isAsked && Object.keys(each.input).length === 0;
        const isSame = JSON.stringify(each.input) === JSON.stringify(made.input);
        const isOf = each.tool === made.tool && each.isAsked === made.isAsked && (isAlone || isSame);
        if (isLeft && isOf) {
          expect(plans.take(id, each)).toEqual({ ...made, basis: "now" });
          isLeft = false;
        } else {
          expect(() => plans.take(id, each)).toThrow(
            /There is no such plan|The input is not that of the plan/u,
          );
        }
      }
    }),
    propertyRuns(100),
  );
});

test("an unknown plan is none, and of more than a hundred the oldest is forgotten", () => {
  const plans = new ToolPlans();
  const made = { tool: "add_key", input: { key: "a" }, isAsked: false } as const;
  for (const id of ["x", undefined, 1, null]) expect(() => plans.take(id, made)).toThrow("no such plan");
  const ids = Array.from({ length: 102 }, (_, number) => plans.put({ ...made, basis: `${number}` }));
  for (const id of ids.slice(0, 2)) expect(() => plans.take(id, made)).toThrow("no such plan");
  expect(ids.slice(2).map((id) => plans.take(id, made).basis)).toEqual(
    Array.from({ length: 100 }, (_, number) => `${number + 2}`),
  );
});
