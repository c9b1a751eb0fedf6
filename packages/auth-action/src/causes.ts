// A separate bundle, which is loaded only for a failure that is not about an input.
export { explainCause } from './report/explain-cause';
