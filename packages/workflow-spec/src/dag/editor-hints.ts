import type { BaseConfig } from './document/base-config';
import { compact } from '../model/compact';
import type { CustomAction } from '../steps/custom-actions/custom-action';
import { dagKind } from '../keys/dag-keys/dag-kind';
import type { KeyTable, ObjectKind } from '../shapes/object-kind';
import { stepKind } from '../keys/step-keys/step-kind';

export interface KeyDescription {
  readonly key: string;
  readonly description: string;
}

export interface SupportedKeys {
  readonly root: readonly KeyDescription[];
  readonly step: readonly KeyDescription[];
}

/** A custom step type that a DAG inherits. */
export interface CustomStepTypeHint {
  readonly name: string;
  readonly targetType: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface EditorHints {
  readonly inheritedCustomStepTypes: readonly CustomStepTypeHint[];
}

/** The keys in their current spelling, with a one-line description each. */
export const supportedKeys: SupportedKeys = { root: describe(dagKind), step: describe(stepKind) };

/** Returns the settings that a DAG inherits from a base configuration, for completion in editors. */
export function editorHints(base: BaseConfig = { settings: {} }): EditorHints {
  return { inheritedCustomStepTypes: (base.customActions ?? []).map(toHint) };
}

function toHint({ name, description, inputSchema = {}, template }: CustomAction): CustomStepTypeHint {
  const { action, type } = template;
  const targetType = [action, type].find((target) => typeof target === 'string') ?? 'run';
  return { name, targetType, ...compact({ description }), inputSchema };
}

function describe(kind: ObjectKind<KeyTable>): readonly KeyDescription[] {
  return Object.entries(kind.keys)
    .filter(([, spec]) => spec.replacedBy === undefined)
    .map(([key, { description }]) => ({ key, description }));
}
