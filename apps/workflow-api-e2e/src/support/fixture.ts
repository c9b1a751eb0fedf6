import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A finding that a fixture announces. */
export interface ExpectedFinding {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  /** `line:column` of its start, with `-line:column` of its end where that matters. */
  readonly location: string;
  readonly phrase: string;
  readonly fix: string | undefined;
}

/** A value that must be, or with `value` undefined must not be, in what was read. */
export interface ExpectedValue {
  readonly pointer: string;
  readonly value: unknown;
}

/** A DAG file whose leading `#:` lines say what is expected of it. */
export interface Fixture {
  /** Of the file. */
  readonly name: string;
  readonly title: string;
  readonly findings: readonly ExpectedFinding[];
  readonly values: readonly ExpectedValue[];
  readonly base: string | undefined;
  /** Further words of `weir start`; undefined when the file is only checked. */
  readonly run: readonly string[] | undefined;
  /** What a run says that does not succeed: each phrase. */
  readonly fails: readonly string[];
  /** Whether the run shall succeed in part. */
  readonly succeedsInPart: boolean;
}

type Draft = { -readonly [Key in keyof Fixture]: Fixture[Key] };
type ReadLine = (draft: Draft, rest: string, folder: string) => void;

const findingForm = /^(?<code>[a-z][a-z0-9_]*) (?<location>\d+:\d+(?:-\d+:\d+)?)(?: (?<phrase>.+))?$/;
const valueForm = /^(?<pointer>(?:\/\S*)?) = (?<value>.+)$/;

const words: Readonly<Record<string, ReadLine>> = {
  is: (draft, rest) => {
    if (rest === '') throw new Error('"#: is" needs a text');
    draft.title = rest;
  },
  error: addFinding('error'),
  warning: addFinding('warning'),
  info: addFinding('info'),
  fix: (draft, rest) => {
    const last = draft.findings.at(-1);
    if (last === undefined) throw new Error('"#: fix" stands after no finding');
    draft.findings = draft.findings.with(-1, { ...last, fix: rest });
  },
  has: (draft, rest) => {
    const { pointer, value } = valueForm.exec(rest)?.groups ?? {};
    if (pointer === undefined || value === undefined) throw new Error('"#: has" is "/pointer = JSON"');
    draft.values = [...draft.values, { pointer, value: value === 'absent' ? undefined : JSON.parse(value) }];
  },
  base: (draft, rest, folder) => {
    if (!existsSync(path.join(folder, rest))) throw new Error(`there is no base configuration "${rest}" beside it`);
    draft.base = rest;
  },
  run: (draft, rest) => {
    draft.run = rest === '' ? [] : splitWords(rest);
  },
  fails: (draft, rest) => {
    if (rest === '') throw new Error('"#: fails" needs a phrase');
    draft.fails = [...draft.fails, rest];
  },
  partly: (draft) => {
    draft.succeedsInPart = true;
  },
};

/** Reads the head of a fixture; throws, naming the file, when it cannot be understood. */
export function readFixture(file: string): Fixture {
  const name = path.basename(file);
  const draft: Draft = {
    name,
    title: '',
    findings: [],
    values: [],
    base: undefined,
    run: undefined,
    fails: [],
    succeedsInPart: false,
  };
  try {
    for (const line of readHead(file)) readLine(draft, line, path.dirname(file));
    if (draft.title === '') throw new Error('it has no "#: is" line');
    if ((draft.fails.length > 0 || draft.succeedsInPart) && draft.run === undefined) {
      throw new Error('"#: fails" and "#: partly" need "#: run"');
    }
  } catch (cause) {
    throw new Error(`Fixture ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return draft;
}

/** The text of the fixture's head, without the `#:` of its lines. A head below the first other line is a mistake. */
function readHead(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\r\n]/);
  const isHead = (line: string): boolean => line.startsWith('#:');
  const end = lines.findIndex((line) => !isHead(line));
  const stray = end === -1 ? -1 : lines.findIndex((line, index) => index > end && isHead(line));
  if (stray !== -1) throw new Error(`the "#:" of line ${stray + 1} does not belong to its head`);
  return lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2).trim());
}

function readLine(draft: Draft, line: string, folder: string): void {
  const [word = ''] = line.split(' ');
  const read = words[word];
  if (read === undefined) throw new Error(`"#: ${word}" is none of ${Object.keys(words).join(', ')}`);
  read(draft, line.slice(word.length).trim(), folder);
}

function addFinding(severity: ExpectedFinding['severity']): ReadLine {
  return (draft, rest) => {
    const { code, location, phrase = '' } = findingForm.exec(rest)?.groups ?? {};
    if (code === undefined || location === undefined) {
      throw new Error(`"#: ${severity}" is "code line:column phrase", not "${rest}"`);
    }
    draft.findings = [...draft.findings, { severity, code, location, phrase, fix: undefined }];
  };
}

/** Words with spaces between them; quotes keep a word with spaces together. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
