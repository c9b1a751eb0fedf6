import type { RowChoices } from '../../../api/reward-choices';

/** The command that reads a preview. */
export function previewCommand(address: string): string {
  return `curl -H "authorization: Bearer $KEY" ${quote(address)}`;
}

/** The command that exports the same, and with that ends the key of the session. */
export function exportCommand(address: string, sessionId: string, choices: RowChoices): string {
  const { discount, rule, style, drop } = choices;
  const body = JSON.stringify({ session_id: sessionId, discount, rule, style, drop_retry_orphans: drop });
  return [
    `curl -X POST ${quote(`${address}/export_trajectories`)} -H "authorization: Bearer $ADMIN"`,
    `-H "content-type: application/json" -d ${quote(body)}`,
  ].join(' \\\n  ');
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
