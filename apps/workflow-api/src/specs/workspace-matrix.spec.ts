import type { Endpoint } from '@weir/http-contract';
import { openEvents } from '@weir/test-kit';
import { objectRoles, roleIncludes, roles, workflowContract, type UserRole } from '@weir/workflow-contract';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../access/audited-operation';
import { parseTopic, topicTypes } from '../features/live/topics';
import { callOn, type ObjectCall } from '../testing/call-on';
import {
  addObjects,
  createStores,
  specOf,
  type ObjectOptions,
  type WorkspaceObjects,
} from '../testing/workspace-objects';
import { useBareRepository } from '../testing/use-bare-repository';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';

/** The others are called without a credential, or with one of their own. */
const endpoints = Object.values<Endpoint>(workflowContract).filter(
  ({ access }) => access !== 'public' && access !== 'login',
);
const isReading = ({ method, audit }: Endpoint): boolean => method === 'GET' && audit === undefined;

/** No workspace has admins of its own. */
const granted = roles.filter((role) => role !== 'admin');

const mine: WorkspaceObjects = { mark: 'minex', workspace: 'shop' };
const open: WorkspaceObjects = { mark: 'openx', workspace: undefined };
const theirs: WorkspaceObjects = { mark: 'theirsx', workspace: 'bank' };

/** Bodies that limit an operation on many objects to those of the call. */
const bodies: Readonly<Record<string, object>> = {
  changeDAGRuns: { action: 'stop', filter: { name: 'x-1' } },
  changeDAGs: { action: 'suspend', filter: { name: 'x-1' } },
  redriveDeadLetters: { dagRunId: 'x-1' },
};

/** Why an operation shows nothing of a workspace here, by its tag or its id. */
const withoutObjects: Readonly<Record<string, string>> = {
  agent: 'sessions and settings belong to no workspace, and tools are calls of these operations by the person',
  'api-keys': 'admins manage keys',
  auth: 'people manage their own sign-in',
  calendars: 'all workspaces share calendars',
  'remote-nodes': 'admins manage nodes',
  settings: 'all workspaces share the base configuration and the settings of the agent',
  system: 'it is about the server',
  users: 'admins manage users',
  'worker-tokens': 'admins manage the tokens of workers',
  getSyncConfig: 'all workspaces share the repository',
  getGlobalRuntimeProfileDefaults: 'these defaults are for all workspaces',
  getRuntimeProfile: 'all workspaces share profiles',
  listDeadLetters: 'no run was given up here, see dead-letter-routes.spec.ts',
  listRuntimeProfiles: 'all workspaces share profiles',
  streamEvents: 'its topics have cases of their own below',
};

const repository = useBareRepository();
let server: TestWorkflow;
let stored: Awaited<ReturnType<typeof createStores>>;
let admin: string;
/** The keys of people of the shop, by their role there. */
const keys = new Map<UserRole, string>();
const keyOf = (role: UserRole): string => keys.get(role) ?? admin;
/** The answers before the bank has anything, by operation and role. */
const earlier = new Map<string, readonly Answer[]>();

interface Answer {
  readonly status: number;
  readonly text: string;
}

const reasonOf = ({ text }: Answer) => (JSON.parse(text || '{}') as { readonly reason?: string }).reason;

const add = (objects: WorkspaceObjects, options: ObjectOptions = {}) =>
  addObjects(server, stored.stores, { objects, as: admin, ...options });

const naming = ({ mark, workspace = '' }: WorkspaceObjects) => ({
  name: mark,
  dagName: mark,
  withName: mark,
  dagRunId: mark,
  with: mark,
  queue: mark,
  search: mark,
  resourceId: mark,
  labels: `workspace=${workspace}`,
  workspace,
});

/** The calls of an operation that try to see something of the bank, or to change it. */
function callsOf(endpoint: Endpoint): readonly Omit<ObjectCall, 'as'>[] {
  const direct = { objects: theirs };
  if (!isReading(endpoint)) return [direct];
  return [
    direct,
    { objects: theirs, query: naming(theirs) },
    { objects: mine, query: { after: '2025-12-30T00:00:00Z' } },
    { objects: mine, query: naming(theirs) },
    { objects: mine, params: { dagRunId: 'latest' }, query: { recentRuns: '5', status: '0' } },
  ];
}

/** The answers to all of them, without what differs between two equal calls. */
async function tryAll(endpoint: Endpoint, role: UserRole): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const call of callsOf(endpoint)) {
    const body = bodies[endpoint.operationId];
    const { status, text } = await callOn(server.api, endpoint, { ...call, as: keyOf(role), body });
    const stable = text.replaceAll(/"requestId":"[^"]+"/g, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T');
    answers.push({ status, text: stable });
  }
  return answers;
}

/** What the bank has beside its own DAG: older and newer runs of the DAG of the shop, and what names this DAG. */
async function addBeside(): Promise<void> {
  const { runs } = server.application;
  for (const [status, parentId] of [
    ['failed', null],
    ['queued', null],
    ['waiting', null],
    ['succeeded', open.mark],
  ] as const) {
    const run = aRun({
      id: `theirsx-${status}`,
      dagName: mine.mark,
      fileName: mine.mark,
      workspace: 'bank',
      status,
      queueName: mine.mark,
      params: '{"WHO":"theirsx"}',
      labels: ['theirsx'],
      error: 'theirsx',
      createdAt: new Date(),
      finishedAt: new Date(),
      ...(parentId === null ? {} : { parentId, rootId: parentId, parentNode: '0', depth: 1 }),
    });
    const steps = [aRunStep({ name: 'theirsx', status: status === 'queued' ? 'not_started' : status })];
    await runs.insert(run, steps, { audit: unaudited, singleton: false });
  }
  const labels = 'labels: { workspace: bank }\n';
  await server.addDag('theirsx-caller', `${labels}steps: [{ name: theirsx, action: dag.run, with: { dag: minex } }]\n`);
  await server.addDag('theirsx-broken', `${labels}steps: 7 # minex\n`);
  await server.api.send('POST /docs?workspace=bank', { as: admin, body: { id: 'theirsx-doc', content: 'minex' } });
}

beforeAll(async () => {
  stored = await createStores();
  server = await createTestWorkflow({ platform: stored.stores });
  admin = await server.createKey('admin');
  await repository.connect(server.api, admin);
  for (const role of granted) keys.set(role, await server.createKey('viewer', { shop: role }));
  await add(mine);
  await add(open);
  // The repository has the files of the shop, and then says nothing new: its last commit is that of all workspaces.
  await server.api.send('POST /sync/publish-all', { as: admin, body: {} });
});
// A hook for each, because all calls together take a while.
for (const endpoint of endpoints) {
  beforeAll(async () => {
    for (const role of isReading(endpoint) ? roles : granted) {
      earlier.set(`${endpoint.operationId} ${role}`, await tryAll(endpoint, role));
    }
  });
}
beforeAll(async () => {
  // An event that anybody sends starts runs of the DAGs that its sender may start.
  await add(theirs, { keys: 'schedule: "0 0 * * *"\ntriggers: [{ event: x }]\n' });
  await addBeside();
});
afterAll(async () => {
  await server.stop();
  await stored.remove();
});

const reading = endpoints.filter(isReading);
const isWithoutObjects = ({ tag, operationId }: Endpoint) => tag in withoutObjects || operationId in withoutObjects;
const named = (chosen: readonly Endpoint[]) => chosen.map((endpoint) => [endpoint.operationId, endpoint] as const);

describe('a person who sees the bank', () => {
  const describing = reading.filter((endpoint) => !isWithoutObjects(endpoint));

  it.each(named(describing))('gets another answer of %s, now that the bank has something', async (id, endpoint) => {
    expect(await tryAll(endpoint, 'admin')).not.toEqual(earlier.get(`${id} admin`));
  });

  it('has a reason for each other operation', () => {
    const keysOfOthers = reading.filter(isWithoutObjects).flatMap(({ tag, operationId }) => [tag, operationId]);
    expect(Object.keys(withoutObjects).filter((key) => !keysOfOthers.includes(key))).toEqual([]);
  });
});

describe.each(named(endpoints))('%s', (id, endpoint) => {
  it.each(granted)('answers a %s of the shop as if the bank had nothing', async (role) => {
    expect(await tryAll(endpoint, role)).toEqual(earlier.get(`${id} ${role}`));
  });
});

it('leaves what the bank has as it was, whatever a manager of the shop calls', async () => {
  const shown = reading.filter((one) => !isWithoutObjects(one) && !['audit', 'events', 'monitoring'].includes(one.tag));
  const readAll = async () => {
    const answers: (readonly [string, readonly Answer[]])[] = [];
    for (const endpoint of shown) answers.push([endpoint.operationId, await tryAll(endpoint, 'admin')]);
    return answers;
  };
  const before = await readAll();
  for (const endpoint of endpoints.filter((one) => !isReading(one))) await tryAll(endpoint, 'manager');

  expect(await readAll()).toEqual(before);
});

describe('a call on an object of the shop', () => {
  const inBank = specOf(theirs);
  const ended: WorkspaceObjects = { mark: 'endedx', workspace: 'shop' };

  beforeAll(() => add(ended, { runStatus: 'failed' }));

  it.each([
    ['moveQueueItem', { name: 'theirsx', dagRunId: 'theirsx' }, 404, 'dag_run_not_found'],
    ['moveQueueItem', { name: 'minex', dagRunId: 'theirsx-waiting' }, 404, 'dag_run_not_found'],
    ['retryDAGRun', { dagRunId: 'x-1', stepName: 'theirsx', subDAGRunId: 'theirsxsub' }, 404, 'dag_run_not_found'],
    ['updateDAGSpec', { spec: inBank }, 403, 'role_missing'],
    ['editRetryDAGRun', { spec: inBank }, 403, 'role_missing'],
    ['previewEditRetryDAGRun', { spec: inBank }, 403, 'role_missing'],
    ['dryRunDAGRunFromSpec', { spec: inBank }, 403, 'role_missing'],
    ['executeDAGRunFromSpec', { spec: inBank }, 403, 'role_missing'],
    ['createNewDAG', { name: 'stolenx', spec: inBank }, 403, 'role_missing'],
    ['createSecret', { workspace: 'bank' }, 404, 'workspace_not_found'],
    ['createDoc', { id: '../bank/stolenx' }, 400, 'request_invalid'],
    ['renameDoc', { newPath: '../bank/stolenx' }, 400, 'request_invalid'],
  ] as const)('%s is refused when its body names the bank: %j', async (id, body, status, reason) => {
    const endpoint = endpoints.find(({ operationId }) => operationId === id);
    if (endpoint === undefined) throw new Error(`There is no operation ${id}.`);
    const answer = await callOn(server.api, endpoint, { objects: ended, as: keyOf('manager'), body });

    expect({ status: answer.status, reason: reasonOf(answer) }).toEqual({ status, reason });
  });

  it.each([
    ['/bulk/dag-runs', { action: 'delete', filter: {}, only: [{ name: 'theirsx', dagRunId: 'theirsx' }] }],
    ['/bulk/dags', { action: 'delete', filter: {}, only: ['theirsx', 'theirsx-caller'] }],
  ])('POST %s changes no object of the bank that it names', async (path, body) => {
    const response = await fetch(`${server.api.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf('manager')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await response.text()).toContain('{"total":0,');
  });

  it('deletes no document of the bank by its path', async () => {
    const body = { paths: ['bank/theirsx'] };
    await server.api.send('POST /docs/delete-batch', { as: keyOf('manager'), body });
    await expect(server.api.send('GET /docs/doc?path=bank/theirsx', { as: admin })).resolves.toMatchObject({
      status: 200,
    });
  });
});

describe('the topic', () => {
  const partsOf = (type: string) =>
    [1, 2, 3].map((count) => `${type}:${Array<string>(count).fill(theirs.mark).join('/')}`);
  const isTopic = (text: string): boolean => {
    try {
      return parseTopic(text).key !== '';
    } catch {
      return false;
    }
  };
  /** The first state that a stream sends; null when it refuses the topic. */
  const read = async (topic: string, as: string) => {
    const address = `${server.api.url}/api/v1/events/stream?topic=${encodeURIComponent(topic)}`;
    const events = await openEvents(address, { authorization: `Bearer ${as}` });
    const { subscribed = [] } = (await events.next()).data as { readonly subscribed?: readonly string[] };
    const state = subscribed.length === 0 ? undefined : (await events.next()).data;
    await events.close();
    return JSON.stringify((state as { readonly payload?: object } | undefined)?.payload ?? null);
  };
  const topics = Object.keys(topicTypes).flatMap((type) => [
    ...partsOf(type).filter(isTopic),
    ...(isTopic(`${type}:`) ? [`${type}:`] : []),
  ]);

  it('is tried for each type', () => {
    expect(new Set(topics.map((topic) => topic.split(':')[0]))).toEqual(new Set(Object.keys(topicTypes)));
  });

  it.each(topics)('%s sends a manager of the shop nothing of the bank', async (topic) => {
    expect(await read(topic, keyOf('manager'))).not.toContain(theirs.mark);
  });

  it('sends it to those who see the bank', async () => {
    const shown = await Promise.all(topics.map(async (topic) => (await read(topic, admin)).includes(theirs.mark)));
    expect(shown.filter(Boolean).length).toBeGreaterThan(6);
  });
});

describe('the role in the workspace of an object', () => {
  /** Their answers name objects of all workspaces. */
  const ofAll = ['getMetrics'];
  /** They show what is in those workspaces of which the caller is a manager. */
  const logs = ['listAuditLogs', 'listEventLogs'];
  /** Why an answer is that about an unknown object. */
  const alike: Readonly<Record<string, string>> = {
    changeStreamTopics: 'no stream is open',
    deleteWorkspaceRuntimeProfileDefaultEntry: 'the defaults have no entry',
    getQueue: 'no run waits in the queue',
    listQueueItems: 'no run waits in the queue',
  };
  /** The role in all workspaces, which the access of an operation is about, is viewer here. */
  const isAllowed = ({ operationId, access }: Endpoint, role: UserRole): boolean => {
    if (ofAll.includes(operationId)) return false;
    return typeof access === 'string'
      ? roleIncludes(role, objectRoles[operationId] ?? 'viewer')
      : access.includes('viewer');
  };
  let marks = 0;
  const addFresh = async ({ workspace }: WorkspaceObjects): Promise<WorkspaceObjects> => {
    const objects = { mark: `m${(marks += 1)}x`, workspace };
    await add(objects);
    return objects;
  };
  const expectRole = async (endpoint: Endpoint, place: WorkspaceObjects, person: { role: UserRole; as: string }) => {
    const { operationId } = endpoint;
    const mayDo = isAllowed(endpoint, person.role);
    const objects = mayDo && !isReading(endpoint) ? await addFresh(place) : place;
    const { workspace } = place;
    const call = (named: WorkspaceObjects) =>
      callOn(server.api, endpoint, {
        objects: named,
        as: person.as,
        body: bodies[operationId],
        query: { with: named.mark, ...(workspace === undefined ? {} : { workspace }) },
      });
    const answer = await call(objects);
    if (!mayDo) {
      expect({ status: answer.status, reason: reasonOf(answer) }).toEqual({ status: 403, reason: 'role_missing' });
      return;
    }
    expect([401, 403, 500]).not.toContain(answer.status);
    if (answer.status !== 404 || isWithoutObjects(endpoint) || operationId in alike) return;
    expect(reasonOf(answer)).not.toBe(reasonOf(await call({ mark: 'unknownx', workspace })));
  };

  // A key has no session to end.
  const callable = endpoints.filter(({ operationId }) => operationId !== 'logout');
  const ofOneWorkspace = callable.filter(({ operationId }) => !logs.includes(operationId));
  const ofNone = ofOneWorkspace.filter(({ path }) => !/\{workspace(Name|Id)\}/.test(path));

  it.each(callable.flatMap((endpoint) => granted.map((role) => [endpoint.operationId, role, endpoint] as const)))(
    'counts in %s for a %s',
    async (_, role, endpoint) => {
      await expectRole(endpoint, mine, { role, as: keyOf(role) });
    },
  );

  it.each(named(ofOneWorkspace))('counts in %s for a manager of another one', async (_, endpoint) => {
    const as = await server.createKey('viewer', { shop: 'manager', bank: 'viewer' });
    await expectRole(endpoint, theirs, { role: 'viewer', as });
  });

  it.each(named(ofNone))('is that in all workspaces in %s on an object of none', async (_, endpoint) => {
    await expectRole(endpoint, open, { role: 'viewer', as: keyOf('manager') });
  });
});
