export { createControlClient, createRemoteControl, type ControlClient } from './control-client';
export type { RunSnapshot, StartRequest, StepSnapshot } from './control-contract';
export type { HistoryQuery, RemoveQuery, RunAddress, RunView, StoppedRun } from './control-messages';
export { decisions, type ApprovalOrder, type Gate, type TaskOrder } from './decision-messages';
export { createLocalControl, type LocalControl } from './local-control';
export type { RunControl } from './run-control';
export { readRunSnapshot } from './run-snapshot';
