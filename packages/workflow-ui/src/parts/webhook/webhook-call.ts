import { shellQuote } from '../shell-quote';

/** Returns the address of a DAG's webhook. */
export function webhookAddress(apiAddress: string, dagName: string): string {
  return `${apiAddress}/webhooks/${encodeURIComponent(dagName)}`;
}

/** Returns a command line that calls it. The token is in a variable, so that the history of commands keeps no secret. */
export function webhookCommand(apiAddress: string, dagName: string): string {
  return [
    `curl -X POST ${shellQuote(webhookAddress(apiAddress, dagName))}`,
    `-H "Authorization: Bearer $WEBHOOK_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"payload":{"reason":"test"}}'`,
  ].join(' \\\n  ');
}
