import { toError } from '@weir/foundation';
import { EpisodeError, type RejectedEpisode, type RejectionReason } from './outcome';

export interface FailedEpisode {
  readonly error: unknown;
  /** The reason for errors that do not name one themselves. */
  readonly otherwise: RejectionReason;
  readonly sessionId?: string | undefined;
  readonly cleanUpError?: Error | undefined;
}

/** The outcome of a failed episode. */
export function toRejected({ error: caught, otherwise, sessionId, cleanUpError }: FailedEpisode): RejectedEpisode {
  const error = toError(caught);
  return {
    kind: 'episode',
    status: 'rejected',
    reason: error instanceof EpisodeError ? error.reason : otherwise,
    error,
    sessionId,
    ...(cleanUpError === undefined ? {} : { cleanUpError }),
  };
}
