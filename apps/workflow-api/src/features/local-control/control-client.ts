import { request } from 'node:http';
import { AppError } from '@weir/errors';
import { fillPath, type Endpoint } from '@weir/http-contract';
import { z } from 'zod';
import {
  completeHere,
  decideHere,
  dequeueHere,
  enqueueHere,
  gatesHere,
  historyHere,
  paramsOfHere,
  removeHere,
  retryHere,
  statusHere,
  stopHere,
  suspendedHere,
} from './control-endpoints';
import { Removed, Runs, StoppedRuns, Suspended } from './control-messages';
import { ApprovalDone, Gates, ParamsOfRun, TaskDone } from './decision-messages';
import type { RunControl } from './run-control';
import { readRunHere, RunSnapshot, startRunHere, stopRunHere, type StartRequest } from './control-contract';

/** The other end of the server's control socket. Every call throws `control_unavailable` when nobody answers. */
export interface ControlClient {
  /** Throws what the server refuses it for. */
  start(run: StartRequest): Promise<RunSnapshot>;
  read(id: string): Promise<RunSnapshot>;
  stop(id: string): Promise<void>;
}

const timeoutMs = 10_000;
const ErrorBody = z.object({ message: z.string(), reason: z.string().optional() });

export function createControlClient(socket: string): ControlClient {
  return {
    start: async (run) => RunSnapshot.parse(await call(socket, startRunHere, {}, run)),
    read: async (id) => RunSnapshot.parse(await call(socket, readRunHere, { id })),
    stop: async (id) => {
      await call(socket, stopRunHere, { id });
    },
  };
}

/** The operations of the server that has the database. */
export function createRemoteControl(socket: string): RunControl {
  return {
    enqueue: async (request) => RunSnapshot.parse(await call(socket, enqueueHere, {}, request)),
    status: async (run) => RunSnapshot.parse(await call(socket, statusHere, {}, run)),
    history: async (query) => Runs.parse(await call(socket, historyHere, {}, query)).runs,
    stop: async (run) => StoppedRuns.parse(await call(socket, stopHere, {}, run)).runs,
    dequeue: async (run) => StoppedRuns.parse(await call(socket, dequeueHere, {}, run)).runs,
    remove: async (query) => Removed.parse(await call(socket, removeHere, {}, query)),
    paramsOf: async (run) => ParamsOfRun.parse(await call(socket, paramsOfHere, {}, run)),
    retry: async (order) => RunSnapshot.parse(await call(socket, retryHere, {}, order)),
    gates: async (run) => Gates.parse(await call(socket, gatesHere, {}, run)).gates,
    complete: async (order) => TaskDone.parse(await call(socket, completeHere, {}, order)),
    decide: async (order) => ApprovalDone.parse(await call(socket, decideHere, {}, order)),
    suspended: async () => Suspended.parse(await call(socket, suspendedHere, {}, {})).fileNames,
  };
}

async function call(
  socket: string,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<unknown> {
  const { status, text } = await send(socket, endpoint, fillPath(endpoint.path, params), body);
  if (status === endpoint.success.status) return text === '' ? undefined : JSON.parse(text);
  const refusal = ErrorBody.safeParse(JSON.parse(text));
  throw new AppError('conflict', refusal.data?.message ?? `The server answered ${status}.`, {
    reason: refusal.data?.reason ?? 'control_refused',
  });
}

// Not fetch: it cannot be pointed at a socket without a library.
function send(
  socket: string,
  { method }: Endpoint,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(
        new AppError('unavailable', 'The server that has the database does not answer.', {
          reason: 'control_unavailable',
          cause,
        }),
      );
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request({ socketPath: socket, path, method, headers, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', fail);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.once('error', fail);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
