import type { Schemas } from '../../api/client';
import { groupInputs } from './group-inputs';

const variable = (name: string, source: Schemas['EnvironmentSource']) => ({ name, source, isReplaced: false });

it('begins with parameters, and separates values that runs and servers set by themselves', () => {
  const { given, ofRun, ofServer } = groupInputs([
    variable('DAG_RUN_ID', 'run'),
    variable('HOME', 'host'),
    variable('STAGE', 'dag'),
    variable('DAY', 'parameter'),
    variable('TOKEN', 'secret'),
  ]);

  expect(given.map(({ name }) => name)).toEqual(['DAY', 'STAGE', 'TOKEN']);
  expect(ofRun.map(({ name }) => name)).toEqual(['DAG_RUN_ID']);
  expect(ofServer.map(({ name }) => name)).toEqual(['HOME']);
});
