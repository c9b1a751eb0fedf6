import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { AppError, isAppError } from '@weir/foundation';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { RunContext } from '../context/run-context';
import type { ChildCall } from './child-call';
import { runChild } from './run-child';
import { enqueueChild } from './start-child';

/** Names the socket on which a command of an isolated step starts other DAGs. */
const socketVariable = 'WEIR_STEP_SOCKET';

/** The request of a command: one line of JSON. `params` are those of `dag.run`. */
export interface StepCallRequest {
  readonly kind: 'start' | 'enqueue';
  /** Name of a DAG. */
  readonly dag: string;
  readonly params: string;
  /** The queue to wait in instead of that of the DAG; only with `enqueue`. */
  readonly queue?: string | undefined;
}

/** The answer: one line of JSON, once a run that was started has ended. */
export type StepCallAnswer =
  { readonly name: string; readonly dagRunId: string; readonly status: string } | { readonly error: string };

const maxRequestLength = 1024 * 1024;
const maxConnections = 64;

interface Callable {
  readonly context: RunContext;
  readonly execution: StepExecution;
}

/**
 * Executes a command that may start DAGs over a socket inside its enclosure. Who reaches the socket can do what `dag.run`
 * and `dag.enqueue` of this step could with the name of a DAG, and nothing else. What the command has not waited for is
 * stopped when it ends.
 */
export async function withStepCalls<Result>(
  enclosure: Enclosure,
  callable: Callable,
  execute: (variables: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const { scriptsFolder } = enclosure;
  await mkdir(scriptsFolder, { recursive: true, mode: 0o700 });
  const name = randomUUID().slice(0, 8);
  // The path of a socket has at most 107 bytes; through the open folder it is short wherever the folder is.
  const folder = await open(scriptsFolder, constants.O_RDONLY | constants.O_DIRECTORY);
  const ending = new AbortController();
  const calls = new Set<Promise<void>>();
  const common = { ending: ending.signal, counts: new Map<string, number>(), lending: createLending(callable.context) };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const call = answer(socket, callable, common).finally(() => {
      socket.destroySoon();
      calls.delete(call);
    });
    calls.add(call);
  });
  server.maxConnections = maxConnections;
  try {
    const isOpen = await listen(server, `/proc/self/fd/${folder.fd}/${name}`).then(
      () => true,
      (error: unknown) => {
        // Some file systems have no sockets, and nearly every command does without.
        callable.context.ports.logger.warn({ folder: scriptsFolder, error }, 'steps cannot start DAGs by a command');
        return false;
      },
    );
    return await execute(isOpen ? { [socketVariable]: `${scriptsFolder}/${name}` } : {});
  } finally {
    ending.abort();
    await Promise.all(calls);
    await new Promise((resolve) => server.close(resolve));
    await folder.close();
  }
}

interface Answering {
  /** Aborted when the command has ended. */
  readonly ending: AbortSignal;
  /** How often this attempt has made each call. */
  readonly counts: Map<string, number>;
  readonly lending: Lending;
}

/** While the command waits for runs, what these start may take its place among the processes. */
interface Lending {
  readonly begin: () => void;
  readonly end: () => void;
}

function createLending({ ports }: RunContext): Lending {
  let waiting = 0;
  let takeBack = (): void => undefined;
  return {
    begin: () => {
      if (waiting === 0) takeBack = ports.processPermits.lend();
      waiting += 1;
    },
    end: () => {
      waiting -= 1;
      if (waiting === 0) takeBack();
    },
  };
}

/** Never rejects. */
async function answer(
  socket: Socket,
  { context, execution }: Callable,
  { ending, counts, lending }: Answering,
): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const signal = AbortSignal.any([execution.signal, ending, gone.signal]);
  try {
    const request = readRequest(await readLine(socket, signal));
    const key = JSON.stringify(request);
    const repetition = counts.get(key) ?? 0;
    counts.set(key, repetition + 1);
    const call: ChildCall = { ...request, isOneOfMany: false, repetition, isByCommand: true };
    lending.begin();
    try {
      send(socket, await make(request.kind, call, { context, execution: { ...execution, signal } }));
    } finally {
      lending.end();
    }
  } catch (error) {
    if (isStoreFailure(error)) context.abandon(error);
    send(socket, { error: isAppError(error) ? error.message : 'The DAG could not be started.' });
  }
}

async function make(
  kind: StepCallRequest['kind'],
  call: ChildCall,
  { context, execution }: Callable,
): Promise<StepCallAnswer> {
  const { run } = await (kind === 'start' ? runChild : enqueueChild)(context, execution, call);
  return { name: run.dagName, dagRunId: run.dagRunId, status: run.status };
}

function send(socket: Socket, line: StepCallAnswer): void {
  if (!socket.destroyed) socket.end(`${JSON.stringify(line)}\n`);
}

async function readLine(socket: Socket, signal: AbortSignal): Promise<string> {
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxRequestLength) socket.destroy();
  });
  for await (const line of createInterface({ input: socket, signal, crlfDelay: Infinity })) {
    // That the command has gone is seen only while the socket is read.
    socket.resume();
    return line;
  }
  return '';
}

/** Throws `invalid_request` for anything else than a request. */
function readRequest(line: string): StepCallRequest {
  const { kind, dag, params, queue } = parseObject(line);
  const isKnown = kind === 'start' || kind === 'enqueue';
  if (!isKnown || typeof dag !== 'string' || typeof params !== 'string')
    throw requestInvalid('It is no call of a DAG.');
  // The server would read any other file for the step.
  if (dag === '' || /[/\\]|\.ya?ml$/.test(dag)) throw requestInvalid('An isolated step starts DAGs by their names.');
  return { kind, dag, params, ...(typeof queue === 'string' && kind === 'enqueue' ? { queue } : {}) };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(line);
    return typeof found === 'object' && found !== null ? { ...found } : {};
  } catch {
    return {};
  }
}

function requestInvalid(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'request_invalid' });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
