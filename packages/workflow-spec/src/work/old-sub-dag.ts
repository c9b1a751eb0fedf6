import { compact } from '../compact';
import type { Field } from '../shapes/read-object';
import { getKind, getText } from '../yaml/yaml-value';
import type { StepFields } from './step-form';

/** What names a DAG, also by a reference; a shell would take it for one word. */
export const oneWord = '^\\s*[^\\s;&|<>()`\'"]+\\s*$';
const target = new RegExp(oneWord);
const file = /^[\w./-]+\.ya?ml$/;

/**
 * The step as 1.x wrote the call of a DAG: `run` names it, and `params` or `parallel`, which a command cannot have,
 * stands beside it; or it is the name of a YAML file alone. Nothing for what is a command.
 */
export function oldSubDag(fields: StepFields): StepFields | undefined {
  const { run } = fields;
  if (!run || fields.with || fields.action || fields.call || getKind(run.source) !== 'text') return undefined;
  const name = getText(run.source)?.trim() ?? '';
  const isCall = fields.params || fields.parallel ? target.test(name) : file.test(name);
  if (!isCall) return undefined;
  const call: Field<typeof run.source> = { value: run.source, source: run.source, keyLocation: run.keyLocation };
  return compact({ ...fields, run: undefined, call });
}
