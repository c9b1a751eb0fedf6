import { parseDag } from '@weir/workflow-spec';
import { usesContainers } from './uses-containers';

const parse = (text: string) => parseDag(text, { name: 'boxed' }).dag;

describe('usesContainers', () => {
  it.each([
    ['of the DAG', 'container: box\nsteps: [{run: x}]', true],
    ['of a step', 'steps: [{run: x, container: box}]', true],
    ['of an action', 'steps: [{action: docker.run, with: {image: box}}]', true],
    ['in a loop', 'steps: [{foreach: {items: [1], steps: [{run: x, container: box}]}}]', true],
    ['of a handler', 'handler_on: {exit: {run: x, container: box}}\nsteps: [{run: x}]', true],
    ['nowhere', 'steps: [{run: x}]', false],
  ])('finds a container %s', (_, text, found) => {
    expect(usesContainers(parse(text))).toBe(found);
  });
});
