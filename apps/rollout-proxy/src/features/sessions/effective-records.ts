import type { SessionRecord } from './session-records';

/** The records that a session is restored from. */
export interface RestoredRecords {
  readonly records: readonly SessionRecord[];
  readonly damagedBytes: number;
}

/** The records that still count, in order: not those that were retracted, nor those that refer to what damage took. */
export function effectiveRecords({ records, damagedBytes }: RestoredRecords): readonly SessionRecord[] {
  const retracted = new Set(records.flatMap((record) => (record.kind === 'retracted' ? [record.interactionId] : [])));
  return (damagedBytes === 0 ? records : records.filter(createReferenceCheck())).filter(
    (record) => record.kind !== 'interaction' || !retracted.has(record.draft.id),
  );
}

/** For a damaged journal, checks whether the record's reference was read before it. */
function createReferenceCheck(): (record: SessionRecord) => boolean {
  const known = new Set<string>();
  return (record) => {
    if (record.kind === 'reward' || record.kind === 'loss_weights' || record.kind === 'scores')
      return known.has(record.interactionId);
    if (record.kind !== 'interaction') return true;
    const { id, parentId } = record.draft;
    if (parentId !== undefined && !known.has(parentId)) return false;
    known.add(id);
    return true;
  };
}
