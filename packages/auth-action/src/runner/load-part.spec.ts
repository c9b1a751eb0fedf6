import { loadPart } from './load-part';

describe('loadPart', () => {
  it('returns what it loads', async () => {
    await expect(loadPart(() => Promise.resolve('part'))).resolves.toBe('part');
  });

  it('names the file that is missing', async () => {
    const cause = new Error("Cannot find module 'dist/check.js'");
    await expect(loadPart(() => Promise.reject(cause))).rejects.toMatchObject({
      reason: 'action_file_missing',
      message: "A file of the action could not be loaded: Cannot find module 'dist/check.js'.",
      cause,
    });
  });
});
