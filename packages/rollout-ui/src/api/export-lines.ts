import { api, ask } from './client';
import { toQuery, type RowChoices } from './reward-choices';

/** The rows of an export as JSON lines, one for each row. */
export async function readExportLines(sessionId: string, choices: RowChoices): Promise<Blob> {
  const query = { ...toQuery(choices), style: choices.style, format: 'json' as const };
  const { interactions } = await ask(api.previewExport({ params: { sessionId }, query }));
  const lines = Object.values(interactions).map((row) => `${JSON.stringify({ session_id: sessionId, ...row })}\n`);
  return new Blob(lines, { type: 'application/jsonl' });
}
