import type { JsonObject } from '../model/json';
import type { YamlValue } from '../yaml/yaml-value';
import type { Budget } from './budget';
import type { InputCheck } from './input-schema';

/** An action that authors have made: a step with gaps. Plain data. */
export interface CustomAction {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its input; missing takes any. */
  readonly inputSchema?: JsonObject;
  /** JSON Schema of what its step prints. */
  readonly outputSchema?: JsonObject;
  /** The step, in the keys of the language. */
  readonly template: JsonObject;
}

/** A custom action that the steps of a document may call. */
export interface CallableAction {
  readonly definition: CustomAction;
  /** The template as it stands in the same file; missing for what a base configuration gave. */
  readonly template?: YamlValue;
  readonly checkInput: InputCheck;
  /** Whether its definition is wrong: that was reported, and nothing is said about its calls. */
  readonly isBroken: boolean;
  /** What has been reported inside the template; each call reads it again. */
  readonly reported: Set<string>;
  /** Shared by all actions of the document. */
  readonly budget: Budget;
}

export type CustomActions = ReadonlyMap<string, CallableAction>;
