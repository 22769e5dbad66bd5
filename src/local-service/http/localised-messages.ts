/** Messages of the service in Dutch and English (§ General conventions 2). */
import { parseAccept } from "hono/utils/accept";

export type MessageLanguage = "nl" | "en";

const MESSAGES = {
  unauthorized: ["Geen geldig token.", "No valid token."],
  forbidden_scope: ["Dit token mag alleen lezen.", "This token can only read."],
  forbidden_archived: ["Het project is gearchiveerd.", "The project is archived."],
  not_found: ["Niet gevonden.", "Not found."],
  rate_limited: [
    "Te veel verzoeken. Probeer het over {seconds} seconden opnieuw.",
    "Too many requests. Try again in {seconds} seconds.",
  ],
  busy: [
    "Een ander proces schrijft op dit moment. Probeer het zo opnieuw.",
    "Another writer is at work. Try again in a moment.",
  ],
  source_language_change: [
    "De brontaal van het project wordt gewijzigd. Probeer het zo opnieuw.",
    "The source language of the project is being changed. Try again in a moment.",
  ],
  invalid: ["De gegevens zijn ongeldig.", "The given data was invalid."],
  bad_request: ["Het verzoek is geen geldig HTTP.", "The request is not valid HTTP."],
  headers_too_large: ["De kopregels zijn te groot.", "The headers are too large."],
  request_timeout: ["Het verzoek kwam niet op tijd binnen.", "The request did not arrive in time."],
  unknown_expectation: [
    "Aan de kopregel Expect kan niet worden voldaan.",
    "What the header Expect asks for is not supported.",
  ],
  internal: ["Er ging iets mis in de service.", "Something went wrong in the service."],
  key_limit_reached: [
    "De limiet van {limit} actieve sleutels is bereikt: {used} in gebruik, {requested} gevraagd.",
    "The limit of {limit} active keys is reached: {used} in use, {requested} requested.",
  ],

  required: ["{field} is verplicht.", "{field} is required."],
  not_json: ["De inhoud is geen geldige JSON.", "The body is not valid JSON."],
  not_multipart: [
    "De inhoud is geen geldige multipart/form-data.",
    "The body is not valid multipart/form-data.",
  ],
  body_too_large: ["De inhoud is te groot.", "The body is too large."],
  must_be_object: ["{field} moet een object zijn.", "{field} must be an object."],
  must_be_list: ["{field} moet een lijst zijn.", "{field} must be a list."],
  must_be_string: ["{field} moet tekst zijn.", "{field} must be a string."],
  must_be_integer: ["{field} moet een geheel getal zijn.", "{field} must be an integer."],
  must_be_between: ["{field} moet tussen {min} en {max} liggen.", "{field} must be between {min} and {max}."],
  must_be_at_least: ["{field} moet minstens {min} zijn.", "{field} must be at least {min}."],
  must_be_at_most: ["{field} mag hoogstens {max} zijn.", "{field} must be at most {max}."],
  must_be_one_of: ["{field} moet een van {values} zijn.", "{field} must be one of {values}."],
  must_be_hash: [
    "{field} moet uit 40 kleine hexadecimale tekens bestaan.",
    "{field} must be 40 lowercase hexadecimal characters.",
  ],
  must_be_date: ["{field} moet een tijdstip in ISO 8601 zijn.", "{field} must be an ISO 8601 time."],
  must_not_be_empty: ["{field} mag niet leeg zijn.", "{field} must not be empty."],
  too_long: ["{field} mag hoogstens {max} tekens hebben.", "{field} may have at most {max} characters."],
  too_many: ["{field} mag hoogstens {max} onderdelen hebben.", "{field} may have at most {max} items."],
  not_valid: ["{field} is ongeldig.", "{field} is not valid."],
  value_and_forms: ["Geef of value of forms, niet allebei.", "Give either value or forms, not both."],
  value_or_forms: ["Geef value of forms.", "Give value or forms."],
  name_or_hash: ["Geef hash of key.", "Give hash or key."],
  cursor_unreadable: ["De cursor kan niet worden gelezen.", "The cursor cannot be read."],
  locale_unknown: [
    "De taal {locale} hoort niet bij het project.",
    "The project does not have the language {locale}.",
  ],
  locale_is_source: [
    "De brontaal {locale} kan hier niet worden geschreven.",
    "The source language {locale} cannot be written here.",
  ],

  file_too_large: [
    "{name}: de bestanden zijn samen groter dan {megabytes} MB.",
    "{name}: the files are larger than {megabytes} MB in total.",
  ],
  file_empty: ["{name}: het bestand is leeg.", "{name}: the file is empty."],
  file_type: [
    "{name}: dit soort bestand wordt niet ondersteund.",
    "{name}: this kind of file is not supported.",
  ],
  file_contents: [
    "{name}: de inhoud past niet bij de extensie.",
    "{name}: the contents do not match the extension.",
  ],
  file_unreadable: ["{name}: het bestand is niet leesbaar.", "{name}: the file cannot be read."],
  file_unreadable_at: [
    "{name}, regel {line}, kolom {column}: het bestand is vanaf hier niet leesbaar.",
    "{name}, line {line}, column {column}: the file cannot be read from here on.",
  ],
  file_encoding: [
    "{name}, regel {line}, kolom {column}: dit is geen tekst in UTF-8.",
    "{name}, line {line}, column {column}: this is not UTF-8 text.",
  ],
  file_archive: ["{name}: het archief is niet veilig.", "{name}: the archive is not safe."],

  job_too_many_lines: [
    "De bestanden hebben {lines} regels; hoogstens {max} zijn toegestaan.",
    "The files have {lines} lines; at most {max} are allowed.",
  ],
  job_key_limit_reached: [
    "De nieuwe sleutels passen niet binnen de limiet van {limit}: {used} in gebruik, {requested} nieuw.",
    "The new keys exceed the limit of {limit}: {used} in use, {requested} new.",
  ],
  job_needs_mapping: [
    "{name}: voor deze kolommen is geen toewijzing bewaard.",
    "{name}: no column mapping is saved for these columns.",
  ],
  job_keys_only_mixed: [
    "{name}: een spreadsheet zonder taalkolom kan niet samen met vertaalbestanden worden geïmporteerd.",
    "{name}: a spreadsheet without a language column cannot be imported together with translation files.",
  ],
  job_zip_slip: [
    "{name}: het archief heeft een onveilig pad: {path}.",
    "{name}: the archive has an unsafe path: {path}.",
  ],
  job_unknown_format: ["{name}: het formaat is niet herkend.", "{name}: the format was not recognised."],
  job_unknown_locale: [
    "{name}: de taal {locale} is niet herkend of hoort niet bij het project.",
    "{name}: the language {locale} was not recognised or is not a language of the project.",
  ],
  job_unreadable_file: [
    "{name}: het bestand is niet leesbaar: {detail}",
    "{name}: the file cannot be read: {detail}",
  ],
  job_internal_error: ["Er ging iets mis in de service.", "Something went wrong in the service."],
} as const satisfies Record<string, readonly [nl: string, en: string]>;

export type MessageCode = keyof typeof MESSAGES;
export type MessageValues = Readonly<Record<string, string | number>>;

/** A message to be localised. */
export interface Message {
  readonly code: MessageCode;
  readonly values?: MessageValues;
}

/** Returns the message in a language. */
export function messageText(messageLanguage: MessageLanguage, message: Message): string {
  const text = MESSAGES[message.code][messageLanguage === "nl" ? 0 : 1];
  const values = message.values ?? {};
  return text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => String(values[name] ?? whole));
}

/** Returns whether a string is a message code. */
export function isMessageCode(code: string): code is MessageCode {
  return Object.hasOwn(MESSAGES, code);
}

/** Returns `nl` or `en` by the weights of `Accept-Language`; `nl` by default. */
export function messageLanguageOf(header: string | undefined): MessageLanguage {
  const accepted = parseAccept(header ?? "").find(({ type, q }) => q > 0 && /^(?:nl|en)(?:-|$)/iu.test(type));
  return accepted?.type.toLowerCase().startsWith("en") === true ? "en" : "nl";
}
