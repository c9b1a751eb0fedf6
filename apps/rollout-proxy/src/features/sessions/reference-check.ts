import type { SessionRecord } from './session-records';

/** For a damaged journal: whether what a record refers to was read before it. */
export function createReferenceCheck(): (record: SessionRecord) => boolean {
  const known = new Set<string>();
  return (record) => {
    if (record.kind === 'reward') return known.has(record.interactionId);
    if (record.kind !== 'interaction') return true;
    const { id, parentId } = record.draft;
    if (parentId !== undefined && !known.has(parentId)) return false;
    known.add(id);
    return true;
  };
}
