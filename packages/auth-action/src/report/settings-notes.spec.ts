import { directIdentity, keyIdentity, someKey, someSettings } from '../testing/settings';
import { listSettingsNotes } from './settings-notes';

const noFile = { ...someSettings().file, create: false };
const accessToken = { kind: 'access_token', lifetimeSeconds: 60, scopes: [], subject: undefined } as const;

describe('settingsNotes', () => {
  const direct = { level: 'info', text: expect.stringContaining('direct Workload Identity Federation') as string };
  const noChain = { level: 'notice', text: expect.stringContaining('delegates') as string };

  it('reports direct federation if no account is set', () => {
    expect(listSettingsNotes(someSettings({ identity: directIdentity }))).toEqual([direct]);
  });

  it('reports that a token output of direct federation expires soon', () => {
    expect(listSettingsNotes(someSettings({ identity: directIdentity, token: accessToken }))).toEqual([
      direct,
      { level: 'notice', text: expect.stringContaining('minutes') as string },
    ]);
  });

  it('warns about an input without effect', () => {
    const ignoredInputs = [{ input: 'delegates', why: 'it applies to nothing' }];
    expect(listSettingsNotes(someSettings({ ignoredInputs }))).toEqual([
      { level: 'warning', text: 'Input delegates has no effect: it applies to nothing.' },
    ]);
  });

  it('reports that the file does not support delegates', () => {
    expect(listSettingsNotes(someSettings({ delegates: ['d'] }))).toEqual([noChain]);
  });

  it('reports that the file is for the account of the key if another account is set', () => {
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
  ])('reports nothing for %s', (_case, settings) => {
    expect(listSettingsNotes(settings)).toEqual([]);
  });
});
