import type { JsonObject } from '../../model/json';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { Budget } from './budget';
import type { InputCheck } from './input-schema';

/** An action defined by a DAG author: a step with placeholders. Plain data. */
export interface CustomAction {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its input; when missing, any input is accepted. */
  readonly inputSchema?: JsonObject;
  /** JSON Schema of the output of its step. */
  readonly outputSchema?: JsonObject;
  /** The step, as a map of language keys. */
  readonly template: JsonObject;
}

export interface CallableAction {
  readonly definition: CustomAction;
  /** The template in the same file; missing when it comes from a base configuration. */
  readonly template?: YamlValue;
  readonly checkInput: InputCheck;
  /** Whether the definition has errors, which were reported; its calls are not checked. */
  readonly isBroken: boolean;
  /** Findings already reported inside the template, which is read again for each call. */
  readonly reported: Set<string>;
  /** All actions of the document share the budget. */
  readonly budget: Budget;
}

export type CustomActions = ReadonlyMap<string, CallableAction>;
