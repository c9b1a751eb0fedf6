import type { Dag } from '@weir/workflow-spec';
import { containerEnv } from './container-env';
import type { RunValues } from '../values/run-values';

const hostEnv = { PATH: '/host', HOME: '/home/ada', TZ: 'UTC', TOKEN: 'secret' };

function envOf(
  env: Record<string, string>,
  names: { dag?: string; step?: string; param?: string; secret?: string } = {},
) {
  const entry = (name: string | undefined) => (name === undefined ? [] : [{ name, value: 'x' }]);
  // Only the names in them are looked at.
  const dag = { env: entry(names.dag), secrets: entry(names.secret) } as unknown as Dag;
  const values = { params: entry(names.param) } as unknown as RunValues;
  return containerEnv({ dag, values, hostEnv }, { env: entry(names.step) }, env);
}

describe('containerEnv', () => {
  it('leaves out what is only of this host', () => {
    expect(envOf({ ...hostEnv, A: '1' })).toEqual({ A: '1' });
  });

  it('has what the run set otherwise', () => {
    expect(envOf({ PATH: '/other', HOME: '/home/ada' })).toEqual({ PATH: '/other' });
  });

  it.each(['dag', 'step', 'param', 'secret'])('has what the %s names, whatever the host has', (who) => {
    expect(envOf(hostEnv, { [who]: 'TOKEN' })).toEqual({ TOKEN: 'secret' });
  });
});
