import { readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess } from '@weir/test-kit';
import { startWeir, type Weir } from '../support/weir-server';

const root = path.resolve(__dirname, '../../../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const firstScreen = readFileSync(path.join(root, 'apps/workflow-api/README.md'), 'utf8');

/** The lines that a stranger is told to paste, for the address of this server. */
function pastedLines(baseUrl: string): string {
  const blocks = [...firstScreen.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const block = blocks.find((candidate) => candidate.includes('/auth/setup')) ?? '';
  return block.replace('http://127.0.0.1:8080/api/v1', baseUrl);
}

describe('the first screens', () => {
  let weir: Weir;

  beforeAll(async () => {
    weir = await startWeir();
  }, 60_000);

  afterAll(() => weir.dispose());

  it('that of the repository starts with "npm start", and leads to that of the server, in at most 400 words', () => {
    expect(readme).toMatch(/```sh\nnpm start\n```/);
    expect(readme).toContain('(apps/workflow-api/README.md)');
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(400);
  });

  it('that of the server leads from set-up to the log of a step', async () => {
    const lines = pastedLines(weir.baseUrl);
    expect(lines).toContain(weir.baseUrl);

    const shell = await spawnProcess({ command: 'bash', args: ['-euc', lines] });
    const { code } = await shell.exited;

    expect({ code, stderr: shell.stderr() }).toEqual({ code: 0, stderr: '' });
    expect(shell.stdout()).toContain('"username":"admin"');
    expect(shell.stdout()).toContain('"fileName":"merge-sources"');
    expect(shell.stdout()).toContain('"statusLabel":"succeeded"');
    expect(shell.stdout()).toContain('3 prices, 13.20 in all');
  });
});
