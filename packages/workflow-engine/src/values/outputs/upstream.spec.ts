import { parseDag } from '@weir/workflow-spec';
import { planDag } from '../../model/plan/plan';
import { findUpstream } from './upstream';

const namesBefore = (name: string, steps: string) => {
  const plan = planDag(parseDag(`type: graph\nsteps:\n${steps}`).dag.steps);
  return findUpstream(plan, plan.indexOf.get(name) ?? -1).map((index) => plan.steps[index]?.name);
};

it('returns the steps upstream of a step breadth first, each once, and no others', () => {
  const steps = `
  - {name: root, run: x}
  - {name: left, run: x, depends: root}
  - {name: deep, run: x, depends: left}
  - {name: right, run: x, depends: root}
  - {name: end, run: x, depends: [deep, right]}
  - {name: other, run: x, depends: root}
`;
  expect(namesBefore('end', steps)).toEqual(['deep', 'right', 'left', 'root']);
  expect(namesBefore('root', steps)).toEqual([]);
});
