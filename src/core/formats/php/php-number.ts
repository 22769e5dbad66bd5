/** PHP's number literals, and the text that PHP makes of one. Reads no expressions. */

/** A number at a place in the text. */
export interface PhpNumber {
  /** As `(string)` gives it. */
  readonly text: string;
  readonly end: number;
}

const NUMBER =
  /-?(?:0[xX]([0-9A-Fa-f_]+)|0[bB]([01_]+)|0[oO]?([0-7][0-7_]*)|([0-9][0-9_]*\.[0-9]+|[0-9][0-9_]*\.(?![.\d])|\.[0-9]+)|(0|[1-9][0-9_]*))(?![\w.\u0080-\uffff])/y;

/** PHP_INT_MAX of all but 32-bit systems; a larger literal is a float. */
const LARGEST = 2n ** 63n - 1n;

/** No literal that people write is longer. */
const LONGEST = 64;

/**
 * The number at `offset`. `null` when none stands there, or when its text depends on PHP's settings (a float with
 * more digits than `precision` has, or one that is written with an exponent).
 */
export function numberAt(text: string, offset: number): PhpNumber | null {
  NUMBER.lastIndex = 0;
  const [literal = "", hex, binary, octal, float, whole] =
    NUMBER.exec(text.slice(offset, offset + LONGEST)) ?? [];
  if (literal === "" || literal.length >= LONGEST - 1 || /_(?![0-9A-Fa-f])/.test(literal)) return null;
  const sign = literal.startsWith("-") ? "-" : "";
  const end = offset + literal.length;
  if (float !== undefined) {
    const said = floatText(float.replaceAll("_", ""));
    return said === null || (sign !== "" && said === "0") ? null : { text: sign + said, end };
  }
  const digits = (hex ?? binary ?? octal ?? whole ?? "").replaceAll("_", "");
  if (digits === "") return null;
  const prefix = hex !== undefined ? "0x" : binary !== undefined ? "0b" : octal !== undefined ? "0o" : "";
  const value = BigInt(prefix + digits);
  if (value > LARGEST) return null;
  return { text: value === 0n ? "0" : sign + value.toString(), end };
}

/** A float as `%.14G` prints it. */
function floatText(digits: string): string | null {
  const value = Number(digits);
  if (digits.length > 15 || (value !== 0 && value < 1e-4)) return null;
  return String(value);
}
