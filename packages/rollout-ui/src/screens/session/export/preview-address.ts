import { addressOf } from '../../../api/client';
import type { RowChoices } from '../../../api/reward-choices';
import { toQuery } from '../../../api/reward-choices';

/** The address of a preview. */
export function previewAddress(sessionId: string, choices: RowChoices, format: 'json' | 'safetensors'): string {
  return addressOf('/rl/sessions/{sessionId}/export_preview', {
    path: { sessionId },
    query: { ...toQuery(choices), style: choices.style, format },
  });
}
