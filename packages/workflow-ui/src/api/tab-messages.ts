import type { LiveState, TopicEvent } from './event-stream';

/** A message of a tab to the stream that it shares with others. */
export type FromTab =
  /** All topics that the tab follows now. */
  | { readonly type: 'topics'; readonly address: string; readonly topics: readonly string[] }
  | { readonly type: 'network'; readonly isOnline: boolean }
  /** The tab is closed. */
  | { readonly type: 'leave' };

/** A message of the stream to a tab. */
export type ToTab =
  | { readonly type: 'state'; readonly state: LiveState; readonly lastSign: Date | undefined }
  | { readonly type: 'event'; readonly event: TopicEvent };
