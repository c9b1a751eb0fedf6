export { evaluate, interpolate, type ExpressionContext } from './expression';
export { fetchAction, type ActionSource } from './fetch-action';
export { findNode } from './find-node';
export { findLeaks, type Leak, type LeakOptions } from './leaks';
export { runSteps } from './run-steps';
export type {
  ActionStep,
  Annotation,
  Condition,
  InspectStep,
  JobView,
  LeftoverFile,
  ProgramStep,
  RunnerEvent,
  RunnerResult,
  RunnerStep,
  RunStepsOptions,
  StepResult,
} from './runner-types';
export { isWanted, readWorkflow, toSteps, type WorkflowJob, type WorkflowSettings } from './workflow-file';
