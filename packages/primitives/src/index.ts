export { asObject } from './as-object';
export { isLoopbackHost } from './loopback-host';
export { readBounded } from './read-bounded';
export { readIfPresent } from './read-if-present';
export { untilAborted } from './until-aborted';
export { createWaitList } from './wait-list';
export { findClosingQuote } from './find-closing-quote';
export { yieldToEventLoop } from './yield-to-event-loop';
