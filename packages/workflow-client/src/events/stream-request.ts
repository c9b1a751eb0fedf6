import type { Paths } from '../schemas';

/** What one connection asks for. */
export interface StreamRequest {
  readonly query: NonNullable<Paths['/events/stream']['get']['parameters']['query']>;
  readonly signal: AbortSignal;
  /** How long nothing, not even a heartbeat, may be received. */
  readonly silenceMs: number;
}
