export { assertExpected } from './assert-expected';
export { describeFailure, type FailureContext } from './describe-failure';
export { settingsNotes } from './settings-notes';
export { stepSummary, type SummaryFacts } from './step-summary';
export { expiryClaimOf } from './token-claims';
export { variablesOf, type Variable } from './variables';
