import { AppError } from '@weir/foundation';
import {
  findExecutedCode,
  findReferenceEscapes,
  splitResolved,
  type ResolvedPart,
  type Scope,
} from '@weir/workflow-spec/values';
import type { StepShell } from '../environment/step-shell';
import { shellDialect, textInterpreter, type ShellDialect } from './shell-dialect';
import { readShellQuoting, type LiteralHereDocument, type Quoting } from './shell-quoting';
import { shellQuote } from './shell-quote';

/** Characters that no shell and no other language gives a meaning in a word. */
const plainWord = /^[A-Za-z0-9_.,:/@%+-]+$/;
const number = /^\s*[-+]?(?:0[xX][0-9A-Fa-f]+|\d+(?:\.\d+)?)\s*$/;
const prefix = '__weir_';
/** `$NAME` without braces, into whose name a value would grow. */
const afterVariable = /\$\w*$/;
const maxVariableLength = 1_024;

/**
 * Replaces the references of a command or script so that no value becomes code. A value of letters, digits and
 * `_.,:/@%+-` is inserted as it is, except directly after `$NAME`. For a Unix shell any other value is assigned to a variable before the code, and the
 * reference becomes that variable, quoted as its surroundings ask: the shell expands it and never parses it. Another
 * interpreter gets no such value. `${raw.params.NAME}` inserts any value as it is. The backslash that keeps a reference
 * literal is removed where no shell does that: in quotes that it does not look into, and for another interpreter.
 *
 * Throws `invalid_request`: `resolved_text_too_long`; `unsafe_reference_value` when the interpreter is no Unix shell, or
 * another program executes the value although the shell does not, as `python3 -c`, `eval` and `| sh` do;
 * `reference_not_a_number` when the shell would read a value that is no number as an arithmetic expression.
 */
export function resolveShellText(text: string, scope: Scope, shell: StepShell): string {
  const interpreter = textInterpreter(text, shell);
  const dialect = shellDialect(interpreter);
  const parts = asLiteralsWhenPlain(
    unescapeParts(splitResolved(text, scope), dialect),
    dialect === undefined ? undefined : afterVariable,
  );
  if (parts.every(({ kind }) => kind === 'literal')) return parts.map((part) => part.text).join('');
  if (dialect === undefined) throw unsafeValue(interpreter);
  return bindValues(parts, dialect);
}

/** Removes the backslashes of escaped references from what the author wrote, never from a value. */
function unescapeParts(parts: readonly ResolvedPart[], dialect: ShellDialect | undefined): readonly ResolvedPart[] {
  const { code, values } = markValues(parts);
  const escapes = findReferenceEscapes(code);
  if (escapes.length === 0) return parts;
  const { marks } =
    dialect === undefined ? { marks: undefined } : readShellQuoting(code, new Set(values.keys()), new Set(escapes));
  const removed = escapes.filter((at) => marks === undefined || isOpaque(marks.get(at)));
  let end = 0;
  return parts.map((part) => {
    const start = end;
    end += part.kind === 'value' ? 1 : part.text.length;
    if (part.kind === 'value') return part;
    const edits = removed
      .filter((at) => at >= start && at < end)
      .map((at) => ({ start: at - start, end: at - start + 1, text: '' }));
    return { ...part, text: applyEdits(part.text, edits) };
  });
}

function isOpaque(quoting: Quoting | undefined): boolean {
  return quoting === 'single' || quoting === 'ansi' || quoting === 'document';
}

/** A plain value stays a value where it would become a part of what is before it. */
function asLiteralsWhenPlain(parts: readonly ResolvedPart[], joining: RegExp | undefined): readonly ResolvedPart[] {
  let before = '';
  return parts.map((part) => {
    const isInserted = part.isRaw === true || (plainWord.test(part.text) && joining?.test(before) !== true);
    const isLiteral = part.kind === 'literal' || isInserted;
    before = isLiteral ? (before + part.text).slice(-maxVariableLength) : '';
    return isLiteral ? { kind: 'literal', text: part.text } : part;
  });
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function bindValues(parts: readonly ResolvedPart[], dialect: ShellDialect): string {
  const { code, values } = markValues(parts);
  const [executor] = findExecutedCode(code, [...values.keys()]).values();
  if (executor !== undefined) throw unsafeValue(executor);
  const { marks, literalHereDocuments } = readShellQuoting(code, new Set(values.keys()));
  const names = new Map<string, string>();
  const edits: Edit[] = [...literalHereDocuments.flatMap((document) => openHereDocument(document, code))];
  for (const [at, value] of values) {
    const quoting = marks.get(at) ?? 'open';
    if (quoting === 'arithmetic' && !number.test(value)) throw notANumber();
    const name = names.get(value) ?? `${prefix}${names.size + 1}`;
    if (quoting !== 'arithmetic') names.set(value, name);
    if (isAfterDollar(code, at, quoting)) edits.push({ start: at - 1, end: at, text: '\\$' });
    edits.push({ start: at, end: at + 1, text: quoting === 'arithmetic' ? value : inserted(name, quoting, dialect) });
  }
  const assignments = [...names].map(([value, name]) => `${name}=${shellQuote(value)}; `).join('');
  return insertAtStart(applyEdits(code, edits), assignments);
}

/** The code with the letter `x` for each value, and the values by offset. */
function markValues(parts: readonly ResolvedPart[]) {
  const values = new Map<number, string>();
  const pieces: string[] = [];
  let length = 0;
  for (const { kind, text } of parts) {
    if (kind === 'value') values.set(length, text);
    const piece = kind === 'value' ? 'x' : text;
    pieces.push(piece);
    length += piece.length;
  }
  return { code: pieces.join(''), values };
}

function inserted(name: string, quoting: Exclude<Quoting, 'arithmetic'>, { openVariable }: ShellDialect): string {
  switch (quoting) {
    case 'open':
      return openVariable(name);
    case 'double':
    case 'document':
      return `\${${name}}`;
    case 'single':
      return `'"\${${name}}"'`;
    case 'ansi':
      return `'"\${${name}}"$'`;
  }
}

/** A dollar sign directly before a value is a character of its own, and must not join the variable. */
function isAfterDollar(code: string, at: number, quoting: Quoting): boolean {
  return (
    (quoting === 'open' || quoting === 'double') &&
    /(?:^|[^\\$])(?:\$\$)*\$$/.test(code.slice(Math.max(0, at - 64), at))
  );
}

/** Lets the shell expand a here-document in which only the values are to be expanded. */
function openHereDocument({ delimiter, body, terminator }: LiteralHereDocument, code: string): readonly Edit[] {
  let word = 'WEIR_END';
  while (code.includes(word)) word += '_';
  const edits: Edit[] = [{ start: delimiter[0], end: delimiter[1], text: word }];
  for (const { index, 0: character } of code.slice(...body).matchAll(/[\\$`]/g)) {
    const at = body[0] + index;
    edits.push({ start: at, end: at + 1, text: `\\${character}` });
  }
  return [...edits, { start: terminator[0], end: terminator[1], text: word }];
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(code.slice(at, start), text);
    at = end;
  }
  return [...pieces, code.slice(at)].join('');
}

/** After a `#!` line; on the first line of code, so that the shell counts lines as the author does. */
function insertAtStart(code: string, text: string): string {
  const start = code.startsWith('#!') ? code.indexOf('\n') + 1 : 0;
  return `${code.slice(0, start)}${text}${code.slice(start)}`;
}

function unsafeValue(interpreter: string): AppError {
  const message = `The value of a reference holds characters that ${interpreter} could execute. Pass it as an argument or by an environment variable, or write \${raw.…} to insert it as code.`;
  return new AppError('invalid_request', message, { reason: 'unsafe_reference_value' });
}

function notANumber(): AppError {
  const message =
    'The value of a reference is not a number, and the shell would execute it as an arithmetic expression.';
  return new AppError('invalid_request', message, { reason: 'reference_not_a_number' });
}
