import type { Endpoint } from '@weir/http-contract';
import { objectRoles, workflowContract } from '@weir/workflow-contract';
import { callOn } from '../testing/call-on';
import { addObjects, createStores, webhookTokenOf, type ObjectOptions } from '../testing/workspace-objects';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';

/** Why an entry has no workspace, by the category or the id of the operation. */
const ofNoWorkspace: Readonly<Record<string, string>> = {
  agent: 'models, souls and memories serve all workspaces, and a session is its own person’s: its calls have entries',
  api_key: 'admins manage keys',
  auth: 'people manage their own sign-in',
  calendar: 'all workspaces share the calendars',
  remote_node: 'admins manage nodes',
  settings: 'all workspaces share the base configuration',
  sync: 'a repository holds the files of all workspaces; each file is a part, see audited-sync.spec.ts',
  user: 'admins manage users',
  worker_token: 'admins manage the tokens of workers',
  createRuntimeProfile: 'all workspaces share profiles',
  deleteGlobalRuntimeProfileDefaultEntry: 'these defaults are for all workspaces',
  deleteRuntimeProfile: 'all workspaces share profiles',
  deleteRuntimeProfileEntry: 'all workspaces share profiles',
  pauseQueue: 'runs of all workspaces may wait in a queue',
  redriveDeadLetters: 'each run is a part, see dead-letter-routes.spec.ts',
  resumeQueue: 'runs of all workspaces may wait in a queue',
  setGlobalRuntimeProfileDefaultSecret: 'these defaults are for all workspaces',
  setGlobalRuntimeProfileDefaultVariable: 'these defaults are for all workspaces',
  setRuntimeProfileSecret: 'all workspaces share profiles',
  setRuntimeProfileVariable: 'all workspaces share profiles',
  updateGlobalRuntimeProfileDefaults: 'these defaults are for all workspaces',
  updateRuntimeProfile: 'all workspaces share profiles',
};

interface Preparation extends ObjectOptions {
  /** Operations that are called before. */
  readonly after?: readonly (keyof typeof workflowContract)[];
  readonly body?: object;
  /** Default: 200 to 299. */
  readonly status?: number;
}

const ended: Preparation = { runStatus: 'failed' };
const queued: Preparation = { runStatus: 'queued' };

/** What operations need besides the objects and a valid request. */
const preparations: Readonly<Record<string, Preparation>> = {
  completeHumanTask: { step: 'action: human.task, with: { prompt: Well? }' },
  createDAGWebhook: { after: ['deleteDagWebhook'] },
  createDoc: { after: ['deleteDoc'] },
  createNewDAG: { body: { name: 'another' } },
  createSecret: { after: ['deleteSecret'] },
  createWorkspace: { after: ['deleteDoc', 'deleteWorkspace'] },
  changeDAGRuns: { body: { action: 'stop', filter: { name: 'x-1' } } },
  changeDAGs: { body: { action: 'suspend', filter: { name: 'x-1' } } },
  deleteDAGRun: ended,
  deleteWorkspace: { after: ['deleteDoc'] },
  deleteWorkspaceRuntimeProfileDefaultEntry: { after: ['setWorkspaceRuntimeProfileDefaultVariable'] },
  dequeueDAGRun: queued,
  editRetryDAGRun: ended,
  executeDAGSync: { status: 408 },
  moveQueueItem: queued,
  receiveEvents: { keys: 'triggers: [{ event: x }]\n' },
  renameDAG: ended,
  retryDAGRun: ended,
  startBackfill: { after: ['cancelBackfill'], keys: 'schedule: "0 0 * * *"\n' },
  updateDAGRunStepStatus: ended,
  updateSubDAGRunStepStatus: ended,
};

const audited = Object.values<Endpoint>(workflowContract).filter(({ audit }) => typeof audit === 'object');
const keysOf = ({ operationId, audit }: Endpoint) => [operationId, typeof audit === 'object' ? audit.category : ''];
const ofWorkspaces = audited.filter((endpoint) => keysOf(endpoint).every((key) => ofNoWorkspace[key] === undefined));

let server: TestWorkflow;
let stored: Awaited<ReturnType<typeof createStores>>;
let admin: string;

beforeAll(async () => {
  stored = await createStores();
  server = await createTestWorkflow({ platform: stored.stores });
  admin = await server.createKey('admin');
}, 60_000);
afterAll(async () => {
  await server.stop();
  await stored.remove();
});

interface Entry {
  readonly action: string;
  readonly position: number;
}

async function listEntries(workspace: string): Promise<readonly Entry[]> {
  const { body } = await server.api.send(`GET /audit?workspace=${workspace}&limit=500`, { as: admin });
  return body.entries as readonly Entry[];
}

it.each(ofWorkspaces.map((endpoint, index) => [endpoint.operationId, endpoint, `m${index}x`] as const))(
  '%s is recorded in the workspace of its object',
  async (operationId, endpoint, mark) => {
    const objects = { mark, workspace: `w${mark}` };
    const { after = [], body, status, ...options } = preparations[operationId] ?? {};
    await addObjects(server, stored.stores, { objects, as: admin, ...options });
    for (const name of after) await callOn(server.api, workflowContract[name], { objects, as: admin });
    const before = (await listEntries(objects.workspace))[0]?.position ?? 0;

    const as = endpoint.access === 'public' ? webhookTokenOf(mark).token : admin;
    const answer = await callOn(server.api, endpoint, { objects, as, body });
    expect({
      ...answer,
      isExpected: status === undefined ? answer.status < 300 : answer.status === status,
    }).toMatchObject({
      isExpected: true,
    });
    const entries = (await listEntries(objects.workspace)).filter(({ position }) => position > before);

    expect(entries.map(({ action }) => action)).toContain((endpoint.audit as { readonly action: string }).action);
  },
);

it('gives a reason for operations of no workspace, and for no others', () => {
  const keys = audited.filter((endpoint) => !ofWorkspaces.includes(endpoint)).flatMap(keysOf);
  expect(Object.keys(ofNoWorkspace).filter((key) => !keys.includes(key))).toEqual([]);
});

it('is decided for each operation that needs the right to run or to write, whatever its method', () => {
  const names = Object.values<Endpoint>(workflowContract).flatMap(({ operationId, audit }) =>
    audit ? [operationId] : [],
  );
  const changing = Object.keys(objectRoles).filter((id) => ['operator', 'developer'].includes(objectRoles[id] ?? ''));
  expect(changing.filter((operationId) => !names.includes(operationId))).toEqual([]);
});
