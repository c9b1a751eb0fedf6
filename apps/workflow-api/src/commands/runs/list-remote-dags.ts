import type { DagFile } from '@weir/workflow-contract/schemas';
import type { ListFormat } from '../shared/formats';
import type { StoreCommand } from '../shared/program-host';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

const perPage = 100;

/** Lists the DAGs of another server. Returns the exit code. */
export async function listRemoteDags(options: StoreCommand & { readonly format: ListFormat }): Promise<number> {
  const dags = await withApi(options, async (client) => {
    const found: DagFile[] = [];
    for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
      const { data } = await client.GET('/dags', { params: { query: { page, perPage } } });
      found.push(...data.dags);
      totalPages = data.pagination.totalPages;
    }
    return found;
  });
  const rows = dags.map(({ fileName, dag, suspended, nextRun, errors }) => [
    fileName,
    dag.name,
    errors.length > 0 ? 'has errors' : suspended ? 'suspended' : 'ok',
    nextRun ?? '-',
  ]);
  const table = (): string => formatTable([['FILE', 'DAG', 'STATE', 'NEXT RUN'], ...rows]);
  printList({ value: { dags, problems: [] }, table }, options);
  return 0;
}
