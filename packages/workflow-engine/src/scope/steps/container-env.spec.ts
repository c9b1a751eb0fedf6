import type { Dag } from '@weir/workflow-spec';
import { containerEnv } from './container-env';

const hostEnv = { PATH: '/host', HOME: '/home/ada', TZ: 'UTC', TOKEN: 'secret' };

function buildEnv(
  env: Record<string, string>,
  names: { dag?: string; step?: string; param?: string; secret?: string } = {},
) {
  const entry = (name: string | undefined) => (name === undefined ? [] : [{ name, value: 'x' }]);
  // Only the names of secrets are read.
  const secrets = entry(names.secret) as unknown as Dag['secrets'];
  const dag = { env: entry(names.dag), ...(secrets === undefined ? {} : { secrets }) };
  const params = entry(names.param);
  return containerEnv({ dag, ports: { hostEnv } }, { env: entry(names.step) }, { env, params });
}

describe('containerEnv', () => {
  it('omits variables that only concern this host', () => {
    expect(buildEnv({ ...hostEnv, A: '1' })).toEqual({ A: '1' });
  });

  it('keeps a variable that the run has changed', () => {
    expect(buildEnv({ PATH: '/other', HOME: '/home/ada' })).toEqual({ PATH: '/other' });
  });

  it.each(['dag', 'step', 'param', 'secret'])(
    'has a variable that the %s names, even if it is one of the host',
    (who) => {
      expect(buildEnv(hostEnv, { [who]: 'TOKEN' })).toEqual({ TOKEN: 'secret' });
    },
  );
});
