import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canIsolate } from '../isolation/testing/can-isolate';
import { endProcessGroup, isGroupAlive } from './process-group';
import { lineIn, useExecutor } from './testing/use-executor';

describe.each([{ isIsolated: false }, { isIsolated: true }].filter(({ isIsolated }) => !isIsolated || canIsolate))(
  'with %o',
  (mode) => {
    const executor = useExecutor(mode);
    const { abort, run, stdout, inWork } = executor;

    describe('an abort', () => {
      it('lets the command end by itself within the grace time', async () => {
        const outcome = run('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.02; done');
        await lineIn(join(executor.folder, 'logs', 'step.out'));
        abort();

        expect(await outcome).toMatchObject({ status: 'aborted', exitCode: 0, error: 'run stopped' });
        expect(await stdout()).toBe('up\nbye\n');
      });

      it('ends grandchildren too, by SIGKILL when they ignore SIGTERM', async () => {
        const stubborn = `sh -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 0.05; done'`;
        const outcome = run(`${stubborn} & wait`);
        const grandchild = Number(await lineIn(inWork('stubborn')));
        const group = executor.started[0]?.pid ?? 0;
        expect(isGroupAlive(group)).toBe(true);
        abort();

        expect(await outcome).toMatchObject({ status: 'aborted', signal: 'SIGTERM' });
        expect(grandchild).not.toBe(group);
        expect(isGroupAlive(group)).toBe(false);
      });

      it('ends a command that ignores SIGTERM itself', async () => {
        const outcome = run('trap "" TERM; echo up; while :; do sleep 0.05; done');
        await lineIn(join(executor.folder, 'logs', 'step.out'));
        abort();

        expect(await outcome).toMatchObject({ status: 'aborted', signal: 'SIGKILL' });
        expect(isGroupAlive(executor.started[0]?.pid ?? 0)).toBe(false);
      });

      it('starts no further command of a list', async () => {
        const outcome = run('trap "exit 0" TERM; echo up; while :; do sleep 0.02; done', 'echo two');
        await lineIn(join(executor.folder, 'logs', 'step.out'));
        abort();

        expect((await outcome).status).toBe('aborted');
        expect(await stdout()).toBe('up\n');
      });

      it('before the start prevents it', async () => {
        abort();

        expect((await run('echo one')).status).toBe('aborted');
        expect(executor.started).toEqual([]);
      });
    });

    describe('a background process of a command', () => {
      const leftover = () => executor.started[0]?.pid ?? 0;
      afterEach(() => endProcessGroup(leftover(), 0));

      it('continues after its success, and writes to the log', async () => {
        const outcome = await run(
          "nohup sh -c 'until [ -e go ]; do sleep 0.02; done; echo later; echo done > end' & echo first",
        );
        expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
        expect(isGroupAlive(leftover())).toBe(true);

        await writeFile(inWork('go'), '');
        await lineIn(inWork('end'));
        expect(await stdout()).toBe('first\nlater\n');
      });

      it('ends with a failure, by SIGKILL when it ignores SIGTERM', async () => {
        const outcome = await run(
          `sh -c 'trap "" TERM; echo up > up; while :; do sleep 0.05; done' & until [ -s up ]; do :; done; exit 3`,
        );

        expect(outcome).toMatchObject({ status: 'failed', exitCode: 3 });
        expect(isGroupAlive(leftover())).toBe(false);
      });

      it('ends with a stop, even while a later command of the step is running', async () => {
        const outcome = run('sleep 300 & echo $!', 'echo up > up; sleep 300');
        await lineIn(inWork('up'));
        expect(isGroupAlive(leftover())).toBe(true);
        abort();

        expect((await outcome).status).toBe('aborted');
        expect(isGroupAlive(leftover())).toBe(false);
      });
    });
  },
);
