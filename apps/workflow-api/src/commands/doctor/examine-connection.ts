import { isLoopbackHost } from '@weir/foundation';
import { createWorkflowClient, isApiError, type Schemas, type WorkflowClient } from '@weir/workflow-client';
import type { NamedContext } from '../shared/context-file';
import { errorText } from '../shared/error-text';
import type { Check } from './check';
import { printChecks, type DoctorOptions } from './examine-installation';

export interface ConnectionOptions extends DoctorOptions {
  readonly context: NamedContext;
}

type Finding = Omit<Check, 'name'>;

const timeoutMs = 10_000;
const largestSkewMs = 5_000;
const shownNames = 5;

/** Checks the connection to the server of a context without changing anything. Returns the exit code: 1 when a check failed. */
export async function examineConnection(options: ConnectionOptions): Promise<number> {
  const { name, url } = options.context;
  const checks: readonly Check[] = [
    { name: 'program', result: 'ok', detail: `${options.version}, Node ${process.versions.node}` },
    { name: 'context', result: 'ok', detail: `${name}, ${url}` },
    ...(await checkConnection(options)),
  ];
  return printChecks(checks, options);
}

/** What needs an earlier check that failed is left out. */
async function checkConnection({ context, version }: ConnectionOptions): Promise<readonly Check[]> {
  const { url: baseUrl, apiKey } = context;
  const client = createWorkflowClient({ baseUrl, token: () => apiKey, timeoutMs, timeoutIncludesBody: true });
  const sentAt = Date.now();
  const answer = await client.GET('/health').catch((error: unknown) => ({ error }));
  if ('error' in answer && !(isApiError(answer.error) && answer.error.status === 503)) {
    return [
      { name: 'server', result: 'failed', detail: `does not answer as a Weir server: ${errorText(answer.error)}` },
    ];
  }
  const checks: readonly Check[] =
    'error' in answer
      ? [{ name: 'health', result: 'failed', detail: errorText(answer.error) }]
      : [
          { name: 'server', ...checkVersion(answer.data, version) },
          { name: 'health', result: 'ok', detail: answer.data.status },
          { name: 'clock', ...checkClock(answer.data, sentAt, Date.now()) },
        ];
  return [...checks, ...(await checkAccess(client, context))];
}

function checkVersion({ version, roles = [] }: Schemas['HealthResponse'], own: string): Finding {
  const detail = `${version}; roles: ${roles.join(', ')}`;
  if (version === own) return { result: 'ok', detail };
  return { result: 'warning', detail: `${detail}; this program is ${own}` };
}

/** The server read its clock somewhere between the request and the response. */
function checkClock({ timestamp }: Schemas['HealthResponse'], sentAt: number, receivedAt: number): Finding {
  const skewMs = Date.parse(timestamp) - (sentAt + receivedAt) / 2;
  const detail = `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return { result: Math.abs(skewMs) > largestSkewMs + (receivedAt - sentAt) / 2 ? 'warning' : 'ok', detail };
}

async function checkAccess(client: WorkflowClient, { url, apiKey }: NamedContext): Promise<readonly Check[]> {
  try {
    const { mode } = (await client.GET('/auth/state')).data;
    const signIn = mode === 'none' ? withoutSignIn(url) : await checkUser(client);
    const { data } = await client.GET('/permissions');
    return [
      { name: 'sign-in', ...signIn },
      { name: 'permissions', result: 'ok', detail: describePermissions(data) },
    ];
  } catch (error) {
    const isRefused = isApiError(error) && error.status === 401;
    const refusal = apiKey === undefined ? 'the context has no API key' : 'the server refuses the API key';
    const detail = isRefused ? `${refusal}; "weir login ${url}" stores another` : errorText(error);
    return [{ name: 'sign-in', result: 'failed', detail }];
  }
}

async function checkUser(client: WorkflowClient): Promise<Finding> {
  return { result: 'ok', detail: (await client.GET('/auth/me')).data.user.username };
}

function withoutSignIn(url: string): Finding {
  const isOpen = !isLoopbackHost(new URL(url).hostname);
  return { result: isOpen ? 'warning' : 'ok', detail: 'disabled; whoever reaches the server may use it' };
}

function describePermissions({ role, operations, workspaces }: Schemas['PermissionsResponse']): string {
  const runs = listNames(workspaces.filter(({ mayRun }) => mayRun));
  const writes = listNames(workspaces.filter(({ mayWrite }) => mayWrite));
  return `role ${role}; starts runs: ${runs}; changes DAGs: ${writes}; ${operations.length} operations`;
}

function listNames(workspaces: Schemas['PermissionsResponse']['workspaces']): string {
  if (workspaces.length === 0) return 'no';
  const names = workspaces.map(({ workspace }) => workspace ?? 'without a workspace');
  const more = names.length > shownNames ? `, and ${names.length - shownNames} more` : '';
  return `${names.slice(0, shownNames).join(', ')}${more}`;
}
