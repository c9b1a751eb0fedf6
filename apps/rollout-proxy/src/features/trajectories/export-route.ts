import { rolloutContract } from '@weir/rollout-contract';
import type { Logger } from '@weir/service-kit';
import type { Bind } from '../../bind';
import type { IdempotentAnswers } from '../idempotency';
import type { Session, SessionService } from '../sessions';
import type { ExportService } from './export-service';

export interface ExportRouteOptions {
  readonly exports: ExportService;
  readonly sessions: SessionService;
  readonly answers: IdempotentAnswers;
  readonly logger: Logger;
}

export function bindExportRoutes(bind: Bind, { exports, sessions, answers, logger }: ExportRouteOptions): void {
  bind(rolloutContract.exportTrajectories, async ({ input, principal: caller, signal, onSent }) => {
    const request = input.body;
    // The rows are computed again for a repeated call instead of being stored as its answer.
    const idempotent = { caller, operation: 'export', request, isRecomputed: true };
    const made = await answers.once(idempotent, () => exports.make(request, signal));
    if (request.remove_session && caller.idempotencyKey === undefined) {
      // Only a completely sent answer counts: a client that disconnected before asks again.
      onSent(() => removeSession(made.session, { sessions, logger }));
    }
    const format = request.format ?? negotiateFormat(caller.accept);
    return format === 'safetensors' ? made.toSafetensors() : made.toJson();
  });

  bind(rolloutContract.acknowledgeExport, async ({ input }) => {
    await exports.acknowledge(input.body.session_id);
    return { message: 'success' };
  });
}

/** JSON unless the header names the file. */
export function negotiateFormat(accept: string): 'json' | 'safetensors' {
  const { type } = rolloutContract.exportTrajectories.success.content;
  return accept.toLowerCase().includes(type) ? 'safetensors' : 'json';
}

function removeSession(session: Session, { sessions, logger }: Pick<ExportRouteOptions, 'sessions' | 'logger'>): void {
  sessions.remove(session).catch((error: unknown) => {
    logger.warn({ sessionId: session.id, error }, 'an exported session could not be removed');
  });
}
