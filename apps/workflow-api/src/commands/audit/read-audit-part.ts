import type { WorkflowClient } from '@weir/workflow-client';

/** Returns the lines of the entries after a position; the list is empty at the end of the log. */
export async function readAuditPart(client: WorkflowClient, after: number, limit: number): Promise<readonly string[]> {
  const { data } = await client.GET('/audit/export', { params: { query: { after, limit } }, parseAs: 'text' });
  return data.split('\n').filter((line) => line !== '');
}
