import { composeRunMail, composeStepMail, type RunMailDetails, type RunMailStep } from './compose-run-mail';

const moment = new Date('2026-01-02T03:04:05.000Z');

const aStep = (values: Partial<RunMailStep> = {}): RunMailStep => ({
  name: 'load',
  status: 'succeeded',
  startedAt: moment,
  finishedAt: new Date('2026-01-02T03:05:00.000Z'),
  error: null,
  ...values,
});

const details = (values: Partial<RunMailDetails> = {}): RunMailDetails => ({
  dagName: 'nightly',
  dagRunId: 'run-1',
  startedAt: moment,
  finishedAt: null,
  error: null,
  steps: [aStep()],
  ...values,
});

describe('composeRunMail', () => {
  it('names the DAG and its status in the subject, after the prefix', () => {
    expect(composeRunMail(details({ prefix: '[ops]' }), 'failed').subject).toBe('[ops] nightly (failed)');
    expect(composeRunMail(details({ prefix: '  ' }), 'partially_succeeded').subject).toBe(
      'nightly (partially succeeded)',
    );
  });

  it('lists each step with its times, status and error, as text and as HTML', () => {
    const step = aStep({ name: 'copy', status: 'failed', error: 'exit status 3' });
    const { text, html } = composeRunMail(details({ steps: [aStep(), step], error: 'a step failed' }), 'failed');

    expect(text).toBe(
      [
        'DAG: nightly',
        'Run: run-1',
        'Status: failed',
        'Started: 2026-01-02T03:04:05.000Z',
        'Finished: -',
        'Error: a step failed',
        '',
        '- load: succeeded',
        '  2026-01-02T03:04:05.000Z to 2026-01-02T03:05:00.000Z',
        '- copy: failed',
        '  2026-01-02T03:04:05.000Z to 2026-01-02T03:05:00.000Z',
        '  exit status 3',
        '',
      ].join('\n'),
    );
    expect(html.match(/<tr>/g)).toHaveLength(3);
    expect(html).toMatch(/<td[^>]*>copy<\/td><td[^>]*>2026[^<]*<\/td><td[^>]*>2026[^<]*<\/td><td[^>]*>failed<\/td>/);
  });

  it.each([
    ['the name of a step', { steps: [aStep({ name: '<img src=x onerror=alert(1)>' })] }],
    ['an error', { steps: [aStep({ status: 'failed', error: '</td></table><script>alert("1")</script>' })] }],
    ['the name of the DAG', { dagName: '</title><script>' }],
    ['the error of the run', { error: `<a href='javascript:x'>` }],
    ['a note', { note: '<b>&lt;' }],
  ] as const)('shows %s as text, never as markup', (_, values) => {
    const plain = composeRunMail(details(), 'failed').html.match(/<[a-z]+/g) ?? [];
    const { html } = composeRunMail(details(values), 'failed');

    // No element that the same mail without it does not have; lines of details and notes are paragraphs.
    const names = new Set(plain);
    expect((html.match(/<[a-z]+/g) ?? []).filter((name) => !names.has(name))).toEqual([]);
    expect(html).not.toMatch(/<script|<img|<a /);
    expect(html).toMatch(/&lt;/);
  });

  it('replaces characters that HTML does not allow', () => {
    expect(composeRunMail(details({ error: 'a\u0000\u001b[31m\tb' }), 'failed').html).toContain('a\uFFFD\uFFFD[31m\tb');
  });

  it('shows at most 500 steps, unsuccessful ones first, and the number of the others', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => aStep({ name: `s${index}` }));
    const bad = aStep({ name: 'bad', status: 'failed', error: 'x'.repeat(100_000) });
    const { text, html } = composeRunMail(details({ steps: [...many, bad] }), 'failed');

    expect(html.match(/<tr>/g)).toHaveLength(501);
    expect(text.indexOf('- bad: failed')).toBeLessThan(text.indexOf('- s0: succeeded'));
    expect(text).toContain('9501 more steps are not shown.');
    expect(html.length).toBeLessThan(500_000);
  });

  it('ends with the additional note', () => {
    const { text, html } = composeRunMail(details({ note: 'Two logs were too large.' }), 'failed');
    expect(text).toMatch(/\nTwo logs were too large\.\n$/);
    expect(html).toContain('<p>Two logs were too large.</p>');
  });
});

describe('composeStepMail', () => {
  it('is about the one step', () => {
    const step = aStep({ name: 'copy', status: 'failed', error: 'no room' });
    const { subject, text } = composeStepMail(details({ prefix: '[ops]', steps: [aStep(), step] }), step);

    expect(subject).toBe('[ops] nightly: copy (failed)');
    expect(text).toContain('Status: step copy: failed');
    expect(text).toContain('  no room');
    expect(text).not.toContain('- load');
  });
});
