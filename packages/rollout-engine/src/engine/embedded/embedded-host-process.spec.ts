import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { temporaryFolder } from '@weir/test-kit';
import { EmbeddedHostProcess } from './embedded-host-process';

const sayEnvironment = `process.on('message', () => process.send({ kind: 'ready', info: { model: JSON.stringify(process.env) } }));
process.on('disconnect', () => process.exit(0));`;

it('has one thread for sampling, an existing home folder, and no variables of the environment of the proxy', async () => {
  const folder = temporaryFolder('weir-host-process-');
  const hostFile = folder.file('host.cjs');
  await writeFile(hostFile, sayEnvironment);
  const started = new EmbeddedHostProcess({
    hostFile,
    settings: { modelFile: 'none', threads: 1, sequences: 1, contextLength: undefined },
    startDeadlineMs: 60_000,
    onEnded: () => undefined,
  });
  try {
    const { model } = await started.ready;

    expect(JSON.parse(model ?? '')).toEqual({ UV_THREADPOOL_SIZE: '1', HOME: tmpdir() });
  } finally {
    await started.stop();
    await folder.remove();
  }
});
