import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { DagCatalog } from './dag-catalog';
import type { DagEditor } from './dag-editor';
import { listLabels } from './dag-labels';
import { presentDagDetails } from './dag-presenter';
import { formatErrors } from '../../dag-parser/spec-errors';

/** Must be bound before the routes of `/dags/{fileName}`, which would treat the addresses of labels as names. */
export function bindDagLabelRoutes(bind: Bind, catalog: DagCatalog): void {
  bind(workflowContract.getAllDagLabels, async ({ input: { query }, principal, signal }) => {
    const { labels, groups } = await listLabels(catalog, query, principal, signal);
    return {
      labels: labels.map(({ label }) => label),
      counts: [...labels],
      groups: [...groups],
      errors: [...catalog.problems],
    };
  });

  bind(workflowContract.getAllDagTags, async ({ input: { query }, principal, signal }) => {
    const { labels } = await listLabels(catalog, query, principal, signal);
    return { tags: labels.map(({ label }) => label), errors: [...catalog.problems] };
  });
}

export function bindDagFileRoutes(bind: Bind, editor: DagEditor): void {
  bind(workflowContract.getDagSpec, async ({ input: { params }, principal, setEntityTag }) => {
    const { text, entityTag, dag, findings, problem, nextRun } = await editor.read(params.fileName, principal);
    setEntityTag(entityTag);
    return {
      dag: presentDagDetails(dag, nextRun),
      spec: text,
      errors: problem === undefined ? [...formatErrors(findings)] : [problem],
      findings: problem === undefined ? [...findings] : [],
    };
  });

  bind(workflowContract.updateDagSpec, async ({ input: { params, body }, principal, audit, ifMatch, setEntityTag }) => {
    const { findings, entityTag } = await editor.replace(params.fileName, body.spec, {
      principal,
      audit,
      ifMatch,
      change: 'changed' as const,
    });
    setEntityTag(entityTag);
    return { errors: [...formatErrors(findings)], findings: [...findings] };
  });

  bind(workflowContract.deleteDag, async ({ input: { params }, principal, audit, ifMatch }) => {
    await editor.remove(params.fileName, { principal, audit, ifMatch });
  });

  bind(workflowContract.renameDag, async ({ input: { params, body }, principal, audit }) => {
    await editor.rename(params.fileName, body.newFileName, { principal, audit });
  });
}
