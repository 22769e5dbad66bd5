/**
 * Differences between xgettext and the scanners for the samples in `test/fixtures/xgettext`, each with its reason.
 */
import type { KINDS } from "./xgettext.ts";

/** Who has it, the text as `context|text` with `|n` where it is counted, and why only they do. */
type Disagreement = readonly [who: "xgettext" | "ours", said: string, why: string];

export interface Sample {
  readonly file: string;
  readonly kind: keyof typeof KINDS;
  /** Texts that both have. */
  readonly agreed: number;
  readonly disagreements: readonly Disagreement[];
}

const SECOND_BRANCH = "xgettext reads the first text of an expression only; both branches may be asked for";
const PART = "xgettext takes the first part for the whole; the key is not known, so ours is a pattern";

export const samples: readonly Sample[] = [
  {
    file: "python.py",
    kind: "python",
    agreed: 34,
    disagreements: [
      [
        "xgettext",
        '|escapes: \t " \\ A \\u00e9 A \n',
        "xgettext leaves \\u alone where no u stands before the quotes, as in Python 2",
      ],
      ["ours", '|escapes: \t " \\ A é A \n', "what Python 3 asks for"],
      ["ours", "|in parentheses", "xgettext sees no text after a second parenthesis"],
      ["xgettext", "|dynamic", PART],
      [
        "xgettext",
        "|formatted {name}",
        "the value is put in before the function is called; ours is a pattern",
      ],
      ["ours", "|in a formatted string", "xgettext before 0.22 does not look into f-strings"],
      ["ours", "|other", SECOND_BRANCH],
      [
        "xgettext",
        "|formatted too early %s",
        "the value is put in before the function is called; ours is a pattern",
      ],
      ["xgettext", "|bytes", "bytes are no text"],
    ],
  },
  {
    file: "wordpress.php",
    kind: "wordpressPhp",
    agreed: 34,
    disagreements: [
      ["ours", "|a heredoc", "xgettext takes no heredoc that a line of arguments follows"],
      ["ours", "|in an attribute", "xgettext before 0.22 takes `#[` for a comment"],
      ["xgettext", "|of an object", "a method of that name is not WordPress's function"],
      ["xgettext", "|of a class", "a method of that name is not WordPress's function"],
      ["ours", "|other", SECOND_BRANCH],
      ["xgettext", "|dynamic ", PART],
      [
        "ours",
        "|a nowdoc\n  with spaces",
        "xgettext 0.21 knows no nowdoc of PHP 7.3, which ends with spaces before its name",
      ],
      ["ours", "|after it", "so it never finds that nowdoc's end"],
    ],
  },
  {
    file: "wordpress.js",
    kind: "wordpressJs",
    agreed: 20,
    disagreements: [
      ["ours", "|in an element", "xgettext takes the apostrophe in the element's text for a string"],
      ["ours", "|other", SECOND_BRANCH],
      ["xgettext", "|dynamic ", PART],
    ],
  },
  {
    file: "laravel.php",
    kind: "laravelPhp",
    agreed: 11,
    disagreements: [
      [
        "xgettext",
        "|messages.apples",
        "trans_choice takes one key for all counts, which xgettext's keywords cannot say",
      ],
      ["ours", "|messages.apples|n", "the same key, counted"],
      ["xgettext", "|status.", PART],
      ["ours", "|other", SECOND_BRANCH],
      ["ours", "|facade.get", "xgettext knows no receivers, so `get` cannot be a keyword"],
      ["ours", "|facade.choice|n", "as above"],
      ["ours", "|object.get", "as above"],
    ],
  },
  {
    file: "gettext.php",
    kind: "gettextPhp",
    agreed: 9,
    disagreements: [["ours", "|of a package", "`__` is a function of the packages of gettext for PHP"]],
  },
  {
    file: "gettext.js",
    kind: "gettextJs",
    agreed: 10,
    disagreements: [
      ["ours", "|nor this", "`t` is a translator in JavaScript whatever the framework (ttag, Lingui)"],
    ],
  },
];

/** Reasons that hold in real projects, each told by who has it and what the text or file looks like. */
export const REASONS: readonly {
  readonly who: "xgettext" | "ours";
  readonly fits: (said: string, path: string, source: string) => boolean;
  readonly why: string;
}[] = [
  {
    who: "ours",
    fits: (said, _, source) => {
      const head = source.slice(0, 8_192);
      return /(?:Plugin|Theme) Name:/.test(head) && new RegExp(`: *${escaped(said.slice(1))}`).test(head);
    },
    why: "a header of a plugin or theme, which WordPress translates and xgettext does not read",
  },
  {
    who: "ours",
    fits: (_, path, source) =>
      path.includes("/build/") && /\(0,\s*[\w$.]+\.(?:__|_x|_n|_nx)\)\(/.test(source),
    why: "a call as bundlers write it, `(0, i18n.__)(…)`, which xgettext does not know",
  },
  {
    who: "xgettext",
    fits: (said, _, source) => new RegExp(`f(["'])${escaped(said.slice(1))}\\1`).test(source),
    why: "an f-string: its values are put in before the function is called",
  },
  {
    who: "xgettext",
    fits: (said, _, source) => new RegExp(`["']${escaped(said.slice(1))}["']\\s*\\.\\s*\\$`).test(source),
    why: PART,
  },
  ...(["xgettext", "ours"] as const).map((who) => ({
    who,
    fits: (said: string) => said.startsWith('|The group "%s" does not exist.'),
    why: "one text is asked for plain in one file and counted in another; xgettext makes one counted entry of both",
  })),
];

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
