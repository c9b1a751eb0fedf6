import { aUser } from '../../../testing/identity-builders';
import { createLocalAdmin, openAccessAdmin, toUserPrincipal } from '../../../access/principal';
import { toRunActor } from './run-actor';

const key = { ...createLocalAdmin('deploy'), kind: 'api-key', id: 'apikey:key-1' } as const;
const job = { ...key, kind: 'job', id: 'job:https://ci.example repo:a/b', name: 'job:repo:a/b' } as const;

it.each([
  ['a person', toUserPrincipal(aUser({ id: 'user-1', username: 'ada' })), { kind: 'user', id: 'user-1', name: 'ada' }],
  ['an API key', key, { kind: 'api_key', id: 'key-1', name: 'deploy' }],
  ['a CI job', job, { kind: 'job', id: 'https://ci.example repo:a/b', name: 'repo:a/b' }],
  ['a command on the machine', createLocalAdmin('root'), { kind: 'command', name: 'root' }],
  ['anyone where sign-in is disabled', openAccessAdmin, { kind: 'anyone' }],
])('records %s', (_who, principal, actor) => {
  expect(toRunActor(principal)).toEqual(actor);
});
