export { leaks, type Leak, type LeakOptions } from './leaks';
export { runSteps } from './run-steps';
export type {
  ActionStep,
  Annotation,
  CommandFileBytes,
  Condition,
  Given,
  InspectStep,
  JobView,
  LeftoverFile,
  OutcomesOfSteps,
  OutputsOfSteps,
  ParsedCommand,
  ProgramStep,
  RunnerEvent,
  RunnerResult,
  RunnerStep,
  RunStepsOptions,
  StepResult,
  Variables,
} from './runner-types';
