export { assertExpected } from './assert-expected';
export { listSettingsNotes } from './settings-notes';
export { formatStepSummary, type SummaryFields } from './step-summary';
export { readExpiryClaim } from './token-claims';
export { listVariables, type Variable } from './variables';
