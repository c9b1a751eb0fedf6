import { stripTypeScriptTypes } from 'node:module';
import { Script } from 'node:vm';
import type { ThreadRequest } from './thread-messages';

type Source = Pick<ThreadRequest, 'code' | 'form' | 'name' | 'language'>;
type Compiled = { readonly script: Script } | { readonly problem: string };

// The name must not collide with names of authors.
const result = '__weirFunction';
const opening = `"use strict"; let ${result} = `;
const emptyOpening = `"use strict"; let ${result}; `;
// A body is not in strict mode, so that every body that a function of a script may have works.
const bodyOpening = `let ${result} = async function (input) {`;
const bodyEnd = '\n}';
const closing = `\n;${result}`;

/**
 * Compiles the code of a function to a script whose value is the function: the code as an expression, its default
 * export, or the body of an async function of `input`. Lines and columns stay those of the author.
 */
export function compileCode({ code, form, name, language }: Source): Compiled {
  if (form === 'body') {
    return compileForm({ opening: bodyOpening, body: `${code}${bodyEnd}`, isModule: false }, name, language);
  }
  let first: string | undefined;
  for (const candidate of listForms(code)) {
    const compiled = compileForm(candidate, name, language);
    if ('script' in compiled) return compiled;
    // For a module, the problem of the last form is reported: it replaced the right words, or is as good as any other.
    if (first === undefined || candidate.isModule) first = compiled.problem;
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
/** Limit for code that repeats these words. */
const maxForms = 20;

/**
 * Candidates for reading the code, of which only the right one compiles: replacing `export default` inside a string or a
 * comment leaves the real one, which a script does not allow.
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
        : // A function declaration is hoisted, so all of the code can refer to it.
          `${before}${blank(match[0].slice(0, -named.length))}${named}${after}\n;${result} = ${name};`;
    yield { opening: emptyOpening, body, isModule: true };
  }
}

/** Keeps the line numbers below unchanged. */
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

/** The stack of a syntax error starts with the location. */
function describeSyntaxError(error: unknown, name: string): string {
  if (!(error instanceof Error)) return 'It cannot be read.';
  const [position = ''] = (error.stack ?? '').split('\n', 1);
  const line = position.startsWith(`${name}:`) ? /^\d+/.exec(position.slice(name.length + 1))?.[0] : undefined;
  const [message = ''] = error.message.split('\n', 1);
  return line === undefined ? message : `${message} (line ${line})`;
}
