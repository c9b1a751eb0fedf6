import { shellQuote } from '../shell-quote';

/** Where the webhook of a DAG is called. */
export function webhookAddress(apiAddress: string, dagName: string): string {
  return `${apiAddress}/webhooks/${encodeURIComponent(dagName)}`;
}

/** A line of a terminal that calls it. The token is in a variable: a history of commands keeps no secret. */
export function webhookCommand(apiAddress: string, dagName: string): string {
  return [
    `curl -X POST ${shellQuote(webhookAddress(apiAddress, dagName))}`,
    `-H "Authorization: Bearer $WEBHOOK_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"payload":{"reason":"test"}}'`,
  ].join(' \\\n  ');
}
