import { workflowContract } from '@weir/workflow-contract';
import { hasErrors } from '@weir/workflow-spec';
import type { Bind } from '../../access/bind';
import { presentMissingRunDetails, presentRunDetails } from '../runs';
import { inheritedStepTypes } from '../../dag-parser';
import { presentDagDetails, presentDagFile, presentEditorHints } from './dag-presenter';
import type { DagService, DagView } from './dag-service';
import { formatErrors } from '../../dag-parser/spec-errors';

export function bindDagRoutes(bind: Bind, dags: DagService): void {
  bind(workflowContract.listDags, async ({ input: { query }, principal, signal }) => {
    const { entries, errors, pagination } = await dags.list(query, principal, signal);
    return { dags: entries.map(presentDagFile), errors: [...errors], pagination };
  });

  bind(workflowContract.createNewDag, async ({ input: { body }, principal, audit }) => {
    await dags.create(body.name, body.spec, { principal, audit, change: 'created' });
    return { name: body.name };
  });

  bind(workflowContract.validateDagSpec, async ({ input: { body } }) => {
    const { dag, localDags, findings } = await dags.check(body.spec, body.name);
    return {
      valid: !hasErrors(findings),
      dag: presentDagDetails(dag, undefined),
      localDags: presentLocalDags(localDags),
      errors: [...formatErrors(findings)],
      findings: [...findings],
    };
  });

  bind(workflowContract.getDagDetails, async ({ input: { params }, principal }) => {
    return presentDagView(await dags.get(params.fileName, principal));
  });

  bind(workflowContract.stopAllDagRuns, async ({ input: { params }, principal, audit }) => {
    return { errors: [...(await dags.stopAll(params.fileName, { principal, audit }))] };
  });

  bind(workflowContract.updateDagSuspensionState, async ({ input: { params, body }, principal, audit }) => {
    await dags.setSuspended(params.fileName, body.suspend, { principal, audit });
    return undefined;
  });
}

function presentLocalDags(localDags: DagView['localDags']) {
  return localDags
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((local) => ({ name: local.name, dag: presentDagDetails(local, undefined), errors: [] }));
}

function presentDagView({ file, dag, localDags, baseTexts, errors, isSuspended, nextRun, latestRun }: DagView) {
  return {
    filePath: file.filePath,
    dag: presentDagDetails(dag, nextRun),
    localDags: presentLocalDags(localDags),
    latestDAGRun: latestRun === undefined ? presentMissingRunDetails(dag) : presentRunDetails(latestRun),
    suspended: isSuspended,
    errors: [...errors],
    spec: file.kind === 'text' ? file.text : '',
    editorHints: presentEditorHints(inheritedStepTypes(baseTexts)),
  };
}
