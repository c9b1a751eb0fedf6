import type { StepRun } from '../model/step';
import type { SourceLocation } from '../findings/source-location';
import type { Fields } from '../shapes/read-object';
import type { stepKind } from '../step-keys/step-kind';
import type { YamlValue } from '../yaml/yaml-value';

export type StepFields = Fields<typeof stepKind.keys>;

/** An action as it is called, in whichever way that is written. */
export interface ActionCall {
  readonly name: string;
  /** Where the name stands. */
  readonly location: SourceLocation;
  /** Its `with`. */
  readonly settings?: YamlValue | undefined;
}

export interface RunForm {
  readonly kind: 'run';
  /** Missing when it could not be read, which has been reported. */
  readonly run: StepRun | undefined;
  /** The `with` beside it. */
  readonly settings?: YamlValue | undefined;
  /** The program that an old `command` beside `script` named. */
  readonly interpreter?: readonly string[] | undefined;
}

/** What a step does, the old forms turned into the present ones. */
export type StepForm =
  | RunForm
  | { readonly kind: 'action'; readonly call: ActionCall }
  | { readonly kind: 'foreach'; readonly loop: YamlValue }
  /** Nothing can be said about the step; why has been reported. */
  | { readonly kind: 'broken' };
