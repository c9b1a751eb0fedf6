import { execFileSync } from 'node:child_process';
import path from 'node:path';

const program = `
  const v8 = require('node:v8');
  const { limitYoungHeap } = require(${JSON.stringify(path.join(__dirname, 'limit-young-heap.ts'))});
  if (process.argv[1] === 'limited') limitYoungHeap();
  let kept = [];
  let turns = 0;
  const turn = () => {
    for (let index = 0; index < 20000; index += 1) kept.push({ index, more: [index] });
    if (kept.length > 200000) kept = [];
    turns += 1;
    if (turns < 150) return setImmediate(turn);
    const { space_size } = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space_size / 1024 / 1024);
  };
  turn();
`;
const youngMegabytes = (how: string): number =>
  Number(execFileSync(process.execPath, ['--import', 'tsx', '-e', program, how], { encoding: 'utf8' }));

it('keeps the heap of young objects small while many are created', () => {
  expect(youngMegabytes('limited')).toBeLessThan(youngMegabytes('unlimited') / 2);
});
