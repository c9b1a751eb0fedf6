import { compact } from '../../model/compact';
import type { Field } from '../../shapes/read-object';
import { oneWord } from '../../keys/step-keys/steps-schema';
import { getKind, getText } from '../../source/yaml/yaml-value';
import type { StepFields } from '../form/step-form';

const target = new RegExp(oneWord);
const file = /^[\w./-]+\.ya?ml$/;

/** Whether a step whose `run` is only this text calls a DAG. */
export function isCallOfFile(run: string): boolean {
  return file.test(run);
}

/**
 * Reads the call of a DAG as in 1.x: `run` names the DAG, next to `params` or `parallel`, which a command cannot
 * have, or is only the name of a YAML file. Returns `undefined` for a command.
 */
export function readDeprecatedSubDag(fields: StepFields): StepFields | undefined {
  const { run } = fields;
  if (!run || fields.with || fields.action || fields.call || getKind(run.source) !== 'text') return undefined;
  const name = getText(run.source)?.trim() ?? '';
  const isCall = fields.params || fields.parallel ? target.test(name) : isCallOfFile(name);
  if (!isCall) return undefined;
  const call: Field<typeof run.source> = { value: run.source, source: run.source, keyLocation: run.keyLocation };
  return compact({ ...fields, run: undefined, call });
}
