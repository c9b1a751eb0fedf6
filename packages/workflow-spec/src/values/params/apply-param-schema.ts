import type { ParamDef } from '../../model/param';
import type { Dag } from '../../model/dag';
import { quote } from '../../source/text/quote';
import { formatFinding } from '../../source/findings/format-finding';
import { readDocuments } from '../../source/yaml/read-documents';
import { checkParamValue } from './param-value';
import { isClosed, paramSchema } from './schema-param';

/** `problems` are sentences; when there are none, `dag` can be started. */
export interface AppliedParamSchema<T> {
  readonly dag: T;
  readonly problems: readonly string[];
}

/**
 * Applies the JSON Schema loaded from the source that `paramSchema` names. `text` is JSON or YAML. Values of the file
 * replace the defaults of the schema.
 */
export function applyParamSchema<T extends Pick<Dag, 'params' | 'paramSchema'>>(
  dag: T,
  text: string,
): AppliedParamSchema<T> {
  const { documents, report } = readDocuments(text);
  const [document] = documents;
  const read = document && paramSchema.read(document);
  const errors = report.list().filter(({ severity }) => severity === 'error');
  if (!read || errors.length > 0) {
    const problems = errors.length === 0 ? ['it is empty'] : errors.map(formatFinding);
    return { dag, problems: problems.map((problem) => `the schema of the parameters cannot be used: ${problem}`) };
  }
  const values = new Map(dag.params.map((param) => [param.name, param]));
  const known = new Set(read.params.map(({ name }) => name));
  const others = dag.params.filter(({ name }) => !known.has(name));
  const applied = read.params.map((param) => overrideDefault(param, values.get(param.name)));
  const problems = [
    ...applied.flatMap((each) => ('problem' in each ? [each.problem] : [])),
    ...(isClosed(read.schema) ? others : []).map(
      ({ name = '' }) => `parameter ${quote(name)} is not defined in the schema`,
    ),
  ];
  const params = applied.flatMap((each) => ('param' in each ? [each.param] : []));
  return {
    dag: { ...dag, params: [...params, ...others], paramSchema: { kind: 'inline', schema: read.schema } },
    problems,
  };
}

function overrideDefault(
  param: ParamDef,
  value: ParamDef | undefined,
): { readonly param: ParamDef } | { readonly problem: string } {
  if (value?.default === undefined) return { param };
  const checked = checkParamValue(param, String(value.default), quote(param.name ?? ''));
  return 'problem' in checked ? checked : { param: { ...param, default: checked.value } };
}
