import type { JsonValue } from '@weir/workflow-spec';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { actionPath } from '../../host/files/action-paths';
import { readWhole } from '../files/read-whole';
import { asObject } from '@weir/foundation';
import { publishValues } from '../call/publish-values';
import type { JsCall, JsPrinted } from '../call/run-js';

const defaultTimeoutSec = 30;
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
  log.line(result.json);
  // Valid JSON, since the thread wrote it. Only an object has names to publish values by.
  const values = asObject(JSON.parse(result.json) as JsonValue);
  return values === undefined ? undefined : publishValues(values, call.maxOutputBytes);
};

async function toJsCall({ call, settings }: Work): Promise<JsCall> {
  const { code = '', file, input = null, timeout_sec = defaultTimeoutSec, memory_mb = defaultMemoryMb } = settings;
  return {
    code: file === undefined ? code : await readCode(actionPath(call, file)),
    name: file ?? 'js.run',
    language: chooseLanguage(settings),
    input,
    timeoutMs: timeout_sec * 1_000,
    memoryMb: memory_mb,
    maxBytes: call.maxOutputBytes,
  };
}

async function readCode(path: string): Promise<string> {
  const content = await readWhole(path, { setting: 'file', maxBytes: maxCodeBytes, isLinkFollowed: true });
  return content.toString('utf8');
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
