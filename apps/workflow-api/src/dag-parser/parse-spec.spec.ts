import { parseSpec } from './parse-spec';
import { createInlineParser } from './dag-parser';
import { createSpecReader, type BaseSource } from './spec-reader';

const steps = 'steps:\n  - run: echo\n';
const base = (text: string) => ({ label: '/etc/base.yaml', text });

describe('parseSpec', () => {
  it('inherits missing settings, the last base configuration first', () => {
    const bases = [base('group: everything\nenv:\n  A: "1"\n'), base('group: sales\n')];
    const { dag, findings } = parseSpec(steps, { bases });
    expect(findings).toEqual([]);
    expect(dag).toMatchObject({ group: 'sales', env: [{ name: 'A', value: '1' }] });
    expect(parseSpec(`group: mine\n${steps}`, { bases }).dag.group).toBe('mine');
  });

  it('reports the first error of a base configuration by name and location', () => {
    const { dag, findings } = parseSpec(steps, { bases: [base('group: everything\n\ngroops: 1\nstep: 2\n')] });
    expect(dag).toMatchObject({ group: 'everything', steps: [{ name: 'step_1' }] });
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'invalid_base_config',
        severity: 'error',
        line: 1,
        message: expect.stringMatching(
          /^the base configuration \/etc\/base\.yaml cannot be used: \[3:1\] .*groops/,
        ) as string,
      }),
    ]);
  });

  it('reports why a base configuration could not be loaded', () => {
    const { findings } = parseSpec(steps, { bases: [{ ...base(''), problem: 'the file may not be read' }] });
    expect(findings[0]?.message).toBe('the base configuration /etc/base.yaml cannot be used: the file may not be read');
  });
});

describe('a spec reader', () => {
  const source: BaseSource = {
    read: () => Promise.resolve(base('group: everything\n')),
    readForWorkspace: (workspace) => Promise.resolve(workspace === 'sales' ? base('queue: sales\n') : undefined),
  };
  const reader = createSpecReader(createInlineParser(), source);

  it('uses the base configuration of the workspace of the spec', async () => {
    const { dag, baseTexts } = await reader.parse(`labels: workspace=sales\n${steps}`);
    expect(dag).toMatchObject({ group: 'everything', queue: 'sales', workspace: 'sales' });
    expect(baseTexts).toEqual(['group: everything\n', 'queue: sales\n']);
  });

  it("uses the server's base configuration when the workspace has none", async () => {
    const { dag, baseTexts } = await reader.parse(`labels: workspace=ops\n${steps}`);
    expect(dag.queue).toBeUndefined();
    expect(baseTexts).toEqual(['group: everything\n']);
  });
});
