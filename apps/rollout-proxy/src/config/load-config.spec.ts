import { loadConfig } from './load-config';

const host = { userHome: '/home/someone', workingDirectory: '/srv/rollout' };

describe('the configuration', () => {
  it('is valid without any variable', () => {
    const config = loadConfig({}, host);
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8090,
      dataFolder: '/home/someone/.weir/rollout',
      engine: { kind: 'embedded', urls: [], model: undefined },
      sessions: { idleMs: 3_600_000 },
    });
  });

  it('reads the set variables, with paths made absolute', () => {
    const config = loadConfig(
      {
        ROLLOUT_ENGINE: 'sglang',
        ROLLOUT_ENGINE_URLS: 'http://127.0.0.1:30000, http://127.0.0.1:30001',
        ROLLOUT_MODEL: 'served/name',
        ROLLOUT_TOKENIZER: 'tokenizer.json',
        ROLLOUT_MATCH: 'exact',
        ROLLOUT_TOOL_PARSER: 'qwen',
      },
      host,
    );
    expect(config.engine).toMatchObject({
      urls: ['http://127.0.0.1:30000', 'http://127.0.0.1:30001'],
      model: 'served/name',
      tokenizer: '/srv/rollout/tokenizer.json',
      toolParser: 'hermes',
    });
    expect(config.matching.size).toBe(0);
  });

  it('names every invalid variable, and never its value', () => {
    const load = () =>
      loadConfig({ ROLLOUT_ADMIN_KEY: 'short-secret', ROLLOUT_MATCH: 'nonsense', ROLLOUT_PORT: 'x' }, host);
    expect(load).toThrow(/ROLLOUT_PORT.*\n?.*ROLLOUT_ADMIN_KEY[^]*ROLLOUT_MATCH/);
    expect(load).not.toThrow(/short-secret|nonsense/);
  });
});
