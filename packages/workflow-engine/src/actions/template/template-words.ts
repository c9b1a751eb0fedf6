import { actionFailed } from '../../model/steps/action-errors';

export interface Piece {
  readonly kind: 'text' | 'code';
  readonly text: string;
  readonly line: number;
}

/** Splits a template into text and the code between `{{` and `}}`. A minus inside trims the white space outside. */
export function splitTemplate(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let line = 1;
  let isTrimming = false;
  for (let at = 0; at <= template.length;) {
    const open = template.indexOf('{{', at);
    const text = template.slice(at, open === -1 ? undefined : open);
    const isTrimmed = open !== -1 && /^-\s/.test(template.slice(open + 2, open + 4));
    const left = isTrimming ? text.trimStart() : text;
    pieces.push({ kind: 'text', text: isTrimmed ? left.trimEnd() : left, line });
    if (open === -1) break;
    line += newLines(text);
    const close = findCodeEnd(template, open + 2);
    if (close === -1) throw templateWrong(line, 'a {{ is not closed');
    const code = template.slice(open + (isTrimmed ? 3 : 2), close);
    isTrimming = /\s-$/.test(code);
    pieces.push({ kind: 'code', text: (isTrimming ? code.slice(0, -1) : code).trim(), line });
    line += newLines(code);
    at = close + 2;
  }
  return pieces;
}

/** Names the line and the rule, never the text of the template. */
export function templateWrong(line: number, what: string) {
  return actionFailed(`Line ${line} of the template: ${what}.`);
}

/** Position of the closing `}}`, ignoring those inside quotes. */
function findCodeEnd(template: string, from: number): number {
  for (let at = from; at < template.length; at += 1) {
    const mark = template.charAt(at);
    if (mark === '"' || mark === '`') {
      const end = findQuoteEnd(template, at);
      if (end === -1) return -1;
      at = end;
    } else if (template.startsWith('}}', at)) return at;
  }
  return -1;
}

function findQuoteEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === quote) return at;
    if (mark === '\\' && quote === '"') at += 1;
  }
  return -1;
}

const wordForm =
  /\s+|"(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?|\$?(?:\.?[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*|\$|\.|\(|\)|\||:=|,/y;

export function splitWords({ text, line }: Piece): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    wordForm.lastIndex = at;
    const [word] = wordForm.exec(text) ?? [];
    if (word === undefined) throw templateWrong(line, 'something is not understood');
    if (word.trim() !== '') words.push(word);
    at += word.length;
  }
  return words;
}

function newLines(text: string): number {
  return text.split('\n').length - 1;
}
