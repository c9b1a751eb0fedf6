import { stripTypeScriptTypes } from 'node:module';
import { Script } from 'node:vm';
import type { ThreadRequest } from './thread-messages';

type Source = Pick<ThreadRequest, 'code' | 'name' | 'language'>;
type Compiled = { readonly script: Script } | { readonly problem: string };

// A name that nobody gives to something of their own.
const result = '__weirFunction';
const opening = `"use strict"; let ${result} = `;
const emptyOpening = `"use strict"; let ${result}; `;
const closing = `\n;${result}`;

/**
 * Compiles a function, which is the value of the script: one that the code is as an expression, or the one that it
 * exports by `export default`. Lines and columns stay those of the author.
 */
export function compileCode({ code, name, language }: Source): Compiled {
  let first: string | undefined;
  for (const form of listForms(code)) {
    const compiled = compileForm(form, name, language);
    if ('script' in compiled) return compiled;
    // Of a module the last form is the one that replaced the right words, or as good as any other.
    if (first === undefined || form.isModule) first = compiled.problem;
  }
  return { problem: first ?? 'It is empty.' };
}

interface Form {
  readonly opening: string;
  readonly body: string;
  readonly isModule: boolean;
}

const exportDefault =
  /\bexport\s+default\b(?<named>\s+(?:async\s+)?function\b\s*\*?\s*(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*))?/gu;
/** More of these words are not looked at: one is right. */
const maxForms = 20;

/**
 * Ways to read the code. Where the words `export default` stand in a text or comment, replacing them leaves the real
 * ones, which a script does not take: only the right form compiles.
 */
function* listForms(code: string): Generator<Form> {
  yield { opening, body: code, isModule: false };
  let count = 0;
  for (const match of code.matchAll(exportDefault)) {
    count += 1;
    if (count > maxForms) return;
    const { name, named } = match.groups ?? {};
    const before = code.slice(0, match.index);
    const after = code.slice(match.index + match[0].length);
    const body =
      name === undefined || named === undefined
        ? `${before}${replaceKeepingLines(match[0], `${result} = `)}${after}`
        : // A function with a name is known to all of the code, wherever it stands.
          `${before}${blank(match[0].slice(0, -named.length))}${named}${after}\n;${result} = ${name};`;
    yield { opening: emptyOpening, body, isModule: true };
  }
}

/** The lines below keep their numbers. */
function replaceKeepingLines(words: string, replacement: string): string {
  return replacement + words.replace(/[^\n]/g, '');
}

function blank(words: string): string {
  return words.replace(/[^\n]/g, ' ');
}

function compileForm(form: Form, name: string, language: Source['language']): Compiled {
  const whole = `${form.opening}${form.body}${closing}`;
  try {
    const source = language === 'typescript' ? stripTypeScriptTypes(whole) : whole;
    return { script: new Script(source, { filename: name, columnOffset: -form.opening.length }) };
  } catch (error) {
    return { problem: describeSyntaxError(error, name) };
  }
}

/** The stack of a syntax error begins with the place, and goes on with the line of code. */
function describeSyntaxError(error: unknown, name: string): string {
  if (!(error instanceof Error)) return 'It cannot be read.';
  const [position = ''] = (error.stack ?? '').split('\n', 1);
  const line = position.startsWith(`${name}:`) ? /^\d+/.exec(position.slice(name.length + 1))?.[0] : undefined;
  const [message = ''] = error.message.split('\n', 1);
  return line === undefined ? message : `${message} (line ${line})`;
}
