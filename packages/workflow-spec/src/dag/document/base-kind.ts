import { dagKind } from '../../keys/dag-keys/dag-kind';
import { objectKind } from '../../shapes/object-kind';

const { name, steps, action_lock, ...sharedKeys } = dagKind.keys;

/** Keys that identify a DAG or define its steps. */
export const dagOnlyKeys = { name, steps, action_lock } as const;

/** The keys of a DAG without its name and steps. */
export const baseKind = objectKind({
  title: 'base configuration',
  keys: { ...sharedKeys, ...dagOnlyKeys },
  unsupported: dagKind.unsupported,
});
