import { pageRequest, paginate, workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { DocFiles } from './doc-files';
import { presentDoc, presentItem, presentNode } from './doc-presenter';
import type { DocService } from './doc-service';
import { arrangeDocs } from './doc-tree';

export function bindDocRoutes(bind: Bind, docs: DocService, docFiles: DocFiles): void {
  bind(workflowContract.listDocs, async ({ input: { query }, principal, signal }) => {
    const { scope, entries } = await docs.list(query, principal, signal);
    const isFlat = query.flat === 'true';
    const arranged = arrangeDocs(entries, scope.root, { ...query, isFlat });
    const page = pageRequest(query);
    const start = (page.page - 1) * page.perPage;
    const shown = arranged.slice(start, start + page.perPage);
    const pagination = paginate(page, arranged.length);
    if (isFlat) return { items: await inOrder(shown, (node) => presentItem(node, scope, docFiles)), pagination };
    return { tree: await inOrder(shown, (node) => presentNode(node, scope, docFiles)), pagination };
  });

  bind(workflowContract.createDoc, async ({ input: { query, body }, principal, audit }) => {
    await docs.create(body.id, body.content, { query, principal, audit });
    return { message: `The document "${body.id}" was created.` };
  });

  bind(workflowContract.getDoc, async ({ input: { query }, principal, setEntityTag }) => {
    const view = await docs.get(query.path, query, principal);
    setEntityTag(view.entityTag);
    return presentDoc(view);
  });

  bindDocChangeRoutes(bind, docs);
}

function bindDocChangeRoutes(bind: Bind, docs: DocService): void {
  bind(workflowContract.updateDoc, async ({ input: { query, body }, principal, audit, ifMatch, setEntityTag }) => {
    setEntityTag(await docs.replace(query.path, body.content, { query, principal, audit, ifMatch }));
    return { message: `The document "${query.path}" was changed.` };
  });

  bind(workflowContract.deleteDoc, async ({ input: { query }, principal, audit, ifMatch }) => {
    await docs.remove(query.path, { query, principal, audit, ifMatch });
  });

  bind(workflowContract.renameDoc, async ({ input: { query, body }, principal, audit }) => {
    await docs.rename(query.path, body.newPath, { query, principal, audit });
    return { message: `"${query.path}" is now "${body.newPath}".` };
  });

  bind(workflowContract.deleteDocBatch, async ({ input: { query, body }, principal, audit }) => {
    const results = await docs.removeAll(body.paths, { query, principal, audit });
    const deleted = results.flatMap(({ path, problem }) => (problem === undefined ? [path] : []));
    const failed = results.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, error: problem }]));
    return { deleted, failed, message: `${deleted.length} of ${results.length} deleted.` };
  });
}

/** Works on items one after another, because a page may need many files. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  present: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await present(item));
  return results;
}
