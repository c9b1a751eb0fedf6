import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

let home: TemporaryFolder;
let server: Server;
let address: string;

beforeEach(async () => {
  home = temporaryFolder();
  // As Vault answers, which cannot be had here.
  server = createServer((request, response) => {
    const isKnown = request.headers['x-vault-token'] === 'vault-token' && request.url === '/v1/kv/data/team/db';
    response.statusCode = isKnown ? 200 : 403;
    response.end(JSON.stringify(isKnown ? { data: { data: { user: 'ada', password: 'hunter22' } } } : { errors: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dag = [
    'secrets:',
    '  - { name: PASSWORD, provider: vault, key: kv/team/db, options: { field: password } }',
    'steps:',
    '  - run: test "$PASSWORD" = hunter22 && echo "it is $PASSWORD"',
    '    output: SHOWN',
    '',
  ];
  writeFileSync(home.file('vault.yaml'), dag.join('\n'));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await home.remove();
});

it('gives a step a secret of Vault, and masks it', async () => {
  const token = home.file('token');
  writeFileSync(token, 'vault-token\n');
  const env = { WEIR_VAULT_ADDRESS: address, WEIR_VAULT_TOKEN_FILE: token };
  const { code, stdout, stderr } = await runWeir(['start', 'vault.yaml'], { home, folder: home.path, env });

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).not.toContain('hunter22');
});

it('fails before the first step when Vault refuses it, and does not show the token', async () => {
  const env = { WEIR_VAULT_ADDRESS: address, WEIR_VAULT_TOKEN: 'another-token' };
  const { code, stdout, stderr } = await runWeir(['start', 'vault.yaml'], { home, folder: home.path, env });

  expect(code).toBe(1);
  expect(`${stdout}${stderr}`).toContain('Vault does not allow it to this server');
  expect(`${stdout}${stderr}`).not.toContain('another-token');
});
