/** What agents were told would be written, until a person agrees to it. Each plan is carried out at most once. */
import { randomUUID } from "node:crypto";
import { fingerprintOf } from "../util/fingerprint.ts";
import type { ToolName } from "../agent-tools/tool-inputs.ts";

interface StoredPlan {
  readonly tool: ToolName;
  readonly input: object;
  /** As in `ToolPlan`. */
  readonly basis: string;
  /** Whether the client asks the person: then an agent cannot confirm it by a call. */
  readonly isAsked: boolean;
}

/** More plans that nobody carried out are forgotten, the oldest first. */
const MAX_PLANS = 100;

export class ToolPlans {
  readonly #plans = new Map<string, StoredPlan>();

  /** Stores a plan and returns its id. */
  put(plan: StoredPlan): string {
    const id = randomUUID();
    this.#plans.set(id, plan);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MAX_PLANS && oldest !== undefined) this.#plans.delete(oldest);
    return id;
  }

  /**
   * Removes and returns the plan that an agent names in another call of its tool, alone or with the same input, or that its
   * client asked a person about.
   * @throws {Error}
   */
  take(id: unknown, { tool, input, isAsked }: Omit<StoredPlan, "basis">): StoredPlan {
    const plan = typeof id === "string" ? this.#plans.get(id) : undefined;
    if (typeof id !== "string" || plan === undefined || plan.isAsked !== isAsked || plan.tool !== tool)
      throw new Error(`There is no such plan of ${tool}. Call the tool without a plan to make one.`);
    const isAlone = !isAsked && Object.keys(input).length === 0;
    if (!isAlone && fingerprintOf(input) !== fingerprintOf(plan.input))
      throw new Error("The input is not that of the plan. Give the plan and nothing else.");
    this.#plans.delete(id);
    return plan;
  }
}
