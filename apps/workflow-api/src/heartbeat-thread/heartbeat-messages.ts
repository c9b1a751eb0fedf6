import type { HeartbeatSender } from '@weir/workflow-db/heartbeat';

export interface HeartbeatOptions {
  readonly url: string;
  readonly worker: HeartbeatSender;
  readonly everyMs: number;
  /** When the last stored heartbeat was sent, by `process.hrtime`. */
  readonly lastBeat: SharedArrayBuffer;
}

export type HeartbeatMessage =
  | { readonly kind: 'stored' }
  /** Without the message of the driver, which may contain the address. */
  | { readonly kind: 'failed'; readonly code: string };
