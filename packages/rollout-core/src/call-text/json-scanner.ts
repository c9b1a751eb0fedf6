import { isSpace } from './space';

/** Maximum nesting of arrays and objects. */
const maxDepth = 64;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

type Expectation = 'value' | 'first-value' | 'first-key' | 'key' | 'colon' | 'more';
type NumberState = 'sign' | 'zero' | 'digits' | 'point' | 'fraction' | 'e' | 'e-sign' | 'exponent';

/**
 * Scans one JSON value that arrives in pieces, strictly by RFC 8259, and finds its end. It builds no value: the text
 * itself is used.
 */
export class JsonScanner {
  /** `whole` once the value has ended. A top-level number ends only at the next character. */
  status: 'open' | 'whole' | 'bad' = 'open';

  private readonly nesting: ('object' | 'array')[] = [];
  private expected: Expectation = 'value';
  private inside: 'string' | 'number' | 'word' | undefined;
  private isKey = false;
  private escaped = 0;
  private numberState: NumberState = 'sign';
  private word = '';

  /** Reads from `from` up to `to`; returns the position after the last character of the value. */
  feed(text: string, from: number, to: number = text.length): number {
    let at = from;
    while (at < to && this.status === 'open') {
      if (this.inside === 'string') at = this.readString(text, at, to);
      else if (this.inside === 'word') at = this.readWord(text, at);
      else if (this.inside === 'number') at = this.readNumber(text, at, to);
      else at = this.readMark(text.charCodeAt(at), at);
    }
    return at;
  }

  private readMark(code: number, at: number): number {
    if (isSpace(code)) return at + 1;
    if (this.expected === 'colon') return this.expect(code === colon, 'value', at);
    if (this.expected === 'more' && code === comma) {
      this.expected = this.nesting.at(-1) === 'object' ? 'key' : 'value';
      return at + 1;
    }
    if (code === 0x7d) return this.close('object', at);
    if (code === 0x5d) return this.close('array', at);
    if (this.expected === 'key' || this.expected === 'first-key') {
      this.isKey = true;
      this.inside = code === quote ? 'string' : undefined;
      return this.expect(code === quote, 'colon', at);
    }
    if (this.expected === 'more') return this.fail(at);
    return this.openValue(code, at);
  }

  private openValue(code: number, at: number): number {
    if (code === quote) {
      this.isKey = false;
      this.inside = 'string';
      return at + 1;
    }
    if (code === 0x7b) return this.nest('object', 'first-key', at);
    if (code === 0x5b) return this.nest('array', 'first-value', at);
    if (code === 0x2d || isDigit(code)) {
      this.inside = 'number';
      this.numberState = code === 0x2d ? 'sign' : code === 0x30 ? 'zero' : 'digits';
      return at + 1;
    }
    this.word = code === 0x74 ? 'rue' : code === 0x66 ? 'alse' : code === 0x6e ? 'ull' : '';
    if (this.word === '') return this.fail(at);
    this.inside = 'word';
    return at + 1;
  }

  private nest(kind: 'object' | 'array', place: Expectation, at: number): number {
    if (this.nesting.length === maxDepth) return this.fail(at);
    this.nesting.push(kind);
    this.expected = place;
    return at + 1;
  }

  private close(kind: 'object' | 'array', at: number): number {
    const first = kind === 'object' ? 'first-key' : 'first-value';
    if (this.nesting.at(-1) !== kind || (this.expected !== 'more' && this.expected !== first)) return this.fail(at);
    this.nesting.pop();
    this.valueEnded();
    return at + 1;
  }

  private readString(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (this.escaped > 0) {
        if (!this.readEscape(code)) return this.fail(at);
      } else if (code === quote) {
        this.inside = undefined;
        if (!this.isKey) this.valueEnded();
        return at + 1;
      } else if (code === backslash) {
        this.escaped = 5;
      } else if (code < 0x20) {
        return this.fail(at);
      }
    }
    return to;
  }

  /** `escaped` is 5 after the backslash, then the number of missing hexadecimal digits. */
  private readEscape(code: number): boolean {
    if (this.escaped < 5) {
      this.escaped--;
      return isHexDigit(code);
    }
    this.escaped = code === 0x75 ? 4 : 0;
    return code === 0x75 || '"\\/bfnrt'.includes(String.fromCharCode(code));
  }

  private readWord(text: string, at: number): number {
    if (text.charCodeAt(at) !== this.word.charCodeAt(0)) return this.fail(at);
    this.word = this.word.slice(1);
    if (this.word === '') {
      this.inside = undefined;
      this.valueEnded();
    }
    return at + 1;
  }

  private readNumber(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const next = afterDigitOrSign(this.numberState, text.charCodeAt(at));
      if (next === undefined) {
        this.inside = undefined;
        if (!canEnd(this.numberState)) return this.fail(at);
        this.valueEnded();
        return at;
      }
      this.numberState = next;
    }
    return to;
  }

  /** Whether the value is complete if the text ends here, which matters for a top-level number. */
  endsHere(): boolean {
    return (
      this.status === 'whole' || (this.nesting.length === 0 && this.inside === 'number' && canEnd(this.numberState))
    );
  }

  private valueEnded(): void {
    this.expected = 'more';
    if (this.nesting.length === 0) this.status = 'whole';
  }

  private expect(isThere: boolean, next: Expectation, at: number): number {
    if (!isThere) return this.fail(at);
    this.expected = next;
    return at + 1;
  }

  private fail(at: number): number {
    this.status = 'bad';
    return at;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

function canEnd(place: NumberState): boolean {
  return place === 'zero' || place === 'digits' || place === 'fraction' || place === 'exponent';
}

function afterDigitOrSign(place: NumberState, code: number): NumberState | undefined {
  if (isDigit(code)) return afterDigit(place, code);
  const isWhole = place === 'zero' || place === 'digits';
  if (code === 0x2e) return isWhole ? 'point' : undefined;
  if (code === 0x65 || code === 0x45) return isWhole || place === 'fraction' ? 'e' : undefined;
  if (code === 0x2b || code === 0x2d) return place === 'e' ? 'e-sign' : undefined;
  return undefined;
}

function afterDigit(place: NumberState, code: number): NumberState | undefined {
  switch (place) {
    case 'sign':
      return code === 0x30 ? 'zero' : 'digits';
    case 'zero':
      return undefined;
    case 'digits':
      return 'digits';
    case 'point':
    case 'fraction':
      return 'fraction';
    case 'e':
    case 'e-sign':
    case 'exponent':
      return 'exponent';
  }
}
