import type { evaluateOutputs } from '@weir/workflow-engine';

export type OutputRequest = Parameters<typeof evaluateOutputs>[0];
export type SelectJson = Parameters<typeof evaluateOutputs>[1];
export type OutputResult = ReturnType<typeof evaluateOutputs>;
