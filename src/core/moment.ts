/**
 * Times as services write them (`2026-01-02T03:04:05.006Z`: UTC, to the second or to some digits of it) as numbers that
 * come back in the same words. Other times are no moments; that these are told from here is the caller's.
 */

/** A time since the epoch, in units of its last digit. */
export interface Moment {
  readonly time: number;
  /** How many digits of a second: 0 to 6. */
  readonly digits: number;
}

const DAY = 86_400;
const MINUTE = 60;
const HOUR = 3600;
/** Where the day ends, and the time to the second. */
const DAY_END = "2026-01-02".length;
const SECOND_END = "2026-01-02T03:04:05".length;
const MOST_DIGITS = 6;

/** Numbers from 0 to 59 in two digits. */
const TWO = Array.from({ length: MINUTE }, (_, number) => String(number).padStart(2, "0"));

/** Many times are of one day: it is told once. `start`: in seconds since the epoch. */
let day = { words: "1970-01-01", start: 0 };

/** `null`: words that would not come back as they are. */
export function momentOf(words: string): Moment | null {
  const digits = words.length === SECOND_END + 1 ? 0 : words.length - SECOND_END - 2;
  if (digits < 0 || digits > MOST_DIGITS) return null;
  if (!words.startsWith(day.words)) {
    const start = Date.parse(`${words.slice(0, DAY_END)}T00:00:00Z`) / 1000;
    if (Number.isNaN(start)) return null;
    day = dayFrom(start);
  }
  const inDay = Number(words.slice(11, 13)) * HOUR + Number(words.slice(14, 16)) * MINUTE;
  const seconds = day.start + inDay + Number(words.slice(17, 19));
  const fraction = digits === 0 ? 0 : Number(words.slice(SECOND_END + 1, -1));
  const moment = { time: seconds * 10 ** digits + fraction, digits };
  // No calendar has a 30th of February and no clock 24:00, but a text may.
  return Number.isSafeInteger(moment.time) && wordsOf(moment) === words ? moment : null;
}

export function wordsOf({ time, digits }: Moment): string {
  const unit = 10 ** digits;
  const seconds = Math.floor(time / unit);
  const start = Math.floor(seconds / DAY) * DAY;
  if (start !== day.start) day = dayFrom(start);
  const inDay = seconds - start;
  const words = `${day.words}T${TWO[Math.floor(inDay / HOUR)]}:${TWO[Math.floor(inDay / MINUTE) % MINUTE]}:${TWO[inDay % MINUTE]}`;
  return digits === 0 ? `${words}Z` : `${words}.${String(time - seconds * unit).padStart(digits, "0")}Z`;
}

function dayFrom(start: number): typeof day {
  return { words: new Date(start * 1000).toISOString().slice(0, DAY_END), start };
}
