import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { replaceAssertion, type CliAccount } from './cli-store';

describe('the accounts of the Azure CLI', () => {
  let temporary: TemporaryFolder;
  let account: CliAccount;
  beforeEach(() => {
    temporary = temporaryFolder();
    account = { folder: temporary.path, clientId: 'client', tenantId: 'tenant' };
  });
  afterEach(() => temporary.remove());

  const file = (): string => temporary.file('service_principal_entries.json');

  it('get the new assertion, for the owner only', () => {
    const entry = { client_id: 'client', tenant: 'tenant' };
    writeFileSync(file(), JSON.stringify([{ ...entry, client_assertion: 'old' }]));

    expect(replaceAssertion(account, 'new')).toBe(true);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([{ ...entry, client_assertion: 'new' }]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['there are none', undefined],
    ['they are no list', '{}'],
    ['the principal has a secret now', '[{"client_id":"client","tenant":"tenant","client_secret":"s"}]'],
    ['the principal is another', '[{"client_id":"other","tenant":"tenant","client_assertion":"a"}, 1]'],
  ])('stay as they are if %s', (_case, text) => {
    if (text !== undefined) writeFileSync(file(), text);

    expect(replaceAssertion(account, 'new')).toBe(false);
    if (text !== undefined) expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  it('are tried again later if the CLI has written half of them', () => {
    writeFileSync(file(), '[{"client_id":');

    expect(() => replaceAssertion(account, 'new')).toThrow('JSON');
  });
});
