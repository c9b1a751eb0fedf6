import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSetupWorkspace, type SetupWorkspace } from './setup-workspace';

/** Notes what pip is to do, and does as little as that takes. */
const standIn = `#!/bin/sh
[ "$1" = -c ] && { echo "$0"; echo 3.12.0; exit 0; }
echo "$@" >> pip-calls.txt
for target; do [ "$before" = --target ] && /bin/mkdir -p "$target"; before="$target"; done
`;

describe('Python packages', () => {
  let workspace: SetupWorkspace;
  beforeEach(() => {
    workspace = createSetupWorkspace((folder) => path.join(folder, 'bin'));
  });
  afterEach(() => workspace.stop());

  const givePython = (script: string) => {
    workspace.write('bin/python3', script);
    chmodSync(path.join(workspace.folder, 'bin/python3'), 0o755);
  };
  const bringIn = async () => {
    const { code, stdout } = await workspace.run('python-packages.mjs').finished;
    return { code, ...(JSON.parse(stdout) as { python?: string; folder?: string; missing?: string }) };
  };
  const pipCalls = () => {
    const file = path.join(workspace.folder, 'pip-calls.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  it('are brought in once, built and as they are pinned, and nowhere but in the folder', async () => {
    givePython(standIn);
    const folder = path.join(workspace.folder, '.runtime/python');

    const first = await bringIn();
    const second = await bringIn();

    expect(first).toEqual({ code: 0, python: path.join(workspace.folder, 'bin/python3'), folder });
    expect(second).toEqual(first);
    expect(pipCalls()).toHaveLength(1);
    expect(pipCalls()[0]).toContain(`--target ${folder}`);
    expect(pipCalls()[0]).toContain('--only-binary :all: --require-hashes');
  });

  it('are brought in again when others are wanted', async () => {
    givePython(standIn);
    await bringIn();

    workspace.write('tools/setup/python-requirements.txt', 'other==1.0');
    await bringIn();

    expect(pipCalls()).toHaveLength(2);
  });

  it('are missing, which is no failure, where there is no Python', async () => {
    expect(await bringIn()).toEqual({ code: 0, missing: 'python3 is not installed' });
  });

  it('are missing where Python does not run', async () => {
    givePython('#!/bin/sh\nexit 1\n');

    expect(await bringIn()).toEqual({ code: 0, missing: 'python3 does not run' });
  });

  it('are missing where pip fails, and tried again the next time', async () => {
    givePython(`${standIn}echo 'ERROR: no such thing in the index'; exit 1\n`);

    const { code, missing } = await bringIn();
    await bringIn();

    expect(code).toBe(0);
    expect(missing).toContain('installing Python packages failed: ERROR: no such thing in the index');
    expect(pipCalls()).toHaveLength(2);
  });
});
