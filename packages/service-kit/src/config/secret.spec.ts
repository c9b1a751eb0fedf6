import { inspect } from 'node:util';
import { createLogger } from '../logging/logger';
import { Secret } from './secret';

describe('Secret', () => {
  const secret = new Secret('hunter2');

  it('reveals its value when asked', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['as text', () => String(secret)],
    // oxlint-disable-next-line typescript/restrict-template-expressions -- the mistake that is shown
    ['in a template', () => `${secret}`],
    ['in a sum of strings', () => ['', secret].join('')],
    ['in JSON', () => JSON.stringify({ secret })],
    ['inspected', () => inspect(secret)],
    ['inspected with everything shown', () => inspect({ deep: { secret } }, { showHidden: true, depth: null })],
  ])('shows a placeholder %s', (_, print) => {
    expect(print()).not.toContain('hunter2');
    expect(print()).toContain('[secret]');
  });

  it.each(['json', 'text'] as const)('shows a placeholder in a log line in %s', (format) => {
    let output = '';
    const logger = createLogger({ level: 'info', format, destination: { write: (text) => (output += text) } });
    logger.child({ bound: secret }).info({ config: { jwt: { signing: secret } }, list: [secret] }, 'started');

    expect(output).not.toContain('hunter2');
    expect(output.match(/\[secret\]/g)).toHaveLength(3);
  });
});
