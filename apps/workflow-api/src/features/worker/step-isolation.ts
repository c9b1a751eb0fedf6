import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import { checkIsolation, type IsolationTools } from '@weir/workflow-engine';
import type { Config } from '../../config';

/** The mechanism that isolates steps from the server, if any. */
export type StepIsolationState =
  | { readonly kind: 'namespaces'; readonly tools: IsolationTools; readonly closed: readonly string[] }
  | { readonly kind: 'none' };

export interface StepIsolationOptions {
  readonly config: Pick<Config, 'home' | 'data' | 'logs' | 'steps'>;
  readonly logger: Logger;
  /** The level at which a missing isolation of steps is logged. Default: `warn`. */
  readonly unavailableLevel?: 'warn' | 'info';
}

/** Returns the folders of the server that are closed to steps. */
export function serverFolders({ home, data, logs }: Pick<Config, 'home' | 'data' | 'logs'>): readonly string[] {
  return [path.join(home, 'auth'), data.folder, logs.folder];
}

/**
 * Tests whether this host can isolate steps. Throws `unavailable`, reason `isolation_unavailable`, where it cannot
 * although it is required.
 */
export async function openStepIsolation(
  { config, logger, unavailableLevel = 'warn' }: StepIsolationOptions,
  tryOut = checkIsolation,
): Promise<StepIsolationState> {
  const { isolationMode } = config.steps;
  if (isolationMode === 'off') {
    logger.info({ reason: 'WEIR_STEP_ISOLATION is off' }, 'steps are not isolated from the server');
    return { kind: 'none' };
  }
  const closed = serverFolders(config);
  const check = await tryOut(closed);
  if ('tools' in check) {
    logger.info({ kind: 'namespaces' }, 'steps are isolated from the server');
    return { kind: 'namespaces', tools: check.tools, closed };
  }
  if (isolationMode === 'required') {
    const message = `Steps cannot be isolated here, which WEIR_STEP_ISOLATION requires: ${check.problem}.`;
    throw new AppError('unavailable', message, { reason: 'isolation_unavailable' });
  }
  logger[unavailableLevel]({ reason: check.problem }, 'steps are not isolated from the server');
  return { kind: 'none' };
}
