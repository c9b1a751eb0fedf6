import { createTestStores, type TestStoreSource } from '../../../testing/test-stores';
import type { Database } from '@weir/workflow-db';

// What a growing history costs is decided by the plans of these statements.
const newest = 'ORDER BY createdAt DESC, dagName DESC, id DESC LIMIT 500';
const position =
  'createdAt <= 9 AND (createdAt < 9 OR (createdAt = 9 AND dagName < 9) OR (createdAt = 9 AND dagName = 9 AND id < 9))';

describe('indexes of runs on SQLite', () => {
  let stores: TestStoreSource;
  let database: Database;

  beforeAll(async () => {
    stores = await createTestStores('sqlite');
    database = await stores.openDatabase();
  });
  afterAll(() => stores.remove());

  it.each([
    [
      'the active runs of a DAG',
      `depth = 0 AND dagName = 'a' AND status IN ('queued', 'running') LIMIT 1`,
      'dag_run_dag_name_status_idx',
      'status',
    ],
    [
      'the last runs of a DAG',
      `depth = 0 AND dagName = 'a' ORDER BY createdAt DESC, id DESC LIMIT 20`,
      'dag_run_dag_name_newest_idx',
    ],
    ['all runs', `depth = 0 AND ${position} ${newest}`, 'dag_run_newest_idx'],
    ['the runs of a status', `depth = 0 AND status = 'failed' AND ${position} ${newest}`, 'dag_run_status_idx'],
    [
      'the runs of a workspace',
      `depth = 0 AND workspace = 'ops' AND ${position} ${newest}`,
      'dag_run_workspace_newest_idx',
    ],
    [
      'the runs of no workspace',
      `depth = 0 AND workspace IS NULL AND ${position} ${newest}`,
      'dag_run_workspace_newest_idx',
    ],
    [
      'the runs of a status in a workspace',
      `depth = 0 AND workspace = 'ops' AND status = 'failed' AND ${position} ${newest}`,
      'dag_run_workspace_status_idx',
    ],
    [
      'what is counted of a status',
      `depth = 0 AND status = 'failed' AND createdAt >= 1 AND createdAt < 9 ORDER BY createdAt DESC LIMIT 9`,
      'dag_run_status_idx',
      'dagName, status, createdAt',
    ],
    [
      'what is counted of a status in a workspace',
      `depth = 0 AND workspace = 'ops' AND status = 'failed' AND createdAt >= 1 ORDER BY createdAt DESC LIMIT 9`,
      'dag_run_workspace_status_idx',
      'dagName, status, createdAt',
    ],
  ])('finds %s by an index, without sorting', async (_, condition, index, column = 'id') => {
    const rows = await database.db.$queryRawUnsafe<{ detail: string }[]>(
      `EXPLAIN QUERY PLAN SELECT ${column} FROM DagRun WHERE ${condition}`,
    );
    const plan = rows.map(({ detail }) => detail).join('\n');

    expect(plan).toContain(`SEARCH DagRun USING`);
    expect(plan).toContain(`INDEX ${index} (`);
    expect(plan).not.toContain('TEMP B-TREE');
  });
});
