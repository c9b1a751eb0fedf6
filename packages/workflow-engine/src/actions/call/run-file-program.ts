import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { JsonObject } from '@weir/workflow-spec';
import { errorCode } from '../../host/files/error-code';
import { withScriptFile } from '../../host/local-command/script-file';
import { actionFailed } from '../../model/steps/action-errors';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionContext } from './action-executor';
import { publishValues } from './publish-values';

/** Off-heap data of a library is not counted. */
const heapMb = 1_024;

/**
 * Passes the request to the program for files of databases and workbooks, supervised and isolated like any command and
 * ended by a stop or the timeout. Publishes its result.
 */
export async function runFileProgram(work: ActionContext, request: object, timeoutMs: number): Promise<StepOutcome> {
  const { call, services, signal, onStarted } = work;
  const { fileProgram: program } = services;
  if (program === undefined) throw actionFailed('Databases and workbooks are not available in this process.');
  const limit = AbortSignal.timeout(timeoutMs);
  return withScriptFile(JSON.stringify(request), call.enclosure?.scriptsFolder ?? tmpdir(), async (file) => {
    const args = [`--max-old-space-size=${heapMb}`, program, file];
    const run = { kind: 'program', program: process.execPath, args } as const;
    const context = { signal: AbortSignal.any([signal, limit]), onStarted };
    const outcome = await services.commands.run({ ...call, run, shell: [], isStepShell: false }, context);
    if (limit.aborted && !signal.aborted) throw actionFailed(`There was no end within ${timeoutMs / 1_000} seconds.`);
    if (outcome.status !== 'succeeded') return outcome;
    return publishValues(await readResult(file), call.maxOutputBytes);
  });
}

async function readResult(file: string): Promise<JsonObject> {
  try {
    return JSON.parse(await readFile(`${file}.result`, 'utf8')) as JsonObject;
  } catch (error) {
    throw actionFailed(`The result is missing (${errorCode(error) ?? 'unknown error'}).`, error);
  }
}
