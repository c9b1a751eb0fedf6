import type { JsonValue } from '@weir/workflow-spec';
import { isTemplateFunction } from './template-functions';
import type { Operand, TemplateNode } from './template-nodes';
import { splitTemplate, templateWrong, splitWords, type Piece } from './template-words';

const maxDepth = 64;
/** Per `{{ }}`; each pipe nests a call. */
const maxPipes = 256;

/** Parses a template. Throws an `AppError` that names the line of the mistake. */
export function parseTemplate(template: string): readonly TemplateNode[] {
  const reader = new TemplateReader(splitTemplate(template));
  const { nodes, ended } = reader.block(0);
  if (ended) throw templateWrong(ended.line, 'there is nothing that this would end');
  return nodes;
}

interface Block {
  readonly nodes: readonly TemplateNode[];
  /** The words of the closing `end` or `else`; missing at the end of the template. */
  readonly ended?: { readonly words: readonly string[]; readonly line: number };
}

class TemplateReader {
  readonly #pieces: readonly Piece[];
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  block(depth: number): Block {
    const nodes: TemplateNode[] = [];
    for (let piece = this.#pieces[this.#at]; piece; piece = this.#pieces[this.#at]) {
      this.#at += 1;
      if (piece.kind === 'text') {
        nodes.push({ kind: 'text', text: piece.text });
        continue;
      }
      if (piece.text.startsWith('/*') && piece.text.endsWith('*/')) continue;
      const words = splitWords(piece);
      if (words[0] === 'end' || words[0] === 'else') return { nodes, ended: { words, line: piece.line } };
      nodes.push(this.#node(words, piece.line, depth));
    }
    return { nodes };
  }

  #node(words: readonly string[], line: number, depth: number): TemplateNode {
    const [first = '', second, ...rest] = words;
    if (first === 'if' || first === 'with' || first === 'range')
      return this.#branch(first, words.slice(1), line, depth);
    if (isVariable(first) && second === ':=') {
      return { kind: 'set', variable: first.slice(1), value: pipeline(rest, line) };
    }
    return { kind: 'print', value: pipeline(words, line) };
  }

  #branch(kind: 'if' | 'with' | 'range', words: readonly string[], line: number, depth: number): TemplateNode {
    if (depth === maxDepth) throw templateWrong(line, 'this is nested too deeply');
    const assigned = words.indexOf(':=');
    const variables = assigned === -1 ? [] : words.slice(0, assigned).filter((word) => word !== ',');
    if (variables.length > 2 || !variables.every(isVariable)) throw templateWrong(line, 'a variable begins with $');
    const value = pipeline(words.slice(assigned + 1), line);
    const { nodes: body, ended } = this.block(depth + 1);
    const names = variables.map((name) => name.slice(1));
    return { kind, value, variables: names, body, otherwise: this.#otherwise(ended, line, depth) };
  }

  #otherwise(ended: Block['ended'], line: number, depth: number): readonly TemplateNode[] {
    if (!ended) throw templateWrong(line, 'this has no end');
    const [word, next, ...rest] = ended.words;
    if (word === 'end') return [];
    if (next === 'if') return [this.#branch('if', rest, ended.line, depth + 1)];
    const { nodes, ended: last } = this.block(depth + 1);
    if (last?.words[0] !== 'end' || next !== undefined) throw templateWrong(ended.line, 'this else is not understood');
    return nodes;
  }
}

function isVariable(word: string): boolean {
  return /^\$[A-Za-z_]\w*$/.test(word);
}

/** Commands separated by `|`; each receives the previous value as its last argument. */
function pipeline(words: readonly string[], line: number): Operand {
  const reader = new PipelineReader(words, line);
  const value = reader.pipeline(0);
  if (!reader.isAtEnd) throw templateWrong(line, 'something is not understood');
  return value;
}

class PipelineReader {
  readonly #words: readonly string[];
  readonly #line: number;
  #at = 0;
  #pipes = 0;

  constructor(words: readonly string[], line: number) {
    this.#words = words;
    this.#line = line;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#words.length;
  }

  pipeline(depth: number): Operand {
    if (depth === maxDepth) throw templateWrong(this.#line, 'this is nested too deeply');
    let value = this.#command(depth, []);
    while (this.#words[this.#at] === '|') {
      this.#at += 1;
      this.#pipes += 1;
      if (this.#pipes > maxPipes) throw templateWrong(this.#line, 'there are too many pipes');
      value = this.#command(depth, [value]);
    }
    return value;
  }

  #command(depth: number, piped: readonly Operand[]): Operand {
    const name = this.#words[this.#at] ?? '';
    if (isTemplateFunction(name)) this.#at += 1;
    const args: Operand[] = [];
    for (let word = this.#words[this.#at]; word !== undefined && word !== '|' && word !== ')';) {
      args.push(this.#operand(word, depth));
      word = this.#words[this.#at];
    }
    if (isTemplateFunction(name)) return { kind: 'call', name, args: [...args, ...piped] };
    const [only, ...more] = [...args, ...piped];
    if (!only || more.length > 0) throw templateWrong(this.#line, 'a value or a known function is expected');
    return only;
  }

  #operand(word: string, depth: number): Operand {
    this.#at += 1;
    if (word === '(') {
      const value = this.pipeline(depth + 1);
      if (this.#words[this.#at] !== ')') throw templateWrong(this.#line, 'a ( is not closed');
      this.#at += 1;
      return value;
    }
    const [mark] = word;
    if (mark === '.') return { kind: 'field', path: word.split('.').filter((part) => part !== '') };
    if (mark === '$') {
      const [variable = '', ...path] = word.slice(1).split('.');
      return { kind: 'field', variable, path };
    }
    if (isTemplateFunction(word)) return { kind: 'call', name: word, args: [] };
    const value = literal(word);
    if (value === undefined) throw templateWrong(this.#line, 'a value or a known function is expected');
    return { kind: 'literal', value };
  }
}

const named: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

function literal(word: string): JsonValue | undefined {
  if (word.startsWith('`')) return word.slice(1, -1);
  if (/^-?\d/.test(word)) return Number(word);
  if (!word.startsWith('"')) return named.get(word);
  try {
    return JSON.parse(word.replace(/\t/g, '\\t')) as JsonValue;
  } catch {
    return undefined;
  }
}
