import { useRunner } from './use-runner';

const runner = useRunner();
const { anAction, run } = runner;

describe('logs', () => {
  it('hide a mask from the line on that adds it, line by line, in the runner’s spellings', async () => {
    const main = `
const secret = 'first line\\nsecond "line"';
console.log(secret);
console.log('::add-mask::' + secret.replaceAll('\\n', '%0A'));
console.log(secret);
console.error(Buffer.from(secret).toString('base64'));
console.log(JSON.stringify({ secret }), encodeURIComponent(secret));
`;
    const { steps } = await run([
      { action: anAction({ main }) },
      { action: anAction({ main: `console.log('first line')` }) },
    ]);
    const [shown, rest] = [steps[0]?.log ?? '', steps[1]?.log];
    expect(shown.startsWith('first line\nsecond "line"\n***\n***\n')).toBe(true);
    expect(shown.split('\n').slice(4).sort()).toEqual(['', '***', '{"secret":"***"} ***']);
    expect(rest).toBe('***\n');
    expect(steps[0]?.raw.toString()).toContain('::add-mask::first line%0Asecond "line"\n');
  });

  it('hide secrets of the repository from the start', async () => {
    const { log } = await run([{ action: anAction({ main: `console.log('a hunter22 b')` }) }], {
      secrets: ['hunter22'],
    });
    expect(log).toBe('a *** b\n');
  });

  it('contain annotations with unescaped, masked messages', async () => {
    const main = `console.log('::add-mask::hunter22'); console.log(' ::error file=a%2Cb,line=1::50%25 of%0Ahunter22');`;
    const { steps } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.annotations).toEqual([
      { level: 'error', message: '50% of\n***', properties: { file: 'a,b', line: '1' } },
    ]);
  });

  it('contain debug lines and groups, and respect stopped commands', async () => {
    const main = `console.log('::group::G\\n::debug::d\\n::endgroup::\\n::stop-commands::T0ken\\n::error::not one\\n::T0ken::\\n::notice::one\\n::nothing::')`;
    const { steps, log } = await run([{ action: anAction({ main }) }]);
    expect(log).toBe('##[group]G\n##[debug]d\n##[endgroup]\n::error::not one\n##[notice]one\n::nothing::\n');
    expect(steps[0]?.annotations).toHaveLength(1);
  });

  it('warn about an empty mask and about obsolete commands', async () => {
    const main = `console.log('::add-mask::\\n::set-env name=A::1\\n::set-output name=o::2\\n::save-state name=s::3')`;
    const { steps, env } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.annotations.map(({ level }) => level)).toEqual(['warning', 'error', 'warning', 'warning']);
    expect(steps[0]).toMatchObject({ outputs: { o: '2' }, state: { s: '3' } });
    expect(env).toEqual({});
  });

  it('keep characters intact that arrive in pieces, and a last line without a line break', async () => {
    const main = `
const bytes = Buffer.from('a€');
process.stdout.write(bytes.subarray(0, 2));
setTimeout(() => process.stdout.write(bytes.subarray(2)), 30);`;
    expect((await run([{ action: anAction({ main }) }])).log).toBe('a€\n');
  });
});
