import { AppError, isAppError } from '@weir/foundation';
import { addRequestDetails, createJsonBodyReader, disconnectSignal } from '@weir/service-kit';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { calls, FileAddress, maxPieceBytes, ObjectAddress, workerIdHeader, type CallName } from './protocol';
import { remoteWorkerPrefix } from '../queue/store/remote-owner';
import { objectsOf, runFolders } from './run-folders';
import { createWorkerCalls, type Caller, type WorkerCallPorts } from './worker-calls';

export interface WorkerGatewayPorts extends WorkerCallPorts {
  /** Finds the worker token that a caller has sent. */
  readonly identify: (token: string) => Promise<Caller['token'] | undefined>;
}

/** The outputs of the steps of a run may be megabytes. */
const maxCallBytes = 32 * 1024 * 1024;
const bearer = /^Bearer (?<token>\S+)$/i;
/** Answers a refusal that is meant for the run. Every other failure means to a worker that its call was not performed. */
const refusedStatus = 422;

/** Serves the calls of workers that have no database. Nothing of a request is read before its token is known. */
export function createWorkerGateway(ports: WorkerGatewayPorts): RequestHandler {
  const { calls: performed, getWritten } = createWorkerCalls(ports);
  const router = Router({ caseSensitive: true });
  const readBody = createJsonBodyReader({ maxBytes: maxCallBytes });

  const admit = async (req: Request, res: Response): Promise<Caller> => {
    addRequestDetails(req, { route: `${req.baseUrl}${routeOf(req.path)}`, isRoutine: true });
    const sent = bearer.exec(req.headers.authorization ?? '')?.groups?.token;
    const token = sent === undefined ? undefined : await ports.identify(sent);
    const workerId = req.get(workerIdHeader) ?? '';
    const isFirst = req.path === '/calls/hello';
    if (token === undefined || !(isFirst || workerId.startsWith(remoteWorkerPrefix(token)))) throw tokenRefused();
    addRequestDetails(req, { principalId: token.id });
    return { token, workerId, signal: disconnectSignal(res) };
  };

  router.post('/calls/:name', async (req, res) => {
    const caller = await admit(req, res);
    const { name } = req.params;
    if (!isCall(name)) throw new AppError('not_found', 'This server has no such call.');
    const request = parse(calls[name].request, (await readBody(req, res)) ?? null);
    const perform = performed[name] as (request: unknown, caller: Caller) => Promise<unknown>;
    await answer(res, async () => {
      const found = await perform(request, caller);
      res.json(found);
    });
  });
  router.get('/files', async (req, res) => {
    const caller = await admit(req, res);
    const { run: runId, token, from, ...place } = parse(FileAddress, req.query);
    await answer(res, async () => {
      const run = await getWritten({ runId, token }, caller);
      sendBytes(res, await runFolders.read({ ...place, run }, from));
    });
  });
  router.put('/files', async (req, res) => {
    const caller = await admit(req, res);
    const { run: runId, token, from, ...place } = parse(FileAddress, req.query);
    await answer(res, async () => {
      const run = await getWritten({ runId, token }, caller);
      await runFolders.write({ ...place, run }, from, await readBytes(req, res));
      res.json(null);
    });
  });
  router.get('/objects', async (req, res) => {
    const caller = await admit(req, res);
    const { run: runId, token, folder, key, from = 0, to } = parse(ObjectAddress, req.query);
    await answer(res, async () => {
      const objects = objectsOf(await getWritten({ runId, token }, caller), folder, ports.objects);
      const found = await objects.get(key, to === undefined ? undefined : { from, to });
      if (found === undefined) res.status(204).end();
      else sendBytes(res, found);
    });
  });
  router.put('/objects', async (req, res) => {
    const caller = await admit(req, res);
    const { run: runId, token, folder, key } = parse(ObjectAddress, req.query);
    await answer(res, async () => {
      const objects = objectsOf(await getWritten({ runId, token }, caller), folder, ports.objects);
      await objects.putStream(key, req);
      res.json(null);
    });
  });
  return router;
}

/** What is logged of a path, which may have anything. */
function routeOf(path: string): string {
  const [, kind = '', name = ''] = path.split('/');
  return kind === 'calls' ? `/calls/${isCall(name) ? name : 'unknown'}` : `/${kind}`;
}

function isCall(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // The value may hold outputs, so only its place is said.
  const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'the request');
  throw new AppError('invalid_request', `The call cannot be understood at ${places.join(', ')}.`, {
    reason: 'worker_call_invalid',
  });
}

async function answer(res: Response, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isAppError(error) || error.code === 'unavailable' || error.code === 'internal') throw error;
    const { code, message, reason } = error;
    res.status(refusedStatus).json({ code, message, reason });
  }
}

function sendBytes(res: Response, bytes: Buffer): void {
  res.type('application/octet-stream').send(bytes);
}

const readRaw = express.raw({ limit: maxPieceBytes, type: () => true });

function readBytes(req: Request, res: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => {
      const body: unknown = req.body;
      if (error === undefined) resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      else reject(new AppError('payload_too_large', `A piece has at most ${maxPieceBytes} bytes.`, { cause: error }));
    });
  });
}

function tokenRefused(): AppError {
  return new AppError('unauthenticated', 'The worker token is not known to this server.', {
    reason: 'worker_token_refused',
  });
}
