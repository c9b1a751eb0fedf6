import type { JsonValue } from '@weir/workflow-spec';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { readWhole } from '../files/read-whole';
import { asObject } from '@weir/foundation';
import { publishValues } from '../call/publish-values';
import type { JsCall, JsPrinted } from '../call/run-js';

const defaultTimeoutMs = 30_000;
const defaultScriptTimeoutMs = 60_000;
const defaultMemoryMb = 256;
const maxCodeBytes = 1_048_576;
const maxErrorLength = 1_000;

type Work = ActionWork<'js.run'>;

/** Runs a function of the author. The returned value is printed, and the keys of a returned object are published. */
export const jsRun: ActionExecutor<'js.run'> = async (work) => {
  const { call, services, signal, log } = work;
  const { runJs } = services;
  if (runJs === undefined) throw actionFailed('js.run is not available in this process.');
  const jsCall = await toJsCall(work);
  signal.throwIfAborted();
  const result = await runJs(jsCall, { signal, onPrinted: (printed) => print(log, printed) });
  signal.throwIfAborted();
  if (result.kind === 'failed') {
    log.note(result.stack ?? result.error);
    throw actionFailed(result.error.slice(0, maxErrorLength));
  }
  if (result.json === undefined) return undefined;
  // Valid JSON, since the thread wrote it.
  const value = JSON.parse(result.json) as JsonValue;
  log.line(jsCall.form === 'body' && typeof value === 'string' ? value : result.json);
  // Only an object has names to publish values by.
  const values = asObject(value);
  return values === undefined ? undefined : publishValues(values, call.maxOutputBytes);
};

async function toJsCall(work: Work): Promise<JsCall> {
  const { call, settings } = work;
  const { script, code = '', file, memory_mb = defaultMemoryMb } = settings;
  return {
    code: file === undefined ? (script ?? code) : await readCode(actionPath(call, file)),
    form: script === undefined ? 'function' : 'body',
    name: file ?? 'js.run',
    language: chooseLanguage(settings),
    input: await readInput(work),
    timeoutMs: chooseTimeoutMs(settings),
    memoryMb: memory_mb,
    maxBytes: call.maxOutputBytes,
  };
}

function chooseTimeoutMs({ script, timeout, timeout_sec }: Work['settings']): number {
  if (timeout_sec !== undefined) return timeout_sec * 1_000;
  const timeoutMs = durationMs('timeout', timeout, script === undefined ? defaultTimeoutMs : defaultScriptTimeoutMs);
  if (timeoutMs <= 0) throw actionFailed('timeout must be more than 0.');
  return timeoutMs;
}

/** The argument; `undefined` for a script without one. */
async function readInput({ call, settings }: Work): Promise<JsonValue | undefined> {
  const { input_file: file, format, script } = settings;
  const [setting, input] =
    file === undefined
      ? ['input', settings.input ?? (script === undefined ? null : undefined)]
      : ['input_file', await readText(actionPath(call, file), 'input_file', call.maxOutputBytes)];
  return format === 'json' && typeof input === 'string' ? parseJson(input, setting) : input;
}

function parseJson(text: string, setting: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The message of the parser would quote the value.
    throw actionFailed(`${setting} does not contain JSON.`);
  }
}

function readCode(path: string): Promise<string> {
  return readText(path, 'file', maxCodeBytes);
}

async function readText(path: string, setting: string, maxBytes: number): Promise<string> {
  return (await readWhole(path, { setting, maxBytes, isLinkFollowed: true })).toString('utf8');
}

function chooseLanguage({ language, file }: Work['settings']): JsCall['language'] {
  if (language !== undefined) return language;
  return file !== undefined && /\.[cm]?ts$/.test(file) ? 'typescript' : 'javascript';
}

function print(log: ActionLog, { stream, text }: JsPrinted): void {
  if (stream === 'stdout') log.out(text);
  // `note` adds the line break itself.
  else log.note(text.replace(/\n$/, ''));
}
