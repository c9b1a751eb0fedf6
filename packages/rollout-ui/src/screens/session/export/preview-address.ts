import { addressOf } from '../../../api/client';
import type { RowChoices } from '../../../api/reward-choices';
import { toQuery } from '../../../api/reward-choices';

/** The address of a preview. */
export function previewAddress(sessionId: string, choices: RowChoices, format: 'json' | 'safetensors'): string {
  return addressOf('previewExport', {
    params: { sessionId },
    query: { ...toQuery(choices), style: choices.style, format },
  });
}
