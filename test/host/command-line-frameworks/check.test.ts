/** `check` finds what the window shows in an app of each framework. */
import { compareCheckWithWindow } from "../command-line/compare-check-with-window.ts";

describe("check, in an app of each framework,", compareCheckWithWindow);
