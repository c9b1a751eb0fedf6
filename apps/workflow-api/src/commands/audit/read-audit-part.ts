import type { WorkflowClient } from '@weir/workflow-client';

/** Returns the lines of the entries after a position; the list is empty at the end of the log. */
export async function readAuditPart(client: WorkflowClient, after: number, limit: number): Promise<readonly string[]> {
  const query = { after, limit };
  // An empty answer has no data, whatever its type says.
  const answer: { readonly data: unknown } = await client.GET('/audit/export', { params: { query }, parseAs: 'text' });
  return typeof answer.data === 'string' ? answer.data.split('\n').filter((line) => line !== '') : [];
}
