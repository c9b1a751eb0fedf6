import type { Settings } from '../settings';
import { anAccount, byDirectFederation, byKeyOf, someKey, someSettings } from '../settings.contract';
import { assertExpected } from './assert-expected';

const noFile = { ...someSettings().file, create: false };
const expected = { expectedProject: 'proj', expectedAccount: anAccount };

describe('assertExpected', () => {
  it.each<[string, Partial<Settings>]>([
    ['what is expected', expected],
    ['anything where nothing is', { projectId: undefined, identity: byDirectFederation }],
    ['an expected key', { identity: byKeyOf(someKey.clientEmail), expectedAccount: someKey.clientEmail }],
    [
      'an expected account by the key of another one, without a file',
      { ...expected, identity: byKeyOf(anAccount), file: noFile },
    ],
  ])('lets pass %s', (_case, changes) => {
    expect(() => assertExpected(someSettings(changes))).not.toThrow();
  });

  it.each<[string, Partial<Settings>, string, string]>([
    ['another project', { projectId: 'x' }, 'project_not_expected', 'but it is "x"'],
    ['no project', { projectId: undefined }, 'project_not_expected', 'none could be told'],
    ['another account', { identity: byKeyOf('x') }, 'account_not_expected', 'but it is "x"'],
    ['no account', { identity: byDirectFederation }, 'account_not_expected', 'none could be told'],
    [
      'a file with the key of another account',
      { identity: byKeyOf(anAccount) },
      'account_not_expected',
      `but it is "${someKey.clientEmail}"`,
    ],
  ])('refuses %s', (_case, changes, reason, text) => {
    const failure = expect.objectContaining({ reason, message: expect.stringContaining(text) as string }) as Error;
    expect(() => assertExpected(someSettings({ ...expected, ...changes }))).toThrow(failure);
  });
});
