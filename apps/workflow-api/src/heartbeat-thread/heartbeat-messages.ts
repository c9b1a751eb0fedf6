import type { HeartbeatSender } from '@weir/workflow-db/heartbeat';

export interface HeartbeatOptions {
  readonly url: string;
  readonly runner: HeartbeatSender;
  readonly everyMs: number;
  /** The moment, by `process.hrtime`, at which the last beat was sent that is stored. */
  readonly lastBeat: SharedArrayBuffer;
}

export type HeartbeatMessage =
  | { readonly kind: 'stored' }
  /** Without what the driver says: it may name the address. */
  | { readonly kind: 'failed'; readonly code: string };
