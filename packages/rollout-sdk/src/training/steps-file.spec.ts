import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { readSteps, writeSteps } from './steps-file';

const folder = temporaryFolder('weir-steps-');
afterAll(() => folder.remove());

describe('the file of a training log', () => {
  it('contains no steps if it does not exist', async () => {
    expect(await readSteps(folder.file('none.json'))).toEqual({ steps: [] });
  });

  it('returns the steps written last', async () => {
    const file = folder.file('steps.json');
    await writeSteps(file, { steps: [{ version: 1, sessions: [] }] });
    const steps = { steps: [{ version: 2, sessions: [{ id: 'a', created_at: null }] }] };
    await writeSteps(file, steps);
    expect(await readSteps(file)).toEqual(steps);
  });

  it('is refused if it is damaged', async () => {
    const file = folder.file('damaged.json');
    writeFileSync(file, '{"steps":[{"version":1}]}');
    await expect(readSteps(file)).rejects.toThrow('sessions');
  });
});
