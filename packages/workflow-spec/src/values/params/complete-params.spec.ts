import { parseDag } from '../../dag/document/parse-dag';
import { completeParams, resolveParams, type EvaluatedParam } from './resolve-params';

const { dag } = parseDag(`params:
  - {name: region, default: eu}
  - {name: day, eval: $(date +%F)}
  - {name: host, eval: "\${region}.example.com", default: localhost, pattern: "^[a-z.]+$"}
steps: [x]
`);
const complete = (given: string, evaluated: Record<string, EvaluatedParam>) =>
  completeParams(dag, resolveParams(dag, given).params, new Map(Object.entries(evaluated)));

describe('completeParams', () => {
  it('lists the pending parameters in the order of the file', () => {
    expect(complete('', {}).evals.map(({ name }) => name)).toEqual(['day', 'host']);
  });

  it('never evaluates a given value', () => {
    expect(complete('day=$(reboot) host=a.b', {})).toEqual({
      params: [
        { name: 'region', value: 'eu' },
        { name: 'day', value: '$(reboot)' },
        { name: 'host', value: 'a.b' },
      ],
      evals: [],
      problems: [],
    });
  });

  it('returns values in order of declaration, and falls back to the default', () => {
    const { params, problems } = complete('', { day: { value: '2026-11-21' }, host: { failure: 'exit 1' } });

    expect(problems).toEqual([]);
    expect(params.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'region=eu',
      'day=2026-11-21',
      'host=localhost',
    ]);
  });

  it('reports a parameter without value and default', () => {
    const { problems } = complete('', { day: { failure: 'exit code 3' }, host: { value: 'A!' } });

    expect(problems).toEqual([
      'parameter "day" could not be evaluated: exit code 3',
      expect.stringContaining('parameter "host" must match'),
    ]);
  });
});
