import type { StepRun } from '../../model/step';
import type { SourceLocation } from '../../source/findings/source-location';
import type { Fields } from '../../shapes/read-object';
import type { stepKind } from '../../keys/step-keys/step-kind';
import type { YamlValue } from '../../source/yaml/yaml-value';

export type StepFields = Fields<typeof stepKind.keys>;

/** The call of an action, in any form. */
export interface ActionCall {
  readonly name: string;
  /** Location of the name. */
  readonly location: SourceLocation;
  /** The `with` of the call. */
  readonly settings?: YamlValue | undefined;
}

export interface RunForm {
  readonly kind: 'run';
  /** Undefined when it could not be read, which has been reported. */
  readonly run: StepRun | undefined;
  readonly settings?: YamlValue | undefined;
  /** The interpreter that a deprecated `command` next to `script` names. */
  readonly interpreter?: readonly string[] | undefined;
}

/** The work of a step, with deprecated forms converted to current ones. */
export type StepForm =
  | RunForm
  | { readonly kind: 'action'; readonly call: ActionCall }
  | { readonly kind: 'foreach'; readonly loop: YamlValue }
  /** The work could not be read, which has been reported. */
  | { readonly kind: 'broken' };
