import type { JsonObject, JsonValue } from './json';
import type { Step } from './step';

/** Items known when the file is read, or a text that gives them when the step runs. */
export type Items = readonly JsonValue[] | string;

/** One child run for each item; only of a step that calls a DAG. */
export interface Parallel {
  readonly items: Items;
  readonly maxConcurrent: number;
}

/** One output of the loop: its name, and the reference that gives its value for one item. */
export interface Collected {
  readonly name: string;
  readonly value: string;
}

/** What a shell of this host does: commands one after another, or a script handed to it as a file. */
export type LocalRun =
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'script'; readonly script: string };

/** An action of the catalogue with its settings, whose texts may hold references. */
export interface ActionRun {
  readonly kind: 'action';
  readonly action: string;
  readonly with: JsonObject;
}

/** What a step does. */
export type StepRun =
  | LocalRun
  | ActionRun
  /** The body once for each item. */
  | {
      readonly kind: 'foreach';
      readonly items: Items;
      /** The name of the item in the body. */
      readonly as: string;
      /** A stable key of an item. */
      readonly key?: string;
      readonly maxConcurrent: number;
      readonly steps: readonly Step[];
      readonly collect: readonly Collected[];
    };
