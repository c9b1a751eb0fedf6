import { workflowContract, type DagRevision as WireRevision } from '@weir/workflow-contract';
import { z } from 'zod';
import type { Bind } from '../../bind';
import type { DagRevision } from '../dag-revisions';
import { createPageCursors, listHash } from '../page-cursor';
import { assertLocalNode } from '../remote-node';
import { createDagRevisionService, type DagRevisionServiceDependencies } from './dag-revision-service';
import { formatErrors } from './format-errors';

export type DagRevisionRoutesDependencies = DagRevisionServiceDependencies;

/** The number of the last revision of the page before. */
const cursors = createPageCursors(z.int());

export function bindDagRevisionRoutes(bind: Bind, dependencies: DagRevisionRoutesDependencies): void {
  const revisions = createDagRevisionService(dependencies);

  bind(workflowContract.listDagRevisions, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    const hash = listHash(['dag revisions', params.fileName]);
    const after = query.cursor === undefined ? Infinity : cursors.read(query.cursor, hash);
    const rest = (await revisions.list(params.fileName, principal)).filter(({ number }) => number < after);
    const page = rest.slice(0, query.limit);
    const last = rest.length > page.length ? page.at(-1) : undefined;
    return {
      revisions: page.map(present),
      ...(last === undefined ? {} : { nextCursor: cursors.write(hash, last.number) }),
    };
  });

  bind(workflowContract.getDagRevision, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    const revision = await revisions.get(params.fileName, params.revision, principal);
    return { ...present(revision), spec: revision.text };
  });

  bind(workflowContract.getDagRevisionDiff, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    const { fileName, revision } = params;
    const { from, to, diff, isMinimal } = await revisions.compare(fileName, { revision, from: query.from }, principal);
    return { ...(from === undefined ? {} : { from: present(from) }), to: present(to), diff, minimal: isMinimal };
  });

  bind(workflowContract.restoreDagRevision, async ({ input: { params, query }, principal, ifMatch, setEntityTag }) => {
    assertLocalNode(query);
    const change = { principal, ifMatch };
    const { findings, entityTag } = await revisions.restore(params.fileName, params.revision, change);
    setEntityTag(entityTag);
    return { errors: [...formatErrors(findings)], findings: [...findings] };
  });
}

function present({ number, change, author, createdAt, hash }: DagRevision): WireRevision {
  return {
    ...{ revision: number, change, createdAt: createdAt.toISOString() },
    ...(author === null ? {} : { author }),
    ...(hash === null ? {} : { hash }),
  };
}
