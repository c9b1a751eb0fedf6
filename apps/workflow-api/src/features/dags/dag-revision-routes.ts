import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentRevision, presentRevisionDiff, presentRevisionPage } from '../dag-revisions';
import { createDagRevisionService, type DagRevisionServiceDependencies } from './dag-revision-service';
import { formatErrors } from '../../dag-parser/spec-errors';

export type DagRevisionRoutesDependencies = DagRevisionServiceDependencies;

export function bindDagRevisionRoutes(bind: Bind, dependencies: DagRevisionRoutesDependencies): void {
  const revisions = createDagRevisionService(dependencies);

  bind(workflowContract.listDagRevisions, async ({ input: { params, query }, principal }) => {
    const { fileName } = params;
    return presentRevisionPage((await revisions.list(fileName, principal)).revisions, { file: fileName, ...query });
  });

  bind(workflowContract.getDagRevision, async ({ input: { params }, principal }) => {
    const revision = await revisions.get(params.fileName, params.revision, principal);
    return { ...presentRevision(revision), spec: revision.text };
  });

  bind(workflowContract.getDagRevisionDiff, async ({ input: { params, query }, principal }) => {
    const { fileName, revision } = params;
    return presentRevisionDiff(await revisions.compare(fileName, { revision, from: query.from }, principal));
  });

  bind(workflowContract.restoreDagRevision, async ({ input: { params }, principal, audit, ifMatch, setEntityTag }) => {
    const change = { principal, audit, ifMatch };
    const { findings, entityTag } = await revisions.restore(params.fileName, params.revision, change);
    setEntityTag(entityTag);
    return { errors: [...formatErrors(findings)], findings: [...findings] };
  });
}
