import type { HeartbeatSender } from '@weir/workflow-db/heartbeat';

export interface HeartbeatOptions {
  readonly url: string;
  readonly worker: HeartbeatSender;
  readonly everyMs: number;
  /** The time when the last stored heartbeat was sent, by `process.hrtime`. */
  readonly lastBeat: SharedArrayBuffer;
}

export type HeartbeatMessage =
  | { readonly kind: 'stored' }
  /** The message of the driver is left out, because it may contain the address. */
  | { readonly kind: 'failed'; readonly code: string };
