export { type GraphStep } from './graph-step';
export { StepGraph, type StepGraphProps } from './step-graph';
export { StepList, type StepListProps } from './step-list';
