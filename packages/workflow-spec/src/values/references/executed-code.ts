/** A program, or a built-in of the shell, that executes some of its words, or its input, as code. */
interface Program {
  readonly name: RegExp;
  /** After this option, the next word, or the rest of this one, is code. */
  readonly codeOption?: RegExp;
  /** After this option, the next word is a value and no operand. */
  readonly valueOption?: RegExp;
  /** The operands that are code: the first unless an option gave the code, all, all but the first, or names. */
  readonly operands?: 'first' | 'all' | 'rest' | 'names';
  /** Whether it executes its input when it has neither code nor a file with code, or with this option. */
  readonly isInterpreter?: boolean;
  readonly inputOption?: RegExp;
}

const programs: readonly Program[] = [
  {
    name: /^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$/,
    codeOption: /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/,
    valueOption: /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/,
    inputOption: /^-[a-z]*s/,
    isInterpreter: true,
  },
  { name: /^(?:python|pypy)[\d.]*$/, codeOption: /^-[A-Za-z]*c/, valueOption: /^-[WX]$/, isInterpreter: true },
  {
    name: /^(?:perl|ruby|lua|luajit|julia|Rscript|osascript)[\d.]*$/,
    codeOption: /^-[A-Za-z0-9]*[eE]/,
    valueOption: /^-[IC]$/,
    isInterpreter: true,
  },
  {
    name: /^(?:node|nodejs|bun|tsx)$/,
    codeOption: /^(?:-p?[ep]|--eval|--print)/,
    valueOption: /^(?:-[rC]|--require|--import|--conditions|--loader)$/,
    isInterpreter: true,
  },
  { name: /^php[\d.]*$/, codeOption: /^-[rBRE]/, valueOption: /^-[dc]$/, isInterpreter: true },
  { name: /^(?:pwsh|powershell)$/, codeOption: /^-c/i, isInterpreter: true },
  { name: /^[gmn]?awk$/, codeOption: /^(?:-e|--source)/, valueOption: /^-[Fv]$/, operands: 'first' },
  { name: /^g?sed$/, codeOption: /^(?:-[nEsrz]*e|--expression)/, valueOption: /^-l$/, operands: 'first' },
  { name: /^(?:su|runuser|flock|script)$/, codeOption: /^(?:-[a-z]*c|--(?:session-)?command)/ },
  { name: /^ssh$/, valueOption: /^-[A-Za-z0-9]*[bcDEeFIiJLlmOopQRSWwB]$/, operands: 'rest', isInterpreter: true },
  { name: /^(?:eval|watch|parallel|let)$/, operands: 'all' },
  { name: /^trap$/, operands: 'first' },
  { name: /^(?:at|batch)$/, isInterpreter: true },
  // The shell evaluates the index of a name such as a[$(id)], and the values that it assigns to integers.
  { name: /^(?:declare|typeset|local|readonly|export)$/, operands: 'names' },
  { name: /^(?:read|unset|mapfile|readarray)$/, valueOption: /^-[dnNtupsSOcC]$/, operands: 'all' },
  { name: /^(?:printf|test|\[|\[\[)$/, codeOption: /^-v/ },
];
const sourcing = /^(?:source|\.)$/;
/** The words that may stand before the program of a command. */
const prefix = /^(?:if|then|else|elif|do|while|until|time|coproc|!|\{|[A-Za-z_]\w*\+?=.*)$/s;
/** Programs that start the program that one of their words names. */
const starter =
  /^(?:command|builtin|exec|env|sudo|doas|nohup|nice|ionice|setsid|stdbuf|timeout|xargs|chroot|unshare|nsenter|busybox|flock|docker|podman|nerdctl|kubectl|oc)$/;
const closing = /^(?:\}|done|fi|esac)$/;
/** The limit exceeds any name or option, so that a long word costs no more than a short one. */
const maxWordLength = 64;

/** Offsets of values, with those of code inside. */
interface Marks {
  readonly members: (number | Marks)[];
}

/** A simple command, as far as it has been read. */
class Command {
  readonly input: Marks = { members: [] };
  #program: Program | undefined;
  #name = '';
  #first: string | undefined;
  /** The first word behind keywords and assignments. */
  #main: string | undefined;
  /** Whether the next word may be the program. */
  #mayBegin = true;
  /** Whether the word is certainly the program, and not a word of another program. */
  #isCertain = false;
  #next: 'code' | 'value' | 'word' = 'word';
  #hasCode = false;
  #hasFile = false;
  #readsInput = false;
  #operands = 0;
  #isInteger = false;

  /** Whether it ends a group of commands, which has an output of its own. */
  get endsGroup(): boolean {
    return closing.test(this.#first ?? '');
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The program that executes the input of the command. */
  get reader(): string | undefined {
    const reads = this.#program?.isInterpreter && !this.#hasCode && (!this.#hasFile || this.#readsInput);
    return this.#isCertain && reads ? this.#name : undefined;
  }

  /** The program that executes the file that the next word names. */
  get loader(): string | undefined {
    return sourcing.test(this.#main ?? '') ? this.#main : this.reader;
  }

  add(word: string): void {
    this.#first ??= word;
    if (!prefix.test(word)) this.#main ??= word;
    const name = word.slice(word.lastIndexOf('/') + 1);
    const program = this.#next === 'word' ? programs.find((candidate) => candidate.name.test(name)) : undefined;
    // Any command may start an interpreter, as `find -exec` does; the words of an interpreter are its own.
    const begins = this.#mayBegin || (program?.isInterpreter && !this.#program?.isInterpreter);
    if (program !== undefined && begins) {
      this.#isCertain = this.#mayBegin;
      this.#mayBegin = starter.test(name);
      [this.#program, this.#name] = [program, name];
      [this.#hasCode, this.#hasFile, this.#readsInput, this.#operands] = [false, false, false, 0];
    } else if (this.#program === undefined) {
      this.#mayBegin &&= prefix.test(word) || starter.test(this.#main?.split('/').at(-1) ?? '');
    } else this.#addTo(this.#program, word);
  }

  /** Returns the program that executes a word with this beginning. */
  executorOf(word: string): string | undefined {
    return this.#program !== undefined && this.#isCode(this.#program, word) ? this.#name : undefined;
  }

  #isCode({ codeOption, operands }: Program, word: string): boolean {
    if (this.#next !== 'word') return this.#next === 'code';
    if (/^[-+]./.test(word)) return !this.#hasFile && codeOption?.test(word) === true;
    if (operands === 'names') return this.#isInteger || !word.includes('=');
    if (operands === 'first') return this.#operands === 0 && !this.#hasCode;
    return operands === 'all' || (operands === 'rest' && this.#operands > 0);
  }

  #addTo(program: Program, word: string): void {
    const { codeOption, valueOption, operands, isInterpreter } = program;
    const next = this.#next;
    this.#next = 'word';
    this.#hasCode ||= next === 'code';
    if (next !== 'word') return;
    if (/^[-+]./.test(word) && !this.#hasFile) {
      const option = codeOption?.exec(word)?.[0];
      if (option !== undefined) [this.#next, this.#hasCode] = option === word ? ['code', true] : ['word', true];
      else if (valueOption?.test(word)) this.#next = 'value';
      this.#isInteger ||= /^-\w*[in]/.test(word);
      this.#readsInput ||= program.inputOption?.test(word) === true;
      return;
    }
    this.#operands += 1;
    if (operands === 'rest') this.#hasFile = this.#operands > 1;
    else if (isInterpreter && word !== '-') this.#hasFile = true;
  }
}

interface List {
  readonly all: Marks;
  /** The stages of the pipeline before this one. */
  upstream: Marks | undefined;
  stage: Marks;
  command: Command;
  word: string | undefined;
  /** Whether the next word is input of the command, or names a file, instead of being one of its words. */
  redirect: 'input' | 'file' | undefined;
}

interface CodeFrame {
  readonly kind: 'code';
  readonly closer: ')' | '`' | undefined;
  readonly parent: CodeFrame | undefined;
  readonly list: List;
  /** The program that executes its output. */
  readonly executedBy: string | undefined;
  /** The input that is written to it, if any. */
  readonly reads: Marks | undefined;
}

type Frame = CodeFrame | { readonly kind: 'double' | 'expansion' };

interface HereDocument {
  readonly word: string;
  readonly stripsTabs: boolean;
  readonly input: Marks;
}

/**
 * Finds the offsets in the code of a Unix shell whose text is executed as code by another program, or once more by
 * the shell, with the name of that program: the word behind `python3 -c`, the program of awk, a here-document for
 * `bash`, the input piped to `sh`, the operands of `eval`. An offset stands for a value that is inserted there; a
 * reference that begins there is read as a whole. Code that no shell accepts gets an answer too. Takes linear time.
 */
export function findExecutedCode(code: string, offsets: readonly number[]): ReadonlyMap<number, string> {
  return new Reader(code, new Set(offsets)).read();
}

class Reader {
  readonly #code: string;
  readonly #offsets: ReadonlySet<number>;
  readonly #frames: Frame[] = [];
  #here: CodeFrame;
  /** The depths of the open backquotes. */
  readonly #backquotes: number[] = [];
  readonly #executed = new Map<number, string>();
  /** The executed texts and their executors. Members are added until the end. */
  readonly #executions: { readonly marks: Marks; readonly by: string }[] = [];
  #documents: HereDocument[] = [];
  #at = 0;

  constructor(code: string, offsets: ReadonlySet<number>) {
    this.#code = code;
    this.#offsets = offsets;
    this.#here = createFrame(undefined, undefined, { marks: { members: [] } });
    this.#frames.push(this.#here);
  }

  read(): ReadonlyMap<number, string> {
    while (this.#at < this.#code.length) this.#readNext();
    this.#closeTo(0);
    const seen = new Set<Marks>();
    for (const { marks, by } of this.#executions) {
      const open = [marks];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        for (const member of next.members) {
          if (typeof member === 'number') this.#executed.set(member, this.#executed.get(member) ?? by);
          else open.push(member);
        }
      }
    }
    return this.#executed;
  }

  #readNext(): void {
    const kind = this.#frames.at(-1)?.kind;
    const character = this.#code.charAt(this.#at);
    if (this.#offsets.has(this.#at)) this.#readMark();
    else if (character === '\\') this.#append(2);
    else if (character === '$') this.#readDollar(kind === 'double');
    else if (character === '`') this.#readBackquote();
    else if (character === '"') this.#readDoubleQuote(kind === 'double');
    else if (kind === 'double') this.#append(1);
    else if (character === "'") this.#readSingle(1);
    else if (kind === 'expansion') {
      if (character === '}') this.#frames.pop();
      this.#append(1);
    } else this.#readCode(character);
  }

  #readMark(): void {
    this.#mark(this.#at);
    const reference = /\$\{[^{}\n]*\}/y;
    reference.lastIndex = this.#at;
    this.#append(reference.exec(this.#code)?.[0].length ?? 1);
  }

  #mark(offset: number): void {
    const { marks, executedBy } = this.#surroundings();
    marks.members.push(offset);
    if (executedBy !== undefined) this.#executed.set(offset, executedBy);
  }

  /** Returns the marks of the word that is being read, and the program that executes the output of code in it. */
  #surroundings(): { readonly marks: Marks; readonly executedBy: string | undefined } {
    const { list, executedBy } = this.#here;
    const executor = list.redirect === undefined ? list.command.executorOf(list.word ?? '') : undefined;
    return {
      marks: list.redirect === 'input' ? list.command.input : list.stage,
      executedBy: executedBy ?? executor,
    };
  }

  #readDollar(isDouble: boolean): void {
    const next = this.#code.charAt(this.#at + 1);
    if (next === "'" && !isDouble) this.#readSingle(2);
    else if (next === '(') this.#openCode(2, ')', this.#surroundings());
    else if (next === '{') this.#open({ kind: 'expansion' }, 2);
    else this.#append(1);
  }

  #readDoubleQuote(isOpen: boolean): void {
    if (!isOpen) {
      this.#open({ kind: 'double' }, 1);
      return;
    }
    this.#frames.pop();
    this.#at += 1;
  }

  #readSingle(length: number): void {
    const start = this.#at + length;
    let end = start;
    while (end < this.#code.length && this.#code.charAt(end) !== "'") {
      end += length === 2 && this.#code.charAt(end) === '\\' ? 2 : 1;
    }
    this.#appendText('');
    for (let at = start; at < end; at += 1) {
      if (this.#offsets.has(at)) this.#mark(at);
      if (at - start < maxWordLength) this.#appendText(this.#code.charAt(at));
    }
    this.#at = end + 1;
  }

  #readBackquote(): void {
    const open = this.#backquotes.pop();
    if (open !== undefined) {
      this.#close(open);
      return;
    }
    this.#backquotes.push(this.#frames.length);
    this.#openCode(1, '`', this.#surroundings());
  }

  #readCode(character: string): void {
    const next = this.#code.charAt(this.#at + 1);
    const { list, closer } = this.#here;
    if (character === '#' && list.word === undefined) this.#at = this.#find('\n', this.#at);
    else if (character === '\n') this.#endLine();
    else if (character === ' ' || character === '\t') this.#endWord(1);
    else if ((character === '<' || character === '>') && next === '(') this.#openProcess(character);
    else if (character === '<' || character === '>') this.#readRedirect(character);
    else if (character === '(') this.#openCode(1, ')', { marks: list.stage });
    else if (character === ')' && closer === ')') this.#close(this.#frames.length - 1);
    else if (character === '|' && next !== '|') this.#endCommand(next === '&' ? 2 : 1, true);
    else if (';&|)'.includes(character)) this.#endCommand(1, false);
    else this.#append(1);
  }

  /** `<(…)` is a file that is read, `>(…)` one that is written. */
  #openProcess(direction: string): void {
    const { list } = this.#here;
    const around = this.#surroundings();
    const loader = list.redirect === undefined ? list.command.loader : undefined;
    if (direction === '<') this.#openCode(2, ')', { ...around, executedBy: around.executedBy ?? loader });
    else this.#openCode(2, ')', { marks: list.stage, reads: joined(list.stage, list.upstream) });
  }

  #readRedirect(character: string): void {
    this.#endWord(0);
    const { list } = this.#here;
    if (this.#code.startsWith('<<<', this.#at)) this.#at += 3;
    else if (this.#code.startsWith('<<', this.#at)) {
      this.#announceDocument();
      return;
    } else this.#at += /[&>|]/.test(this.#code.charAt(this.#at + 1)) ? 2 : 1;
    list.redirect = character === '<' ? 'input' : 'file';
    while (/[ \t]/.test(this.#code.charAt(this.#at))) this.#at += 1;
  }

  #announceDocument(): void {
    const stripsTabs = this.#code.charAt(this.#at + 2) === '-';
    const delimiter = /[ \t]*((?:\\[^\n]|'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>'"\\])*)/y;
    delimiter.lastIndex = this.#at + (stripsTabs ? 3 : 2);
    const [whole = '', word = ''] = delimiter.exec(this.#code) ?? [];
    this.#at += (stripsTabs ? 3 : 2) + whole.length;
    const { input } = this.#here.list.command;
    this.#documents.push({ word: word.replaceAll(/\\(.)|['"]/g, '$1'), stripsTabs, input });
  }

  #endLine(): void {
    const { list } = this.#here;
    const isContinued = list.upstream !== undefined && list.word === undefined && list.command.isEmpty;
    if (isContinued) this.#at += 1;
    else this.#endCommand(1, false);
    for (const document of this.#documents) this.#readDocument(document);
    this.#documents = [];
  }

  #readDocument({ word, stripsTabs, input }: HereDocument): void {
    let line = this.#at;
    let next = this.#find('\n', line);
    const isEnd = () => this.#code.slice(line, next).replace(stripsTabs ? /^\t+/ : '', '') === word;
    while (line < this.#code.length && !isEnd()) {
      line = Math.min(next + 1, this.#code.length);
      next = this.#find('\n', line);
    }
    for (let at = this.#at; at < line; at += 1) if (this.#offsets.has(at)) input.members.push(at);
    this.#at = Math.min(next + 1, this.#code.length);
  }

  #endWord(length: number): void {
    const { list } = this.#here;
    if (list.word !== undefined && list.redirect === undefined) list.command.add(list.word);
    if (list.word !== undefined) list.redirect = undefined;
    list.word = undefined;
    this.#at += length;
  }

  #endCommand(length: number, isPiped: boolean): void {
    this.#endWord(length);
    const { list } = this.#here;
    const { command } = list;
    this.#endStage(this.#here);
    const written = command.endsGroup ? list.all : list.stage;
    list.upstream = isPiped ? joined(written, list.upstream) : undefined;
    list.command = new Command();
    list.stage = { members: [list.command.input] };
    list.all.members.push(list.stage);
  }

  #endStage({ list: { command, upstream }, reads }: CodeFrame): void {
    const by = command.reader;
    if (by === undefined) return;
    for (const marks of [command.input, upstream ?? reads]) {
      if (marks !== undefined) this.#executions.push({ marks, by });
    }
  }

  #openCode(length: number, closer: ')' | '`', output: Output): void {
    const frame = createFrame(closer, this.#here, output);
    this.#open(frame, length);
    this.#here = frame;
  }

  #open(frame: Frame, length: number): void {
    this.#appendText('');
    this.#frames.push(frame);
    this.#at += length;
  }

  #close(depth: number): void {
    this.#closeTo(depth);
    this.#here = this.#here.parent ?? this.#here;
    this.#at += 1;
  }

  #closeTo(depth: number): void {
    while ((this.#backquotes.at(-1) ?? -1) >= depth) this.#backquotes.pop();
    for (const frame of this.#frames.splice(depth).toReversed()) {
      if (frame.kind !== 'code') continue;
      this.#here = frame;
      this.#endWord(0);
      this.#endStage(frame);
    }
  }

  #append(length: number): void {
    this.#appendText(this.#code.slice(this.#at, this.#at + Math.min(length, maxWordLength)));
    this.#at += length;
  }

  #appendText(text: string): void {
    const { list } = this.#here;
    list.word = list.word === undefined || list.word.length < maxWordLength ? (list.word ?? '') + text : list.word;
  }

  #find(text: string, from: number): number {
    const found = this.#code.indexOf(text, from);
    return found === -1 ? this.#code.length : found;
  }
}

function joined(marks: Marks, before: Marks | undefined): Marks {
  return { members: before === undefined ? [marks] : [marks, before] };
}

/** The destination of the output of code, the program that executes it, and the input that is written to the code. */
interface Output {
  readonly marks: Marks;
  readonly executedBy?: string | undefined;
  readonly reads?: Marks;
}

function createFrame(closer: CodeFrame['closer'], parent: CodeFrame | undefined, output: Output): CodeFrame {
  const command = new Command();
  const stage: Marks = { members: [command.input] };
  const all: Marks = { members: [stage] };
  output.marks.members.push(all);
  const list: List = { all, upstream: undefined, stage, command, word: undefined, redirect: undefined };
  return { kind: 'code', closer, parent, list, executedBy: output.executedBy, reads: output.reads };
}
