import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { createLogWriter } from './create-log-writer';

describe('the log of post', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Records the text that the stream received, and how often the process was read. */
  function aProcess() {
    const seen = { looks: 0, texts: new Array<string>() };
    const process = {
      get stdout() {
        seen.looks += 1;
        return { write: (bytes: Uint8Array) => seen.texts.push(Buffer.from(bytes).toString()) };
      },
    };
    return { process, seen };
  }

  it('is written at once, without a stream', () => {
    const { process, seen } = aProcess();
    const descriptor = openSync(folder.file('log'), 'w');
    const write = createLogWriter({ descriptor, process });
    write('one\n');
    write('two\n');
    closeSync(descriptor);
    expect(readFileSync(folder.file('log'), 'utf8')).toBe('one\ntwo\n');
    expect(seen.looks).toBe(0);
  });

  it('defers the rest and all later lines if a pipe is full', () => {
    const { process, seen } = aProcess();
    const file = folder.file('pipe');
    execFileSync('mkfifo', [file]);
    const descriptor = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    const filling = Buffer.alloc(4096, '.');
    expect(() => {
      for (;;) writeSync(descriptor, filling);
    }).toThrow('EAGAIN');
    const write = createLogWriter({ descriptor, process });
    write('one\n');
    readSync(descriptor, Buffer.alloc(65_536));
    write('two\n');
    closeSync(descriptor);
    expect(seen.texts).toEqual(['one\n', 'two\n']);
  });

  it('ignores a log that cannot be written', () => {
    const { process, seen } = aProcess();
    const descriptor = openSync(folder.path, 'r');
    createLogWriter({ descriptor, process })('one\n');
    closeSync(descriptor);
    expect(seen.looks).toBe(0);
  });
});
