import { readFileSync } from 'node:fs';
import { describeUnless, missingSshd, startSshHost, temporaryFolder, type SshHost } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

describeUnless(missingSshd(), 'no step was run on another host')('steps on other hosts', () => {
  let host: SshHost;

  beforeAll(async () => {
    host = await startSshHost();
  }, 60_000);

  afterAll(() => host.stop());

  async function start(file: string, changes: readonly string[] = []) {
    const home = temporaryFolder();
    try {
      const args = ['start', `ssh-${file}.yaml`, ...host.params, ...changes];
      const { code, stdout, stderr } = await runWeir(args, { home, folder: __dirname });
      return { code, text: `${stdout}${stderr}` };
    } finally {
      await home.remove();
    }
  }

  it.each([
    ['runs a command and hands its output on', 'command'],
    ['gives a script to the program of its first line', 'interpreter'],
    ['tells the host what the step itself sets, and nothing else', 'environment'],
    ['leaves variables of the shell to the host', 'references'],
    ['goes through a host in between', 'bastion'],
    ['takes megabytes of output', 'large'],
    ['takes the settings of the step before those of the DAG', 'step-host'],
    ['is tried again by the retry policy', 'retry'],
  ])('%s (%s)', async (_, file) => {
    const { code, text } = await start(file);
    if (code !== 0) throw new Error(text);
  });

  it.each([
    ['runs commands until one fails', 'commands'],
    ['executes a script until its first failure', 'script'],
    ['hands both to the shell that is named', 'shell'],
  ])('%s, and later steps continue (%s)', async (_, file) => {
    const { code, text } = await start(file);

    expect(text).toContain(': partially_succeeded (');
    expect(code).toBe(1);
  });

  it.each([
    ['by the exit code, with the end of stderr', 'failing', 'exit status 9: disk full'],
    ['by a signal', 'signal', 'ended by SIGKILL'],
    ['when the connection is lost', 'lost', 'The connection to the host was lost.'],
  ])('fails %s, without the command', async (_, file, phrase) => {
    const { code, text } = await start(file);

    expect(text).toContain(phrase);
    expect(text).not.toContain('hunter2');
    expect(code).toBe(1);
  });

  it.each(['timeout', 'deaf'])('ends a command on the host (%s)', async (file) => {
    const pidFile = host.file(`${file}.pid`);
    const { code, text } = await start(file, [`PIDFILE=${pidFile}`]);

    expect(text).toContain('timed out after 1 seconds');
    expect(code).toBe(1);
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
  });

  it.each([
    ['hashed entries', 'hashed'],
    ['a key of another kind', 'rsa_only'],
  ])('knows a host by %s', async (_, known) => {
    const { code, text } = await start('command', [`KNOWN=${host.file(known)}`]);
    if (code !== 0) throw new Error(text);
  });

  it.each([
    ['that is not known', 'nobody', 'The host is not known'],
    ['with another key', 'changed', 'another key than the known one'],
    ['whose key is revoked', 'revoked', 'The key of the host is revoked.'],
    ['when the file is not there', 'no-such-file', 'The file of known_host_file does not exist.'],
  ])('refuses a host %s', async (_, known, phrase) => {
    const { code, text } = await start('command', [`KNOWN=${host.file(known)}`]);

    expect(text).toContain(phrase);
    expect(code).toBe(1);
  });

  it.each([
    ['a key that the host does not take', 'strange_key', 'The host rejected the credentials.'],
    ['a key that is locked', 'locked_key', 'The host rejected the credentials.'],
    ['a key that is not there', 'no_key', 'The file of key does not exist.'],
  ])('fails on %s', async (_, key, phrase) => {
    const { code, text } = await start('command', [`KEY=${host.file(key)}`]);

    expect(text).toContain(phrase);
    expect(code).toBe(1);
  });

  it('opens a locked key with the password', async () => {
    const { code, text } = await start('password', [`KEY=${host.file('locked_key')}`, 'PASS=correct horse']);
    if (code !== 0) throw new Error(text);
  });

  it('does not reveal a wrong password', async () => {
    const { code, text } = await start('password', [`KEY=${host.file('strange_key')}`, 'PASS=wrong-horse']);

    expect(text).toContain('The host rejected the credentials.');
    expect(text).not.toContain('wrong-horse');
    expect(code).toBe(1);
  });

  it('fails for a port without a listener, without the address', async () => {
    const { code, text } = await start('command', ['PORT=1']);

    expect(text).toContain('The host cannot be reached (ECONNREFUSED).');
    expect(code).toBe(1);
  });
});
