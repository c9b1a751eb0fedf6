export { isLoopbackHost } from './loopback-host';
export { readBounded } from './read-bounded';
export { untilAborted } from './until-aborted';
