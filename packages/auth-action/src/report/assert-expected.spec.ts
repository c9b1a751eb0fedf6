import type { Settings } from '../inputs/settings';
import { anAccount, directIdentity, keyIdentity, someKey, someSettings } from '../testing/settings';
import { assertExpected } from './assert-expected';

const noFile = { ...someSettings().file, create: false };
const expected = { expectedProject: 'proj', expectedAccount: anAccount };

describe('assertExpected', () => {
  it.each<[string, Partial<Settings>]>([
    ['what is expected', expected],
    ['anything where nothing is', { projectId: undefined, identity: directIdentity }],
    ['an expected key', { identity: keyIdentity(someKey.clientEmail), expectedAccount: someKey.clientEmail }],
    [
      'an expected account by the key of another one, without a file',
      { ...expected, identity: keyIdentity(anAccount), file: noFile },
    ],
  ])('accepts %s', (_case, changes) => {
    expect(() => assertExpected(someSettings(changes))).not.toThrow();
  });

  it.each<[string, Partial<Settings>, string, string]>([
    ['another project', { projectId: 'x' }, 'project_not_expected', 'but it is "x"'],
    ['no project', { projectId: undefined }, 'project_not_expected', 'it is unknown'],
    ['another account', { identity: keyIdentity('x') }, 'account_not_expected', 'but it is "x"'],
    ['no account', { identity: directIdentity }, 'account_not_expected', 'it is unknown'],
    [
      'a file with the key of another account',
      { identity: keyIdentity(anAccount) },
      'account_not_expected',
      `but it is "${someKey.clientEmail}"`,
    ],
  ])('refuses %s', (_case, changes, reason, text) => {
    const failure = expect.objectContaining({ reason, message: expect.stringContaining(text) as string }) as Error;
    expect(() => assertExpected(someSettings({ ...expected, ...changes }))).toThrow(failure);
  });
});
