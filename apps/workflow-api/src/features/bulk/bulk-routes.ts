import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { changeDags, type BulkDagsDependencies } from './bulk-dags';
import { changeRuns, type BulkRunsDependencies } from './bulk-runs';

export function bindBulkRunRoutes(bind: Bind, dependencies: BulkRunsDependencies): void {
  bind(workflowContract.changeDagRuns, async ({ input: { body }, principal, audit, signal }) => {
    const { action, filter, only } = body;
    const events = await changeRuns(dependencies, body, { principal, audit, signal });
    // What it does with each of them follows after this entry, which may name objects of many workspaces.
    await audit.record({ workspace: null, after: { action, filter, only } });
    return events;
  });
}

export function bindBulkDagRoutes(bind: Bind, dependencies: BulkDagsDependencies): void {
  bind(workflowContract.changeDags, async ({ input: { body }, principal, audit, signal }) => {
    const { action, filter, only } = body;
    const events = await changeDags(dependencies, body, { principal, audit, signal });
    await audit.record({ workspace: null, after: { action, filter, only } });
    return events;
  });
}
