/** A Dutch PO file for several tests. */
import type { ReadOptions } from "../../../../src/formats/format.ts";

export const DUTCH: ReadOptions = { locale: "nl", sourceLocale: "en" };
export const POLISH: ReadOptions = { locale: "pl", sourceLocale: "en" };

export const HEADER = `msgid ""
msgstr ""
"Language: nl\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;

export const FILE = `# Dutch translation.
#
${HEADER}
#. Title of the page
#: a.php:1 b.php:2
msgid "Title"
msgstr "Titel"

#, fuzzy, c-format
#| msgid "%d file"
#| msgid_plural "%d file(s)"
msgctxt "menu"
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d bestand"
msgstr[1] "%d bestanden"

msgid "Open"
msgstr ""

#~ msgid "Old"
#~ msgstr "Oud"
`;
