import type { Part } from '../../model/compact';
import type { DagSettings, DagType } from '../../model/dag';
import { quote } from '../../source/text/quote';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { isGiven, readText, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { text } from '../../shapes/shapes';
import { didYouMean } from '../../source/text/suggest';
import { dagNamePattern, dagNameProblem } from './dag-name';
import { labels } from './labels';
import { report, type YamlValue } from '../../source/yaml/yaml-value';

const dagTypes = ['graph', 'chain', 'agent', 'build'] as const satisfies readonly DagType[];
/** The name of `agent` in older files. */
const formerAgent = 'controller';

const readDagName: Reader<string> = (value) => {
  const name = readText(value);
  const problem = name === undefined ? undefined : dagNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_dag_name', problem);
  return undefined;
};

const readDagType: Reader<DagType> = (value) => {
  const found = readText(value);
  const type = dagTypes.find((known) => known === found);
  if (type || found === undefined) return type;
  if (found === formerAgent) {
    const message = `${quote(formerAgent)} is the old name of this type; write agent`;
    report(value, 'deprecated_value', message, { title: 'Write agent', text: 'agent' });
    return 'agent';
  }
  reportOtherType(value, found);
  return undefined;
};

function reportOtherType(value: YamlValue, found: string): void {
  const near = value.context.suggest(found, dagTypes);
  const message = `type must be one of: ${dagTypes.join(', ')} (value: ${quote(found)})${didYouMean(near)}`;
  report(value, 'invalid_value', message, near === undefined ? undefined : { title: `Write ${near}`, text: near });
}

const dagName = shape(readDagName, { type: ['string', 'number', 'boolean'], pattern: dagNamePattern.source });

export const identityKeys = {
  name: keySpec('Name of the DAG; default: the file name', dagName),
  description: keySpec('What the DAG does', text),
  group: keySpec('Group in lists', text),
  labels: keySpec('Labels: a comma-separated string, a list, or a map', labels),
  tags: keySpec('Deprecated form of labels', labels, { replacedBy: 'labels' }),
  type: keySpec(
    'graph (default): order given by depends; chain: each step after the previous one; build: also by files, and steps whose files are up to date do not execute; agent: a model chooses the next step until the tasks are done',
    shape(readDagType, { enum: [...dagTypes, formerAgent] }),
  ),
} as const;

type IdentityFields = Fields<typeof identityKeys>;

export function readIdentitySettings(fields: IdentityFields, value: YamlValue): Part<DagSettings> {
  return {
    description: fields.description?.value,
    group: fields.group?.value,
    labels: readBothLabels(fields, value),
  };
}

function readBothLabels(
  { labels: current, tags }: IdentityFields,
  { context }: YamlValue,
): readonly string[] | undefined {
  if (current && tags && isGiven(current.source) && isGiven(tags.source)) {
    context.report.add('conflicting_keys', tags.keyLocation, 'labels and deprecated tags cannot both be set');
  }
  if (!current && !tags) return undefined;
  return [...new Set([...(current?.value ?? []), ...(tags?.value ?? [])])].sort();
}
