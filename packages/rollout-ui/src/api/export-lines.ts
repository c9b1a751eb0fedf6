import { unwrap } from '@weir/ui-kit/app';
import { api } from './client';
import { toQuery, type RowChoices } from './reward-choices';

/** The rows of an export as JSON lines, one for each row. */
export async function readExportLines(sessionId: string, choices: RowChoices): Promise<Blob> {
  const query = { ...toQuery(choices), style: choices.style, format: 'json' as const };
  const params = { path: { sessionId }, query };
  const { interactions } = await unwrap(api.GET('/rl/sessions/{sessionId}/export_preview', { params }));
  const lines = Object.values(interactions).map((row) => `${JSON.stringify({ session_id: sessionId, ...row })}\n`);
  return new Blob(lines, { type: 'application/jsonl' });
}
