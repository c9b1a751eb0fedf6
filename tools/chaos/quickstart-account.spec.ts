import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { balance } from './quickstart-account';

const folder = temporaryFolder('weir-account-');
afterAll(() => folder.remove());

const answers = ['a', 'b', 'c', 'd'].map((answer) => ({ answer, tokens: 3 }));
const episodes = [{ episode: ['a', 'b'] }, { episode: ['c', 'd'] }];

function balanceOf(steps: readonly Readonly<Record<string, number>>[], noted: readonly string[] = []) {
  const write = (name: string, lines: readonly unknown[]): string => {
    writeFileSync(folder.file(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return folder.file(name);
  };
  const stepsFile = write('steps.json', [steps.map((tokens) => ({ tokens }))]);
  return balance(write('account', [...answers, ...episodes]), stepsFile, write('notes', [{ interactions: noted }]));
}

const fine = { answers: 4, trained: 4, trainedTwice: 0, different: 0, noted: 0, lost: 0 };

describe('the account of a training that was killed', () => {
  it('has nothing to say where each answer is in one step', () => {
    expect(
      balanceOf([
        { a: 3, b: 3 },
        { c: 3, d: 3 },
      ]),
    ).toEqual(fine);
  });

  it('counts what is in two steps', () => {
    expect(
      balanceOf([
        { a: 3, b: 3 },
        { b: 3, c: 3, d: 3 },
      ]),
    ).toEqual({ ...fine, trainedTwice: 1 });
  });

  it('counts rows with other tokens than the agent got, or of no answer', () => {
    expect(balanceOf([{ a: 2, b: 3, c: 3, d: 3, e: 1 }])).toEqual({ ...fine, trained: 5, different: 2 });
  });

  it('tells what was lost silently from what the trainer noted', () => {
    expect(balanceOf([{ a: 3, b: 3 }], ['c'])).toEqual({ ...fine, trained: 2, noted: 1, lost: 1 });
  });

  it('knows answers of episodes that never finished, which are nobody’s', () => {
    const file = folder.file('unfinished');
    writeFileSync(file, '{"answer":"a","tokens":3}\n');
    writeFileSync(folder.file('none.json'), '[]');
    expect(balance(file, folder.file('none.json'), folder.file('missing'))).toEqual({
      ...fine,
      answers: 1,
      trained: 0,
    });
  });
});
