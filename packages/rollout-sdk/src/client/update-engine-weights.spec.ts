import { updateEngineWeights } from './update-engine-weights';

function recordingClient(versionError?: Error) {
  const calls: string[] = [];
  const record = (call: string, error?: Error) => {
    calls.push(call);
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  return {
    calls,
    record,
    client: {
      pause: () => record('pause'),
      resume: () => record('resume'),
      versions: { get: () => Promise.resolve(0), set: (version: number) => record(`version ${version}`, versionError) },
    },
  };
}

describe('updateEngineWeights', () => {
  it('loads the weights while generation is paused', async () => {
    const { client, calls, record } = recordingClient();
    await updateEngineWeights(client, 4, () => record('load'));
    expect(calls).toEqual(['pause', 'load', 'version 4', 'resume']);
  });

  it('resumes under the old version when the weights cannot be loaded', async () => {
    const { client, calls, record } = recordingClient();
    await expect(updateEngineWeights(client, 4, () => record('load', new Error('no file')))).rejects.toThrow('no file');
    expect(calls).toEqual(['pause', 'load', 'resume']);
  });

  it('resumes when the version is refused', async () => {
    const { client, calls, record } = recordingClient(new Error('not above'));
    await expect(updateEngineWeights(client, 4, () => record('load'))).rejects.toThrow('not above');
    expect(calls.at(-1)).toBe('resume');
  });
});
