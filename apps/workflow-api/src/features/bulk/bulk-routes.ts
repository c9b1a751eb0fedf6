import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { describeChange } from '../audit';
import { changeDags, type BulkDagsDependencies } from './bulk-dags';
import { changeRuns, type BulkRunsDependencies } from './bulk-runs';

export function bindBulkRunRoutes(bind: Bind, dependencies: BulkRunsDependencies): void {
  bind(workflowContract.changeDagRuns, ({ input: { body }, principal, signal }) => {
    const { action, filter, only } = body;
    describeChange({ after: { action, filter, only } });
    return changeRuns(dependencies, body, { principal, signal });
  });
}

export function bindBulkDagRoutes(bind: Bind, dependencies: BulkDagsDependencies): void {
  bind(workflowContract.changeDags, ({ input: { body }, principal, signal }) => {
    const { action, filter, only } = body;
    describeChange({ after: { action, filter, only } });
    return changeDags(dependencies, body, { principal, signal });
  });
}
