import { useState } from 'react';
import { findOpeningStep, type StepRow } from '../../parts/run/step-rows';

/**
 * The selected step: that of the address, else the one that the run opened on. A run that had none to open on opens on
 * its first one; after that, nothing moves what is being read.
 */
export function useSelectedRow(rows: readonly StepRow[], selected: string | undefined): StepRow | undefined {
  const [opening, setOpening] = useState(() => findOpeningStep(rows)?.id);
  const found = opening === undefined ? findOpeningStep(rows)?.id : undefined;
  if (found !== undefined) setOpening(found);
  const id = selected ?? opening ?? found;
  return rows.find((row) => row.id === id);
}
