// A separate bundle, which main loads only for a failure.
export { describeFailure, explainFailure, type FailureContext } from './report/describe-failure';
export { formatFailureSummary } from './report/failure-summary';
