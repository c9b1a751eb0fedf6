import { directIdentity, keyIdentity, someKey, someSettings } from '../testing/settings';
import { listSettingsNotes } from './settings-notes';

const noFile = { ...someSettings().file, create: false };
const accessToken = { kind: 'access_token', lifetimeSeconds: 60, scopes: [], subject: undefined } as const;

describe('settingsNotes', () => {
  const direct = { level: 'info', text: expect.stringContaining('direct Workload Identity Federation') as string };
  const noChain = { level: 'notice', text: expect.stringContaining('delegates') as string };

  it('tells that the job acts as the principal of the provider where no account was given', () => {
    expect(listSettingsNotes(someSettings({ identity: directIdentity }))).toEqual([direct]);
  });

  it('tells that tokens of direct federation end soon where one is handed out', () => {
    expect(listSettingsNotes(someSettings({ identity: directIdentity, token: accessToken }))).toEqual([
      direct,
      { level: 'notice', text: expect.stringContaining('minutes') as string },
    ]);
  });

  it('tells that the file knows no chain', () => {
    expect(listSettingsNotes(someSettings({ delegates: ['d'] }))).toEqual([noChain]);
  });

  it('tells that the file is of the account of the key where another one was given', () => {
    expect(listSettingsNotes(someSettings({ identity: keyIdentity('a'), token: accessToken }))).toEqual([
      { level: 'notice', text: expect.stringContaining('the account of the key') as string },
    ]);
  });

  it.each([
    ['an account', someSettings({ token: accessToken })],
    ['a chain without a file', someSettings({ delegates: ['d'], file: noFile })],
    ['a key', someSettings({ identity: keyIdentity(someKey.clientEmail), delegates: ['d'], token: accessToken })],
    [
      'another account than that of the key, without a file',
      someSettings({ identity: keyIdentity('a'), file: noFile }),
    ],
  ])('has nothing to tell of %s', (_case, settings) => {
    expect(listSettingsNotes(settings)).toEqual([]);
  });
});
