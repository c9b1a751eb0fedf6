import type { Finding } from '../../source/findings/finding';
import { readCustomActions } from '../../steps/custom-actions/read-definitions';
import { quote } from '../../source/text/quote';
import { readConfig } from './read-config';
import { readObject } from '../../shapes/read-object';
import { readDocuments } from '../../source/yaml/read-documents';
import { report as reportAt, type YamlValue } from '../../source/yaml/yaml-value';
import type { BaseConfig } from './base-config';
import { dagKind } from '../../keys/dag-keys/dag-kind';
import { objectKind } from '../../shapes/object-kind';

export interface ParseBaseResult {
  /** The part that could be read. It can be passed to {@link parseDag} even when some findings are errors. */
  readonly base: BaseConfig;
  /** Findings are in the order of the text. */
  readonly findings: readonly Finding[];
}

/**
 * Parses a base configuration: one document with the keys of a DAG except `name` and `steps`. Never throws. An empty
 * text is an empty base configuration. The limits of a DAG file apply.
 */
export function parseBaseConfig(text: string): ParseBaseResult {
  const { documents, report } = readDocuments(text);
  const [first, ...others] = documents;
  for (const other of others) {
    reportAt(other, 'invalid_value', 'a base configuration is a single document; further documents are ignored');
  }
  const base = first ? readBase(first) : { settings: {} };
  return { base, findings: report.list() };
}

function readBase(value: YamlValue): BaseConfig {
  const fields = readObject(value, baseKind)?.fields;
  if (!fields) return { settings: {} };
  for (const key of Object.keys(dagOnlyKeys) as (keyof typeof dagOnlyKeys)[]) {
    const field = fields[key];
    if (field) {
      const message = `the base configuration has invalid keys: ${quote(key)} belongs to one DAG`;
      value.context.report.add('unknown_key', field.keyLocation, message);
    }
  }
  const customActions = readCustomActions(fields, []);
  const sound = [...customActions.values()].filter(({ isBroken }) => !isBroken).map(({ definition }) => definition);
  const config = readConfig(fields, value, { customActions, base: { settings: {} } });
  return sound.length === 0 ? config : { ...config, customActions: sound };
}

const { name, steps, tasks, action_lock, ...sharedKeys } = dagKind.keys;

/** Keys that identify a DAG or define its steps. */
const dagOnlyKeys = { name, steps, tasks, action_lock } as const;

/** The keys of a DAG without its name and steps. */
const baseKind = objectKind({
  title: 'base configuration',
  keys: { ...sharedKeys, ...dagOnlyKeys },
  unsupported: dagKind.unsupported,
});
