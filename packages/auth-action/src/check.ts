// A separate bundle, which main loads only for `check: true`.
export { runCheck } from './check/run-check';
