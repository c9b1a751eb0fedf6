import { findClosingQuote } from '@weir/foundation';

const quote = 0x22;
const [point, slash, nine] = [0x2e, 0x2f, 0x39];
const exponents: ReadonlySet<number> = new Set(['e', 'E'].map((letter) => letter.charCodeAt(0)));

/** A number of fewer digits, without an exponent, is held exactly. */
const exactDigits = 15;

/** Whether JSON text has a number, not in a string, that JavaScript may not hold exactly. */
export function hasLongNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigitOrPoint(code)) {
      digits += 1;
      if (digits > exactDigits) return true;
      continue;
    }
    if (digits > 0 && exponents.has(code)) return true;
    digits = 0;
    if (code !== quote) continue;
    at = findClosingQuote(text, at);
    if (at < 0) return false;
  }
  return false;
}

const isDigitOrPoint = (code: number): boolean => code >= point && code <= nine && code !== slash;
