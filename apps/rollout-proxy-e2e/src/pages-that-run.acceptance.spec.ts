import path from 'node:path';
import { freePort, runPage } from '@weir/test-kit';
import { program } from './support/rollout-proxy';

const docs = path.resolve(__dirname, '../../../docs');

describe('the commands of a page have the documented effect', () => {
  it.each([
    [
      'guide/first-episode.md',
      ['"session_id":"first-0"', 'chat.completion', 'input_ids I32', 'span_versions I32', 'rewards F32 1'],
    ],
    [
      'how-to/debug-token-mismatches.md',
      ['"continuity":"continued"', '"counts":{"assistant.content":1}', '"rendered":', '"tokenizerParity":"equal"'],
    ],
    ['how-to/connect-an-agent.md', ['"type":"message"', '"object":"response"', '"interaction_count":2']],
    ['how-to/look-at-trajectories.md', ['"sessions":[]']],
  ])('%s', async (name, printed) => {
    const port = String(await freePort());
    const { code, stdout, stderr } = await runPage({
      page: path.join(docs, name),
      programs: { 'rollout-proxy': program },
      env: { ROLLOUT_PORT: port },
      replace: { '127.0.0.1:8090': `127.0.0.1:${port}` },
    });

    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed.filter((text) => !stdout.includes(text))).toEqual([]);
  });
});
