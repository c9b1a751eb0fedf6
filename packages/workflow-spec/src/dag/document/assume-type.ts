import type { DagType } from '../../model/dag';
import type { KeyTable, ObjectKind } from '../../shapes/object-kind';
import { dagKind } from '../../keys/dag-keys/dag-kind';
import { stepKind } from '../../keys/step-keys/step-kind';
import { getEntries, getItems, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import type { SuggestedFix } from '../../source/findings/source-location';
import { readsOutputs } from '../../steps/list/output-edges';
import type { DagFields } from './read-config';

type AssumedType = Exclude<DagType, 'build' | 'agent'>;

/**
 * Returns the type of a DAG that names none. In files of 1.x, which older keys reveal, steps execute one after
 * another; so they do where a nested list of steps has no other meaning. Reports the assumption when nothing in the
 * file gives an order.
 */
export function assumeType({ steps }: DagFields, dag: YamlValue): AssumedType {
  if (!steps || steps.isMisspelled) return 'graph';
  const items = getItems(steps.source);
  if (items.some((item) => getKind(item) === 'list')) return 'chain';
  const all = items.length > 0 ? items : getEntries(steps.source).map(({ value }) => value);
  if (all.length < 2 || all.some(isOrdered)) return 'graph';
  const isOlder =
    items.length > 0 && [hasOlderKey(dag, dagKind), ...items.map((item) => hasOlderKey(item, stepKind))].includes(true);
  const type = isOlder ? 'chain' : 'graph';
  const { report, text } = dag.context;
  report.add(`${type}_assumed`, steps.keyLocation, messages[type], insertType(type, steps.keyLocation.range[0], text));
  return type;
}

const messages = {
  chain:
    "the steps execute one after another, as in the older files whose keys this one has; write type: chain, or 'type: graph' if they shall execute at the same time",
  graph:
    "nothing orders the steps, so all execute at the same time; write type: graph if that is meant, else 'type: chain' or depends",
} as const satisfies Record<AssumedType, string>;

/** Whether the step names or reads the steps before it, or chooses among others. */
function isOrdered(step: YamlValue): boolean {
  if (readsOutputs(step)) return true;
  return getEntries(step).some(
    ({ key, value }) =>
      stepKind.spellings.get(key) === 'depends' ||
      key === 'routes' ||
      (key === 'action' && getText(value) === 'router.route'),
  );
}

function hasOlderKey<Keys extends KeyTable>(value: YamlValue, kind: ObjectKind<Keys>): boolean {
  return getEntries(value).some(({ key }) => {
    const name = kind.spellings.get(key);
    return name !== undefined && (name !== key || kind.keys[name]?.replacedBy !== undefined);
  });
}

/** Returns `undefined` where a line before the key would not belong to the same map. */
function insertType(type: AssumedType, start: number, text: string): SuggestedFix | undefined {
  if (start > 0 && text[start - 1] !== '\n') return undefined;
  return {
    title: `Write type: ${type}`,
    text: `type: ${type}${text.includes('\r\n') ? '\r\n' : '\n'}`,
    range: [start, start],
  };
}
