/** XLIFF files as tools write them, and helpers that read and edit them. */
import { applyEdit, type TextEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, ReadOptions } from "../../../../src/formats/format.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";

export const DUTCH: ReadOptions = { locale: "nl", sourceLocale: "en" };

/** As Symfony and Weblate leave them. */
export const SYMFONY = `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file source-language="en" target-language="nl" datatype="plaintext" original="messages.en.xlf">
    <body>
      <trans-unit id="N7mikjJ" resname="cart.title" xml:space="preserve">
        <source>Cart</source>
        <target state="final">Mandje</target>
      </trans-unit>
      <!-- What the button says. -->
      <trans-unit id="inmIkP6" resname="cart.pay">
        <source>Pay &amp; go</source>
        <target state="needs-translation">Pay &amp; go</target>
        <note>The green button</note>
      </trans-unit>
      <trans-unit id="k5Apjz_" resname="user.name">
        <source>Name</source>
      </trans-unit>
      <trans-unit id=".3dyBTq" resname="user.mail" approved="yes">
        <source>Mail</source>
        <target/>
      </trans-unit>
    </body>
  </file>
</xliff>
`;

/** As Angular's own extraction leaves them, with translations. */
export const ANGULAR = `<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" datatype="plaintext" original="ng2.template" target-language="nl">
    <body>
      <trans-unit id="8186013988289067040" datatype="html">
        <source>Hello <x id="INTERPOLATION" equiv-text="{{ name }}"/>!</source>
        <target>Hallo <x id="INTERPOLATION" equiv-text="{{ name }}"/>!</target>
        <context-group purpose="location">
          <context context-type="sourcefile">app.html</context>
          <context context-type="linenumber">3</context>
        </context-group>
        <note priority="1" from="description">A greeting</note>
        <note priority="1" from="meaning">site header</note>
      </trans-unit>
      <trans-unit id="2" datatype="html">
        <source><x id="START_BOLD_TEXT" ctype="x-b" equiv-text="&lt;b&gt;"/>Bold<x id="CLOSE_BOLD_TEXT" ctype="x-b" equiv-text="&lt;/b&gt;"/> &lt;i&gt;</source>
      </trans-unit>
    </body>
  </file>
</xliff>
`;

export const TWO = `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="nl">
  <file id="ngi18n" original="ng.template">
    <unit id="u1" name="cart.title">
      <notes>
        <note category="location">app.html:3</note>
        <note category="description">The page's title</note>
      </notes>
      <originalData>
        <data id="d1">{{ count }}</data>
      </originalData>
      <segment state="initial">
        <source>Cart (<ph id="0" equiv="COUNT" dataRef="d1"/>)</source>
        <target>Cart (<ph id="0" equiv="COUNT" dataRef="d1"/>)</target>
      </segment>
    </unit>
    <group id="g1">
      <unit id="u2">
        <segment id="s1">
          <source>One. </source>
          <target>Een. </target>
        </segment>
        <ignorable>
          <source> </source>
        </ignorable>
        <segment id="s2">
          <source>Two.</source>
          <target>Twee.</target>
        </segment>
      </unit>
      <unit id="u3">
        <segment>
          <source>Three</source>
        </segment>
      </unit>
    </group>
  </file>
</xliff>
`;

export const FORMATS = [xliff12, xliff20] as const;

/** Key to text, in the file's order. */
export function texts(file: string, options: ReadOptions = DUTCH): [string, string][] {
  return xliff12
    .read(file, options)
    .entries.map(({ key, text }) => [key, "value" in text ? text.value : JSON.stringify(text.forms)]);
}

/** A change of a key in the file's first namespace. */
export function change(
  file: string,
  key: string,
  said: string | null,
  more: Partial<Change> = {},
  options: ReadOptions = DUTCH,
): TextEdit {
  const namespace = xliff12.read(file, options).entries[0]?.namespace ?? null;
  const text = said === null ? null : { value: said };
  return applyEdit(xliff12, file, [{ key, context: null, namespace, text, ...more }], options);
}

/** The same, of which nothing is refused. */
export function changed(...asked: Parameters<typeof change>): string {
  const applied = change(...asked);
  if (applied.refused.length > 0) throw new Error(`refused: ${JSON.stringify(applied.refused)}`);
  return applied.text;
}

/** Why the change is refused. */
export function refusal(...asked: Parameters<typeof change>): string | undefined {
  return change(...asked).refused[0]?.reason;
}

/** A document of 1.2 with these units for each `original`. */
export function documentOf(
  files: Readonly<Record<string, string>>,
  target = ' target-language="nl"',
): string {
  const bodies = Object.entries(files).map(
    ([name, units]) =>
      `<file original="${name}" source-language="en"${target}>\n<body>\n${units}</body>\n</file>\n`,
  );
  return `<xliff version="1.2">\n${bodies.join("")}</xliff>\n`;
}

export const unitOf = (key: string, content = `<source>${key}</source><target>${key}</target>`): string =>
  `  <trans-unit id="${key}">${content}</trans-unit>\n`;
