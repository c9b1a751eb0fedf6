import { dagKind } from '../dag-keys/dag-kind';
import { objectKind } from '../shapes/object-kind';

const { name, steps, ...sharedKeys } = dagKind.keys;

/** Keys that say which DAG a document is and what it does. */
export const dagOnlyKeys = { name, steps } as const;

/** The keys of a base configuration: those of a DAG, without its name and its steps. */
export const baseKind = objectKind({
  title: 'base configuration',
  keys: { ...sharedKeys, ...dagOnlyKeys },
  unsupported: dagKind.unsupported,
});
