import {
  describeUnless,
  missingForDockerEngine,
  startDockerEngine,
  temporaryFolder,
  type TestDockerEngine,
} from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

describeUnless(missingForDockerEngine(), 'no step was run in a container')('steps in containers', () => {
  let engine: TestDockerEngine;

  beforeAll(async () => {
    engine = await startDockerEngine();
    engine.docker(
      'run',
      '--detach',
      '--name',
      'weir-there',
      engine.image,
      'sh',
      '-c',
      'echo marked > /tmp/mark; sleep 600',
    );
  }, 600_000);

  afterAll(() => engine.stop(), 60_000);

  async function start(file: string) {
    const home = temporaryFolder();
    try {
      const env = { DOCKER_HOST: engine.host };
      const { code, stdout, stderr } = await runWeir(['start', `${file}.yaml`], { home, folder: __dirname, env });
      return { code, text: `${stdout}${stderr}` };
    } finally {
      await home.remove();
    }
  }

  const namesLeft = () =>
    engine
      .docker('ps', '--all', '--format', '{{.Names}}')
      .trim()
      .split('\n')
      .filter((name) => name !== 'weir-there');

  it.each([
    ['runs a command and hands its output on', 'run'],
    ['runs what the image runs', 'own-command'],
    ['keeps the two streams apart', 'streams'],
    ['takes megabytes of output', 'large'],
    ['takes a list as words', 'command-list'],
    ['tells the container the environment of DAG and step', 'environment'],
    ['applies user, folder, network and raw settings', 'place'],
    ['mounts a folder', 'volumes'],
    ['waits until the container is ready', 'background'],
    ['uses a container that runs already', 'existing'],
    ['is tried again in a new container', 'retry'],
    ['runs the commands of a step', 'step'],
    ['executes a script with its environment', 'step-script'],
    ['runs all steps in one container of the DAG', 'of-dag'],
    ['runs the iterations of a loop in the container of the DAG', 'in-loop'],
  ])('%s, and leaves no container (%s)', async (_, file) => {
    const { code, text } = await start(file);
    if (code !== 0) throw new Error(text);

    expect(namesLeft()).toEqual([]);
  });

  it.each([
    ['by the exit code, with the end of stderr', 'failing', 'exit status 9: disk full'],
    ['for a container that is not there', 'nobody', 'There is no running container of that name'],
    ['for an image that is not there', 'missing', 'The image does not exist locally, and pull_policy is never.'],
    ['for one that cannot be pulled', 'no-registry', 'The image cannot be pulled'],
    ['for a program that is not there', 'no-program', 'The container cannot be started'],
    ['for a policy that cannot be', 'restart', 'restart_policy is for containers in the background.'],
    ['when its time is over', 'timeout', 'timed out after 2 seconds'],
    ['in the container of the DAG', 'of-dag-failing', 'exit status 9: disk full'],
    ['when the time of a step in it is over', 'of-dag-timeout', 'timed out after 2 seconds'],
    ['when it is stopped by a signal of its own', 'stop-signal', 'timed out after 5 seconds'],
  ])('fails %s, without the command and without a container', async (_, file, phrase) => {
    const { code, text } = await start(file);

    expect(text).toContain(phrase);
    expect(text).not.toContain('hunter2');
    expect(code).toBe(1);
    expect(namesLeft()).toEqual([]);
  });

  it('retains a container with keep_container', async () => {
    const { code, text } = await start('kept');
    const left = namesLeft();
    engine.docker('rm', '--force', 'weir-kept');

    expect(text).toContain('succeeded');
    expect({ code, left }).toEqual({ code: 0, left: ['weir-kept'] });
  });
});
