import { compact } from './compact';
import type { Dag } from './dag';
import { dagKind } from './dag-kind';
import { formatDefaults } from './params/param-words';
import { readObject, type Fields, type ReadObject } from './read/read-object';
import { isGiven } from './read/readers';
import { readSteps } from './steps/read-steps';
import { resolveSteps } from './steps/resolve-steps';
import { workspaceOf } from './values/labels';
import { joinShell } from './values/shell';
import { report, type YamlValue } from './yaml/yaml-value';

type DagFields = Fields<typeof dagKind.keys>;

/** A document as a DAG. `nameOf` gets the name the document has for itself. */
export function readDag(value: YamlValue, nameOf: (own: DagFields['name']) => string): Dag {
  const read: ReadObject<typeof dagKind.keys> | undefined = readObject(value, dagKind);
  if (!read) return emptyDag(nameOf(undefined));
  const { fields } = read;
  const labels = readBothLabels(fields, value);
  const params = fields.params?.value ?? [];
  return compact({
    name: nameOf(fields.name),
    description: fields.description?.value,
    group: fields.group?.value,
    labels,
    workspace: workspaceOf(labels),
    type: fields.type?.value ?? 'graph',
    params,
    defaultParams: formatDefaults(params),
    env: fields.env?.value ?? [],
    workingDir: fields.working_dir?.value,
    shell: joinShell(fields, value.context),
    schedule: fields.schedule?.value ?? [],
    maxActiveSteps: fields.max_active_steps?.value ?? 0,
    steps: readAllSteps(fields, value),
  });
}

/** What is returned for a text that holds no DAG. */
export function emptyDag(name: string): Dag {
  return { name, labels: [], type: 'graph', params: [], env: [], schedule: [], maxActiveSteps: 0, steps: [] };
}

function readBothLabels({ labels, tags }: DagFields, { context }: YamlValue): readonly string[] {
  if (labels && tags && isGiven(labels.source) && isGiven(tags.source)) {
    context.report.add('conflicting_keys', tags.key, 'labels and deprecated tags cannot both be set');
  }
  return [...new Set([...(labels?.value ?? []), ...(tags?.value ?? [])])].sort();
}

function readAllSteps({ steps, type }: DagFields, value: YamlValue): Dag['steps'] {
  if (!steps?.value) {
    report(value, 'missing_key', 'steps must be given: a list or a map with at least one step');
    return [];
  }
  // With a type that cannot be read, nothing can be said about the order.
  const dagType = type?.value ?? 'graph';
  return resolveSteps(readSteps(steps.value, dagType), dagType, steps.value);
}
