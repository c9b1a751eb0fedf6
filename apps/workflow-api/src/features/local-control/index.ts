export { createControlClient, type ControlClient } from './control-client';
export type { RunSnapshot, StartRequest, StepSnapshot } from './control-contract';
export { startControlServer } from './control-server';
export { readRunSnapshot } from './run-snapshot';
