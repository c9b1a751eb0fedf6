import { rolloutContract, ExportRequest } from '@weir/rollout-contract';
import {
  addRequestDetails,
  disconnectSignal,
  parseInputPart,
  type AccessGuard,
  type JsonBodyReader,
  type Logger,
} from '@weir/service-kit';
import { Router, type Response } from 'express';
import type { Bind } from '../../bind';
import type { Caller } from '../access';
import type { IdempotentAnswers } from '../idempotency';
import type { Session, SessionService } from '../sessions';
import type { ExportService, Trajectories } from './export-service';

export interface ExportRouteOptions {
  readonly exports: ExportService;
  readonly sessions: SessionService;
  readonly answers: IdempotentAnswers;
  readonly guard: AccessGuard<Caller<Session>>;
  readonly readBody: JsonBodyReader;
  readonly logger: Logger;
}

const safetensorsType = 'application/x-safetensors';

/**
 * Not bound by the binder, because its answer is a file or JSON, and because a repeated request computes the rows again
 * instead of using a stored answer.
 */
export function exportRoute(options: ExportRouteOptions): Router {
  const { exports, answers, guard, readBody } = options;
  const { path, access } = rolloutContract.exportTrajectories;
  const router = Router({ caseSensitive: true });
  router.post(path, async (req, res) => {
    addRequestDetails(req, { route: path });
    const caller = await guard(req, access);
    const request = parseInputPart('body', ExportRequest, (await readBody(req, res)) ?? {});
    const idempotent = { caller, operation: 'export', request, isRecomputed: true };
    const made = await answers.once(idempotent, () => exports.make(request, disconnectSignal(res)));
    const isFile = (request.format ?? negotiateFormat(caller.accept)) === 'safetensors';
    removeWhenSent(made, res, request.remove_session && caller.idempotencyKey === undefined, options);
    send(made, isFile, res);
  });
  return router;
}

export function bindAcknowledge(bind: Bind, { exports }: Pick<ExportRouteOptions, 'exports'>): void {
  bind(rolloutContract.acknowledgeExport, async ({ input }) => {
    await exports.acknowledge(input.body.session_id);
    return { message: 'success' };
  });
}

function negotiateFormat(accept: string): 'json' | 'safetensors' {
  return accept.toLowerCase().includes(safetensorsType) ? 'safetensors' : 'json';
}

function send(made: Trajectories, isFile: boolean, res: Response): void {
  if (!isFile) {
    res.status(200).json(made.toJson());
    return;
  }
  const bytes = made.toSafetensors();
  res.status(200).set('content-type', safetensorsType);
  res.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Only after a complete answer: a client that disconnected before must be able to repeat the export. */
function removeWhenSent(
  { session }: Trajectories,
  res: Response,
  isWanted: boolean,
  { sessions, logger }: Pick<ExportRouteOptions, 'sessions' | 'logger'>,
): void {
  if (!isWanted) return;
  res.once('close', () => {
    if (!res.writableFinished) return;
    sessions.remove(session).catch((error: unknown) => {
      logger.warn({ sessionId: session.id, error }, 'an exported session could not be removed');
    });
  });
}
