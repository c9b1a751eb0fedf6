import type { Step } from '../../model/step';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { readSteps } from './read-steps';
import { resolveSteps } from './resolve-steps';
import type { StepOptions } from '../scope/step-options';

/** Reads the steps of a DAG or of a loop, with their final names and dependencies. */
export function readStepList(value: YamlValue, options: StepOptions): readonly Step[] {
  return resolveSteps(readSteps(value, options), options.type, value);
}
