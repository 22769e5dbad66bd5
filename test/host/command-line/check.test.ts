/**
 * `check` finds what the window shows: in the fixtures with a project file at once, or in another folder
 * (`npm run test:host -- command-line --workspace FOLDER`).
 */
import { compareCheckWithWindow } from "./compare-check-with-window.ts";

describe("check", compareCheckWithWindow);
