import { harnessCalls } from './harness-call';

const argsOf = (settings: object, harness: object = {}) => {
  const own = { mine: { binary: './agent', ...harness } };
  const [call] = harnessCalls({ prompt: 'do it', provider: 'mine', ...settings }, own);
  return call?.args;
};

describe('harnessCalls', () => {
  it.each([
    ['strings and numbers', { model: 'm', turns: 3 }, ['--model', 'm', '--turns', '3']],
    ['true as a flag alone, and false not at all', { quiet: true, verbose: false }, ['--quiet']],
    ['a list as the flag repeated', { add: ['a', 'b'] }, ['--add', 'a', '--add', 'b']],
    ['in the order of the names', { b: 1, a: 2 }, ['--a', '2', '--b', '1']],
    ['a value that could be a flag in one word', { model: '--yolo' }, ['--model=--yolo']],
    ['a negative number as a value', { bias: -1 }, ['--bias', '-1']],
    ['no setting of the step itself', { managed: false, fallback: [] }, []],
  ])('writes %s', (_, settings, flags) => {
    expect(argsOf(settings)).toEqual(['do it', ...flags]);
  });

  it.each([
    ['after its prefix', { prefix_args: ['run', '-x'] }, ['run', '-x', 'do it', '--model', 'm']],
    ['after the flags', { prompt_position: 'after_flags' }, ['--model', 'm', 'do it']],
    ['with a flag', { prompt_mode: 'flag', prompt_flag: '--task' }, ['--task', 'do it', '--model', 'm']],
    ['not at all by standard input', { prompt_mode: 'stdin' }, ['--model', 'm']],
    ['beside other flags', { flag_style: 'single_dash' }, ['do it', '-model', 'm']],
    ['beside named flags', { option_flags: { model: '-m' } }, ['do it', '-m', 'm']],
  ])('gives the prompt %s', (_, harness, args) => {
    expect(argsOf({ model: 'm' }, harness)).toEqual(args);
  });

  it.each([
    ['stdin', 'do it\n\nmore'],
    ['arg', 'more'],
  ] as const)('with the prompt mode %s has the input %j', (mode, input) => {
    const own = { mine: { binary: 'x', prompt_mode: mode } };
    expect(harnessCalls({ prompt: 'do it', stdin: 'more', provider: 'mine' }, own)[0]?.input).toBe(input);
  });

  it.each([
    ['claude', { max_turns: 2 }, ['-p', 'do it', '--max-turns', '2']],
    ['codex', {}, ['exec', 'do it', '--skip-git-repo-check']],
    ['codex', { skip_git_repo_check: false }, ['exec', 'do it']],
    ['copilot', { yolo: true }, ['-p', 'do it', '--yolo']],
    ['opencode', {}, ['run', 'do it']],
    ['pi', {}, ['-p', 'do it']],
  ])('knows how %s is called with %j', (provider, settings, args) => {
    expect(argsOf({ provider, ...settings })).toEqual(args);
  });

  it('never lets a prompt be a flag', () => {
    expect(argsOf({ prompt: '--yolo' })).toEqual([' --yolo']);
  });

  it.each([
    ['an unknown harness', { provider: 'other' }, 'provider names no harness.'],
    ['a prompt that no argument can hold', { prompt: 'x'.repeat(131_072) }, 'Use prompt_mode: stdin.'],
    ['a value that could be a short flag', { model: '--yolo' }, 'model must not begin with "-".'],
  ])('refuses %s', (_, settings, message) => {
    expect(() => argsOf(settings, { option_flags: { model: '-m' } })).toThrow(message);
  });
});
