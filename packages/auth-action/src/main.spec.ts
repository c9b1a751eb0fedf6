describe('main', () => {
  const listeners = process.listeners('uncaughtException');

  afterEach(() => {
    for (const listener of process.listeners('uncaughtException')) {
      if (!listeners.includes(listener)) process.removeListener('uncaughtException', listener);
    }
    jest.restoreAllMocks();
  });

  // The scenarios test the end of the process with the bundle. This spec runs the file itself.
  it('reads the environment, reports invalid inputs in one annotation and exits with 1', async () => {
    const written: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text, then?: BufferEncoding | (() => void)) => {
      written.push(String(text));
      if (typeof then === 'function') then();
      return true;
    });
    const code = await new Promise((resolve) => {
      jest.spyOn(process, 'exit').mockImplementation((exitCode) => {
        resolve(exitCode);
        return undefined as never;
      });
      jest.requireActual('./main');
    });
    const annotations = written.filter((text) => text.startsWith('::error::'));
    expect(code).toBe(1);
    expect(annotations).toEqual([expect.stringContaining('workload_identity_provider')]);
  });
});
