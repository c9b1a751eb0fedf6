import type { Paths } from '../schemas';

/** The parameters of one connection. */
export interface StreamRequest {
  readonly query: NonNullable<Paths['/events/stream']['get']['parameters']['query']>;
  readonly signal: AbortSignal;
  /** How long the stream may be silent, without even a heartbeat. */
  readonly silenceMs: number;
}
