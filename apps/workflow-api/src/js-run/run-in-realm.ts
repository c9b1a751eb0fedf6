import type { JsResult } from './js-call';
import type { CodeCache } from './code-cache';
import { compileCode } from './compile-code';
import { indentedText, jsonText, NotJsonError } from './json-text';
import type { Realm } from './realm';
import type { ThreadRequest } from './thread-messages';

export type Codes = CodeCache<ReturnType<typeof compileCode>>;

const maxTextLength = 16_384;

/** Runs one call to its end. Never rejects. */
export async function runInRealm(request: ThreadRequest, realm: Realm, codes: Codes): Promise<JsResult> {
  const { code, form, name, language, input, maxBytes } = request;
  const compiled = codes.getOrCreate(`${form} ${language} ${name}\n${code}`, () => compileCode(request));
  if ('problem' in compiled) return failed(`The code cannot be read: ${compiled.problem}`);
  try {
    const call = realm.run(compiled.script);
    if (typeof call !== 'function')
      return failed('The code is not a function and does not export one by "export default".');
    const value: unknown = await (call as (input: unknown) => unknown)(
      input === undefined ? undefined : realm.parse(input),
    );
    const json = form === 'body' ? indentedText(value, maxBytes) : jsonText(value, maxBytes);
    return json === undefined ? { kind: 'returned' } : { kind: 'returned', json };
  } catch (error) {
    if (error instanceof NotJsonError) return failed(`The returned value ${error.message}.`);
    return thrown(error, name);
  }
}

function failed(error: string): JsResult {
  return { kind: 'failed', error };
}

function thrown(error: unknown, name: string): JsResult {
  try {
    const text = thrownText(error).slice(0, maxTextLength);
    const stack = isObject(error) && typeof error.stack === 'string' ? ownFrames(error.stack, name) : [];
    return { kind: 'failed', error: text, stack: [text, ...stack].join('\n').slice(0, maxTextLength) };
  } catch {
    // The thrown value has accessors that throw as well.
    return failed('The function threw what cannot be shown.');
  }
}

export function thrownText(error: unknown): string {
  if (!isObject(error) || typeof error.message !== 'string') return `The function threw ${String(error)}`;
  const kind = typeof error.name === 'string' ? error.name : 'Error';
  return error.message === '' ? kind : `${kind}: ${error.message}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns the stack frames in the code of the author. */
function ownFrames(stack: string, name: string): readonly string[] {
  return stack.split('\n').filter((line) => line.startsWith('    at ') && line.includes(`${name}:`));
}
