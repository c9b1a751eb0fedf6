import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError } from '@weir/foundation';
import { runStatus } from '@weir/workflow-engine/model';
import type { StepCallAnswer, StepCallRequest } from '@weir/workflow-engine';
import type { StoreCommand } from '../shared/program-host';
import type { RunFlags } from './run-flags';

interface StepCall extends StoreCommand, RunFlags {
  readonly target: string;
}

/** Whether the command is that of an isolated step, which has no database but may start DAGs as `dag.run` does. */
export function isInStep({ env, context }: Pick<StoreCommand, 'env' | 'context'>): boolean {
  return env.WEIR_STEP_SOCKET !== undefined && context === undefined;
}

/** Starts or queues a DAG as a child run of the step. Returns the exit code. Throws `invalid_request`. */
export async function callFromStep(kind: StepCallRequest['kind'], options: StepCall): Promise<number> {
  const { target: dag, params = '', queue, print, printError } = options;
  assertKnown(kind, options);
  const request: StepCallRequest = { kind, dag, params, queue };
  const answer = await call(options.env.WEIR_STEP_SOCKET ?? '', request);
  if ('error' in answer) {
    printError(`weir: ${answer.error}`);
    return 1;
  }
  const { name, dagRunId, status } = answer;
  print(`${name} ${dagRunId}: ${status}`);
  return kind === 'enqueue' || (runStatus.is(status) && runStatus.isSuccessful(status)) ? 0 : 1;
}

async function call(socket: string, request: StepCallRequest): Promise<StepCallAnswer> {
  const line = await exchange(socket, `${JSON.stringify(request)}\n`).catch((cause: unknown) => {
    throw noAnswer(cause);
  });
  if (line === '') throw noAnswer();
  return JSON.parse(line) as StepCallAnswer;
}

/** The path of a socket has at most 107 bytes; through the open folder it is short wherever the folder is. */
async function exchange(socket: string, line: string): Promise<string> {
  const folder = await open(path.dirname(socket), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const connection = connect(`/proc/self/fd/${folder.fd}/${path.basename(socket)}`);
    connection.write(line);
    return await text(connection);
  } finally {
    await folder.close();
  }
}

function noAnswer(cause?: unknown): AppError {
  return new AppError('unavailable', 'The run of this step has ended, or does not answer.', { cause });
}

function assertKnown(kind: StepCallRequest['kind'], flags: RunFlags): void {
  const { params, queue, quiet, dags, reuse, ...others } = flags;
  const given = { ...others, ...(kind === 'start' ? { queue } : {}), ...(reuse === false ? { reuse } : {}) };
  const names = runFlagNames.filter((name) => given[name] !== undefined);
  if (names.length === 0) return;
  const message = `An isolated step gives a run parameters, and a queue with enqueue; not ${names.join(', ')}.`;
  throw new AppError('invalid_request', message);
}

const runFlagNames = [
  ...(['name', 'labels', 'runId', 'queue', 'profile', 'priority', 'triggerType', 'scheduleTime'] as const),
  ...(['fromRunId', 'reuse', 'only', 'output', 'outputsFrom'] as const),
];
