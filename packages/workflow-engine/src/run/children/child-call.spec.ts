import { parseDag } from '@weir/workflow-spec';
import { inheritedProfile, toChildCall } from './child-call';

describe('inheritedProfile', () => {
  const layer = { id: 'p', name: 'staging', isDefault: false, variables: { A: 'a' }, secrets: ['TOKEN'] };
  const run = { profile: 'staging', profileLayers: [layer] };

  it('passes the profile of a run to the DAGs that it calls', () => {
    expect(inheritedProfile(run, {})).toEqual(run);
  });

  it('passes nothing of it to packaged actions', () => {
    const [step] = parseDag('steps: [{action: acme/notify@v1.0.0}]').dag.steps;
    if (step === undefined) throw new Error('There is no step.');
    const call = toChildCall(step, { params: new Map(), env: new Map() });
    expect(call.package).toBeDefined();
    expect(inheritedProfile(run, call)).toEqual({ profile: null, profileLayers: [] });
  });
});
