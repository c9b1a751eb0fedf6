import type { LiveState, TopicEvent } from './event-stream';

/** What a tab tells the stream that it shares with others. */
export type FromTab =
  /** All topics that the tab follows now. */
  | { readonly type: 'topics'; readonly address: string; readonly topics: readonly string[] }
  | { readonly type: 'network'; readonly isOnline: boolean }
  /** The tab goes away. */
  | { readonly type: 'leave' };

/** What it tells a tab. */
export type ToTab =
  | { readonly type: 'state'; readonly state: LiveState; readonly lastSign: Date | undefined }
  | { readonly type: 'event'; readonly event: TopicEvent };
