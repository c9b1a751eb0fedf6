import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import type { TestApi } from './test-api';
import { bodies, queries } from './valid-requests';
import { specOf, type WorkspaceObjects } from './workspace-objects';

export interface ObjectCall {
  readonly objects: WorkspaceObjects;
  readonly as: string;
  /** Fields that replace those of a valid request; `x-1` stands for the mark. */
  readonly body?: object | undefined;
  /** Parameters of the path that name something else. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Parameters besides those of a valid request, where the operation has them. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

const timeoutMs = 20_000;

/**
 * Calls an operation on these objects, wherever it can name one: in its path, its query and its body. Of an endless
 * stream only the status is read.
 */
export async function callOn(
  { url }: Pick<TestApi, 'url'>,
  endpoint: Endpoint,
  { objects, as, body: fields, params = {}, query: parameters = {} }: ObjectCall,
): Promise<{ readonly status: number; readonly text: string }> {
  const { operationId, method, path, body } = endpoint;
  const { mark, workspace } = objects;
  const named = (name: string): string => {
    const given = params[name];
    if (given !== undefined) return given;
    if (name === 'revision') return '1';
    if (name === 'subDAGRunId') return `${mark}sub`;
    return name === 'workspaceName' || name === 'workspaceId' ? (workspace ?? mark) : mark;
  };
  const address = fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, named(name)])));
  const query = new URLSearchParams(queries[operationId]?.replaceAll('x-1', mark));
  if (startsAtWorkspace(operationId) && workspace !== undefined) query.set('workspace', workspace);
  for (const [name, value] of Object.entries(parameters))
    if (name in (endpoint.query?.shape ?? {})) query.set(name, value);
  const response = await fetch(`${url}/api/v1${address}?${query.toString()}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(bodyOn(operationId, objects, fields)) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const isEndless = method === 'GET' && endpoint.success.content?.kind === 'events' && response.ok;
  if (isEndless) await response.body?.cancel();
  return { status: response.status, text: isEndless ? '' : await response.text() };
}

/** Whether paths of documents start at the folder of the workspace. */
const startsAtWorkspace = (operationId: string): boolean => /Docs?(Batch|Feed|Matches)?$/.test(operationId);

function bodyOn(operationId: string, objects: WorkspaceObjects, fields: object = {}): object {
  const { mark, workspace } = objects;
  const text = JSON.stringify({ ...bodies[operationId], ...fields }).replaceAll('x-1', mark);
  const given = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const namesWorkspace = ['createSecret', 'createEventSubscription'].includes(operationId) && workspace !== undefined;
  return {
    ...given,
    ...(given.spec === '' || (operationId === 'createNewDAG' && given.spec === undefined)
      ? { spec: specOf(objects) }
      : {}),
    ...(operationId.endsWith('FromSpec') ? { name: mark } : {}),
    ...(namesWorkspace && given.workspace === undefined ? { workspace } : {}),
    ...(operationId === 'createWorkspace' ? { name: workspace ?? mark } : {}),
  };
}
