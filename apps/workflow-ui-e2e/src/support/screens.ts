/** A screen that is checked, and pictured, in both themes on a desktop and on a phone. */
export interface Screen {
  readonly name: string;
  /** Below the address of the interface. */
  readonly path: string;
  /** What is there once the screen has its data. */
  readonly ready: { readonly role: 'heading' | 'grid' | 'row' | 'region'; readonly name: string | RegExp };
}

/** Every screen that the admin of a server with some runs can open; one line for each. */
export const screens: readonly Screen[] = [
  { name: 'home', path: '', ready: { role: 'row', name: /merge-sources/ } },
  { name: 'dags', path: 'dags', ready: { role: 'row', name: /merge-sources/ } },
  { name: 'dags-no-match', path: 'dags?q=nothing-like-this', ready: { role: 'heading', name: 'No DAG matches' } },
  { name: 'runs', path: 'runs', ready: { role: 'row', name: /merge-sources/ } },
  { name: 'run', path: 'dag-runs/export-ledger/latest', ready: { role: 'heading', name: 'export' } },
  {
    name: 'run-timeline',
    path: 'dag-runs/merge-sources/latest?view=timeline',
    ready: { role: 'heading', name: 'merge-sources' },
  },
  {
    name: 'run-approval',
    path: 'dag-runs/release-approval/latest?view=table',
    ready: { role: 'heading', name: 'release-approval' },
  },
  { name: 'run-inputs', path: 'dag-runs/merge-sources/latest?tab=inputs', ready: { role: 'row', name: 'rate' } },
  { name: 'run-events', path: 'dag-runs/merge-sources/latest?tab=events', ready: { role: 'grid', name: 'Events' } },
  {
    name: 'run-spec',
    path: 'dag-runs/merge-sources/latest?tab=spec',
    ready: { role: 'region', name: 'Spec of this run' },
  },
  {
    name: 'run-unknown',
    path: 'dag-runs/merge-sources/no-such-run',
    ready: { role: 'heading', name: 'There is no such run' },
  },
  {
    name: 'log',
    path: 'dag-runs/export-ledger/latest/log?step=export',
    ready: { role: 'heading', name: 'Log of export' },
  },
  { name: 'dag', path: 'dags/export-ledger', ready: { role: 'heading', name: 'Last runs' } },
  {
    name: 'dag-graph',
    path: 'dags/merge-sources?tab=graph&statuses=last',
    ready: { role: 'heading', name: 'merge-sources' },
  },
  { name: 'dag-schedule', path: 'dags/export-ledger?tab=schedule', ready: { role: 'grid', name: 'Next times' } },
  { name: 'dag-history', path: 'dags/merge-sources?tab=history', ready: { role: 'grid', name: 'Steps by runs' } },
  { name: 'dag-revisions', path: 'dags/export-ledger?tab=revisions', ready: { role: 'heading', name: 'Revision #3' } },
  { name: 'dag-unknown', path: 'dags/nobody', ready: { role: 'heading', name: 'There is no DAG “nobody”' } },
  { name: 'calendar', path: 'calendar?view=week', ready: { role: 'heading', name: 'Calendar' } },
  { name: 'approvals', path: 'approvals', ready: { role: 'row', name: /release-approval/ } },
  {
    name: 'editor',
    path: 'dags/export-ledger?tab=spec',
    ready: { role: 'heading', name: 'No problems' },
  },
  {
    name: 'base-config',
    path: 'settings/base-config',
    ready: { role: 'heading', name: 'No problems' },
  },
  { name: 'search', path: 'search?q=ledger', ready: { role: 'heading', name: 'export-ledger' } },
  { name: 'docs-empty', path: 'docs', ready: { role: 'heading', name: 'There is no document yet' } },
  { name: 'queues-empty', path: 'queues', ready: { role: 'heading', name: 'No queue holds a run' } },
  { name: 'events', path: 'events', ready: { role: 'row', name: 'Run failed' } },
  { name: 'status', path: 'status', ready: { role: 'heading', name: 'Resources of the last hour' } },
  { name: 'users', path: 'users', ready: { role: 'row', name: /ada/ } },
  { name: 'roles', path: 'roles', ready: { role: 'row', name: /Create a user/ } },
  { name: 'workspaces-empty', path: 'workspaces', ready: { role: 'heading', name: 'There is no workspace yet' } },
  { name: 'api-keys-empty', path: 'api-keys', ready: { role: 'heading', name: 'There is no key yet' } },
  { name: 'secrets-empty', path: 'secrets', ready: { role: 'heading', name: 'There is no secret here yet' } },
  { name: 'profiles-empty', path: 'profiles', ready: { role: 'heading', name: 'There is no profile' } },
  {
    name: 'profile-defaults',
    path: 'profiles?profile=_global',
    ready: { role: 'heading', name: 'It has no variables and no secrets.' },
  },
  { name: 'webhooks-empty', path: 'webhooks', ready: { role: 'heading', name: 'No DAG has a webhook yet' } },
  {
    name: 'dag-webhook-none',
    path: 'dags/export-ledger?tab=webhook',
    ready: { role: 'heading', name: 'This DAG has no webhook' },
  },
  { name: 'nodes-empty', path: 'nodes', ready: { role: 'heading', name: 'There is no other server yet' } },
  { name: 'sync-off', path: 'sync', ready: { role: 'heading', name: 'Git sync is off' } },
  { name: 'audit', path: 'audit', ready: { role: 'row', name: /DAG changed/ } },
  { name: 'settings', path: 'settings', ready: { role: 'heading', name: 'Browsers that are signed in' } },
  { name: 'not-found', path: 'no/such/page', ready: { role: 'heading', name: 'There is no such page' } },
  { name: 'catalogue', path: 'catalogue', ready: { role: 'heading', name: 'Components' } },
];

/** Screens of a server that is in use; the same are empty before. */
export const screensInUse: readonly Screen[] = [
  { name: 'queues', path: 'queues', ready: { role: 'grid', name: 'Wait in heavy' } },
  { name: 'docs', path: 'docs?doc=runbooks/locked-ledger', ready: { role: 'heading', name: /ledger is locked/ } },
  { name: 'workspaces', path: 'workspaces', ready: { role: 'row', name: /finance/ } },
  { name: 'api-keys', path: 'api-keys', ready: { role: 'row', name: /nightly-export/ } },
  { name: 'secrets', path: 'secrets', ready: { role: 'row', name: /payments/ } },
  { name: 'sync', path: 'sync', ready: { role: 'row', name: 'merge-sources.yaml' } },
  { name: 'webhooks', path: 'webhooks', ready: { role: 'row', name: /export-ledger/ } },
  {
    name: 'dag-webhook',
    path: 'dags/export-ledger?tab=webhook',
    ready: { role: 'heading', name: 'Webhook of export-ledger' },
  },
  { name: 'nodes', path: 'nodes', ready: { role: 'row', name: /west/ } },
  { name: 'workers', path: 'workers', ready: { role: 'grid', name: 'Workers' } },
];
