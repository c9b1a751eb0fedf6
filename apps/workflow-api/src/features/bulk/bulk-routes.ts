import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { describeChange } from '../audit';
import { assertLocalNode } from '../remote-node';
import { changeDags, type BulkDagsDependencies } from './bulk-dags';
import { changeRuns, type BulkRunsDependencies } from './bulk-runs';

export function bindBulkRunRoutes(bind: Bind, dependencies: BulkRunsDependencies): void {
  bind(workflowContract.changeDagRuns, ({ input: { query, body }, principal, signal }) => {
    assertLocalNode(query);
    const { action, filter, only } = body;
    describeChange({ after: { action, filter, only } });
    return changeRuns(dependencies, body, { principal, signal });
  });
}

export function bindBulkDagRoutes(bind: Bind, dependencies: BulkDagsDependencies): void {
  bind(workflowContract.changeDags, ({ input: { query, body }, principal, signal }) => {
    assertLocalNode(query);
    const { action, filter, only } = body;
    describeChange({ after: { action, filter, only } });
    return changeDags(dependencies, body, { principal, signal });
  });
}
