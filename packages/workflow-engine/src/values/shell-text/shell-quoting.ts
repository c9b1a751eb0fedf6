import { isArithmetic, readExpansion, readHereDelimiter } from './shell-constructs';

/**
 * How the shell reads a position of its code. `open`: as words. `double`: in double quotes, or in a here-document with
 * expansion. `single` and `ansi`: in `'…'` and `$'…'`. `document`: in a here-document without expansion.
 * `arithmetic`: as a number expression.
 */
export type Quoting = 'open' | 'double' | 'single' | 'ansi' | 'document' | 'arithmetic';

/** A here-document without expansion, by offsets into the code. */
export interface LiteralHereDocument {
  /** The delimiter after `<<`, with its quotes. */
  readonly delimiter: readonly [start: number, end: number];
  readonly body: readonly [start: number, end: number];
  /** The delimiter that ends it; empty when the code ends first. */
  readonly terminator: readonly [start: number, end: number];
}

export interface ShellQuoting {
  /** The marks by offset, and of the other asked offsets those in quotes that the shell does not look into. */
  readonly marks: ReadonlyMap<number, Quoting>;
  /** The here-documents with a mark in their body. */
  readonly literalHereDocuments: readonly LiteralHereDocument[];
}

type Frame =
  | { readonly kind: 'code'; readonly closer?: ')' | '`' }
  | { readonly kind: 'double' }
  | { readonly kind: 'expansion'; readonly isNumeric: boolean; readonly isQuoted: boolean }
  | { readonly kind: 'arithmetic'; depth: number };

interface PendingHereDocument {
  readonly delimiter: readonly [number, number];
  readonly word: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

const comparison = /-(?:eq|ne|lt|le|gt|ge)/.source;
const beforeNumber = new RegExp(String.raw`(?:\[\[[^\n]*\s${comparison}\s+"?|[A-Za-z_]\w*\[[^\]\s]*)$`);
const afterNumber = new RegExp(String.raw`^"?\s+${comparison}\s`);
/** So that a long line costs no more than a short one. */
const window = 256;

/**
 * Reads the code of a Unix shell once, from left to right, and tells how the shell quotes each mark, an offset at which
 * one letter stands for a value, and each of the `asked` offsets, which are characters of the code. Code that no shell accepts gets an answer too: what relies on it must stay safe when
 * the answer is wrong.
 */
export function readShellQuoting(
  code: string,
  offsets: ReadonlySet<number>,
  asked: ReadonlySet<number> = new Set(),
): ShellQuoting {
  return new Reader(code, offsets, asked).read();
}

class Reader {
  readonly #code: string;
  readonly #offsets: ReadonlySet<number>;
  readonly #asked: ReadonlySet<number>;
  readonly #marks = new Map<number, Quoting>();
  readonly #literalHereDocuments: LiteralHereDocument[] = [];
  readonly #frames: Frame[] = [{ kind: 'code' }];
  #pending: PendingHereDocument[] = [];
  #at = 0;

  constructor(code: string, offsets: ReadonlySet<number>, asked: ReadonlySet<number>) {
    this.#code = code;
    this.#offsets = offsets;
    this.#asked = asked;
  }

  read(): ShellQuoting {
    while (this.#at < this.#code.length) this.#readNext();
    return { marks: this.#marks, literalHereDocuments: this.#literalHereDocuments };
  }

  #readNext(): void {
    const frame = this.#frames.at(-1) ?? { kind: 'code' };
    const character = this.#code.charAt(this.#at);
    const isDouble = frame.kind === 'double' || (frame.kind === 'expansion' && frame.isQuoted);
    if (this.#offsets.has(this.#at)) this.#markValue(frame, isDouble);
    else if (character === '\\') this.#skipTo(this.#at + 2, 'open');
    else if (character === '\n' && this.#pending.length > 0 && frame.kind !== 'double') this.#readHereDocuments();
    else if (character === '$') this.#readDollar(isDouble);
    else if (character === '`') this.#readBackquote();
    else if (frame.kind === 'arithmetic') this.#readArithmetic(character, frame);
    else if (frame.kind === 'double') this.#readQuoted(character);
    else if (character === "'" && !isDouble) this.#readSingle();
    else if (character === '"') this.#open({ kind: 'double' }, 1);
    else if (frame.kind === 'expansion') this.#readExpansion(character);
    else this.#readCode(character, frame);
  }

  #markValue(frame: Frame, isDouble: boolean): void {
    const before = this.#code.slice(Math.max(0, this.#at - window), this.#at);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const after = this.#code.slice(this.#at + 1, this.#at + 1 + window);
    const isNumber =
      frame.kind === 'arithmetic' ||
      (frame.kind === 'expansion' && frame.isNumeric) ||
      beforeNumber.test(line) ||
      (line.includes('[[') && afterNumber.test(after));
    this.#marks.set(this.#at, isNumber ? 'arithmetic' : isDouble ? 'double' : 'open');
    this.#at += 1;
  }

  /** Handles what begins with `$`, in code and in double quotes. */
  #readDollar(isDouble: boolean): void {
    const code = this.#code;
    const next = code.charAt(this.#at + 1);
    if (next === "'" && !isDouble) this.#readAnsi();
    else if (next === '(' && isArithmetic(code, this.#at + 1)) this.#open({ kind: 'arithmetic', depth: 2 }, 3);
    else if (next === '(') this.#open({ kind: 'code', closer: ')' }, 2);
    else if (next === '{') {
      const { end, isNumeric } = readExpansion(code, this.#at + 2);
      this.#open({ kind: 'expansion', isNumeric, isQuoted: isDouble }, end - this.#at);
    } else this.#at += next === '$' ? 2 : 1;
  }

  #readAnsi(): void {
    let end = this.#at + 2;
    while (end < this.#code.length && this.#code.charAt(end) !== "'") end += this.#code.charAt(end) === '\\' ? 2 : 1;
    this.#skipTo(end + 1, 'ansi');
  }

  #readSingle(): void {
    this.#skipTo(this.#find("'", this.#at + 1) + 1, 'single');
  }

  #readQuoted(character: string): void {
    if (character === '"') this.#frames.pop();
    this.#at += 1;
  }

  #readExpansion(character: string): void {
    if (character === '}') this.#frames.pop();
    this.#at += 1;
  }

  #readBackquote(): void {
    const open = this.#frames.findLastIndex((frame) => frame.kind === 'code' && frame.closer === '`');
    if (open === -1) this.#frames.push({ kind: 'code', closer: '`' });
    else this.#frames.length = open;
    this.#at += 1;
  }

  #readArithmetic(character: string, frame: Frame & { readonly kind: 'arithmetic' }): void {
    if (character === '(') frame.depth += 1;
    if (character === ')') frame.depth -= 1;
    if (frame.depth === 0) this.#frames.pop();
    this.#at += 1;
  }

  #readCode(character: string, frame: Frame & { readonly kind: 'code' }): void {
    const code = this.#code;
    const isWordStart = this.#at === 0 || /[\s;&|()`]/.test(code.charAt(this.#at - 1));
    if (character === '(' && isWordStart && isArithmetic(code, this.#at))
      this.#open({ kind: 'arithmetic', depth: 2 }, 2);
    else if (character === '(') this.#open({ kind: 'code', closer: ')' }, 1);
    else if (character === ')') {
      if (frame.closer === ')') this.#frames.pop();
      this.#at += 1;
    } else if (character === '#' && isWordStart) this.#skipTo(this.#find('\n', this.#at), 'open');
    else if (code.startsWith('<<<', this.#at)) this.#at += 3;
    else if (code.startsWith('<<', this.#at)) this.#announceHereDocument();
    else this.#at += 1;
  }

  #announceHereDocument(): void {
    const stripsTabs = this.#code.charAt(this.#at + 2) === '-';
    const read = readHereDelimiter(this.#code, this.#at + (stripsTabs ? 3 : 2));
    this.#skipTo(read.delimiter[1], 'open');
    this.#pending.push({ ...read, stripsTabs });
  }

  /** Reads the documents that the line has announced, at its end. */
  #readHereDocuments(): void {
    this.#at += 1;
    for (const document of this.#pending) this.#readHereDocument(document);
    this.#pending = [];
  }

  #readHereDocument({ delimiter, word, isLiteral, stripsTabs }: PendingHereDocument): void {
    const code = this.#code;
    const start = this.#at;
    let line = start;
    let next = this.#find('\n', line);
    const isEnd = () => code.slice(line, next).replace(stripsTabs ? /^\t+/ : '', '') === word;
    while (line < code.length && !isEnd()) {
      line = Math.min(next + 1, code.length);
      next = this.#find('\n', line);
    }
    const hasMarks = this.#mark(start, line, isLiteral ? 'document' : 'double');
    const terminator = [next - (line < code.length ? word.length : 0), next] as const;
    if (isLiteral && hasMarks) this.#literalHereDocuments.push({ delimiter, body: [start, line], terminator });
    this.#at = Math.min(next + 1, code.length);
  }

  #open(frame: Frame, length: number): void {
    this.#frames.push(frame);
    this.#at += length;
  }

  #skipTo(end: number, quoting: Quoting): void {
    const to = Math.min(end, this.#code.length);
    this.#mark(this.#at, to, quoting);
    this.#at = to;
  }

  /** Whether the range holds a mark. */
  #mark(start: number, end: number, quoting: Quoting): boolean {
    let found = false;
    for (let at = start; at < end; at += 1) {
      const isMark = this.#offsets.has(at);
      if (isMark || this.#asked.has(at)) this.#marks.set(at, quoting);
      found ||= isMark;
    }
    return found;
  }

  #find(text: string, from: number): number {
    const found = this.#code.indexOf(text, from);
    return found === -1 ? this.#code.length : found;
  }
}
