import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import { changeDags, type BulkDagsDependencies } from './bulk-dags';
import { changeRuns, type BulkRunsDependencies } from './bulk-runs';

export function bindBulkRunRoutes(bind: Bind, dependencies: BulkRunsDependencies): void {
  bind(workflowContract.changeDagRuns, ({ input: { query, body }, principal, signal }) => {
    assertLocalNode(query);
    return changeRuns(dependencies, body, { principal, signal });
  });
}

export function bindBulkDagRoutes(bind: Bind, dependencies: BulkDagsDependencies): void {
  bind(workflowContract.changeDags, ({ input: { query, body }, principal, signal }) => {
    assertLocalNode(query);
    return changeDags(dependencies, body, { principal, signal });
  });
}
