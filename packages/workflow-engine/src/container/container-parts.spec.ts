import { parseDag } from '@weir/workflow-spec';
import { containerParts, usesContainers } from './container-parts';

const parse = (text: string) => parseDag(text, { name: 'boxed' }).dag;

describe('containerParts', () => {
  it.each([
    ['an action', 'steps:\n  - {name: a, action: noop, container: box}', ['step "a": container with action noop']],
    [
      'outputs',
      'steps:\n  - {name: a, run: x, container: box, outputs: [{name: n}]}',
      ['step "a": outputs in a container'],
    ],
    [
      'outputs below the DAG',
      'container: box\nsteps:\n  - {name: a, run: x, outputs: [{name: n}]}',
      ['step "a": outputs in a container'],
    ],
    ['an action below the DAG', 'container: box\nsteps:\n  - {name: a, action: noop}', []],
    ['commands', 'steps:\n  - {name: a, run: x, container: box}', []],
  ])('judges %s', (_, text, parts) => {
    expect(containerParts(parse(text))).toEqual(parts);
  });
});

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
