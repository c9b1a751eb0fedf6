// A separate bundle, which main loads only for a failure.
export { explainFailure } from './report/explain-failure';
export { formatFailureSummary } from './report/failure-summary';
export { formatFailure } from './report/format-failure';
