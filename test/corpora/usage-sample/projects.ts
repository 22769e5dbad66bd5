/**
 * The real projects whose uses are sampled: where each comes from, at which commit, and what its project file would
 * say. They are fetched, never committed; `README.md` says how.
 */
import type { CustomFunction } from "../../../src/scanners/key-usage.ts";

/** One project. */
export interface SampledProject {
  /** The name of its sample (`NAME.json`) and of its folder. */
  readonly name: string;
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
  /** What the project is taken for: one with each of the big conventions. */
  readonly stands: string;
  /** The folder of the app within the repository, empty for its root. */
  readonly root: string;
  /** Functions of the project's own, which its project file would name. */
  readonly functions: readonly CustomFunction[];
  /** Globs that its project file would leave out: built files that are committed. */
  readonly exclude: readonly string[];
}

export const projects: readonly SampledProject[] = [
  {
    name: "bookstack",
    repository: "BookStackApp/BookStack",
    commit: "6f1c54d018f7d55301eb4c31055b04769f5924d7",
    stands: "Laravel with Blade",
    root: "",
    functions: [],
    exclude: ["public/dist/", "public/libs/"],
  },
  {
    name: "hoppscotch",
    repository: "hoppscotch/hoppscotch",
    commit: "afc2cf181c16e56647b099e5d18cfe55710c6cdd",
    stands: "Vue with vue-i18n",
    root: "",
    functions: [],
    exclude: [],
  },
  {
    name: "outline",
    repository: "outline/outline",
    commit: "d77dcdf853868c5d5fe125c895c9b71f0eff5c68",
    stands: "React with react-i18next",
    root: "",
    functions: [],
    exclude: [],
  },
  {
    name: "focalboard",
    repository: "mattermost/focalboard",
    commit: "de5e5cc4141f14f69bf0e5666383997b81f851d6",
    stands: "React with FormatJS",
    root: "webapp",
    functions: [],
    exclude: [],
  },
  {
    name: "pmpro",
    repository: "strangerstudios/paid-memberships-pro",
    commit: "a36d010b6cacbaf4acc14a93239af0f4d37ee844",
    stands: "a WordPress plugin",
    root: "",
    functions: [],
    exclude: [],
  },
  {
    name: "nodejs.org",
    repository: "nodejs/nodejs.org",
    commit: "6f94c8a6ab643beeee7038eba3fb521207d4b345",
    stands: "Next.js with next-intl",
    root: "",
    functions: [],
    exclude: [],
  },
];
