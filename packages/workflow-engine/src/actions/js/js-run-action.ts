import type { JsonValue } from '@weir/workflow-spec';
import { outputBytes, type StepOutputs } from '../../outputs/step-outputs';
import type { ActionCall, ActionDependencies, ActionExecutor } from '../action-executor';
import { actionFailed } from '../action-errors';
import type { ActionLog } from '../action-log';
import { actionPath } from '../action-paths';
import { asObject, type ActionSettings } from '../action-settings';
import { defineExecutor } from '../define-executor';
import { readWhole } from '../files/read-whole';
import type { JsCall, JsPrinted } from './run-js';

const defaultTimeoutSec = 30;
const defaultMemoryMb = 256;
const maxCodeBytes = 1_048_576;
const maxErrorLength = 1_000;

/** Runs a function of the author. An object that it returns is published key by key, and every value is printed. */
export function createJsRun({ runJs }: Pick<ActionDependencies, 'runJs'>): ActionExecutor {
  return defineExecutor(async ({ call, settings, signal, log }) => {
    if (runJs === undefined) throw actionFailed('js.run is not at hand in this process.');
    const jsCall = await toJsCall(call, settings);
    signal.throwIfAborted();
    const answer = await runJs(jsCall, { signal, onPrinted: (printed) => print(log, printed) });
    signal.throwIfAborted();
    if (answer.kind === 'failed') {
      log.note(answer.stack ?? answer.error);
      throw actionFailed(answer.error.slice(0, maxErrorLength));
    }
    if (answer.json === undefined) return undefined;
    log.line(answer.json);
    const outputs = toOutputs(answer.json);
    if (outputs === undefined) return undefined;
    if (outputBytes(outputs) > call.maxOutputBytes) throw actionFailed(tooLarge(call.maxOutputBytes));
    return { status: 'succeeded', outputs };
  });
}

async function toJsCall(call: ActionCall, settings: ActionSettings): Promise<JsCall> {
  const file = settings.text('file');
  return {
    code: file === undefined ? settings.required('code') : await readCode(actionPath(call, file)),
    name: file ?? 'js.run',
    language: chooseLanguage(settings.text('language'), file),
    input: settings.value('input') ?? null,
    timeoutMs: (settings.number('timeout_sec') ?? defaultTimeoutSec) * 1_000,
    memoryMb: settings.number('memory_mb') ?? defaultMemoryMb,
    maxBytes: call.maxOutputBytes,
  };
}

async function readCode(path: string): Promise<string> {
  const content = await readWhole(path, { setting: 'file', maxBytes: maxCodeBytes, isLinkFollowed: true });
  return content.toString('utf8');
}

function chooseLanguage(named: string | undefined, file: string | undefined): JsCall['language'] {
  if (named !== undefined) return named === 'typescript' ? 'typescript' : 'javascript';
  return file !== undefined && /\.[cm]?ts$/.test(file) ? 'typescript' : 'javascript';
}

function print(log: ActionLog, { stream, text }: JsPrinted): void {
  if (stream === 'stdout') log.out(text);
  // A note ends its line itself.
  else log.note(text.replace(/\n$/, ''));
}

/** The keys of an object; any other value has no names to be published by. */
function toOutputs(json: string): StepOutputs | undefined {
  // The thread has written it.
  const values = asObject(JSON.parse(json) as JsonValue);
  if (values === undefined) return undefined;
  return { fields: [], declared: Object.entries(values).map(([name, value]) => ({ name, value })) };
}

function tooLarge(bytes: number): string {
  return `The outputs of the step are larger than ${bytes} bytes.`;
}
