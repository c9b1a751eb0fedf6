export { assertExpected } from './assert-expected';
export { describeFailure, explainFailure, type FailureContext } from './describe-failure';
export { formatFailureSummary } from './failure-summary';
export { listSettingsNotes } from './settings-notes';
export { formatStepSummary, type SummaryFields } from './step-summary';
export { readExpiryClaim } from './token-claims';
export { listVariables, type Variable } from './variables';
