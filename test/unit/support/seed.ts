/**
 * Property tests draw the same cases in every run, so that a failure is the change's own and can be had again.
 * `PROPERTY_SEED=random` (or a number) draws others, to go looking for what nobody thought of.
 */
import { configureGlobal } from "fast-check";

const asked = process.env["PROPERTY_SEED"];
if (asked !== "random") configureGlobal({ seed: Number(asked ?? 20_261_121) });
