import { mkdir, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

export const skipExamples = { WEIR_SKIP_EXAMPLES: 'true' };
export const hello = 'params: WHO=world\nsteps:\n  - {name: first, run: "echo secret-of-the-script $WHO"}\n';
const failing = 'steps:\n  - {name: bad, run: "exit 3"}\n  - {name: after, run: "true", depends: bad}\n';
export const slow = 'steps:\n  - {name: hang, run: "exec sleep 300"}\n  - {name: after, run: "true", depends: hang}\n';
export const stubborn = `steps:
  - {name: hang, run: 'trap "" TERM; while :; do sleep 1; done'}
`;
export const files = {
  hello,
  failing,
  slow,
  'other-name': 'name: renamed\nsteps:\n  - {run: "true"}\n',
  broken: 'steps: 5\n',
  nightly: 'schedule: "0 3 * * *"\nsteps:\n  - {run: "true"}\n',
};

export async function homeWithDags(): Promise<TemporaryFolder> {
  const home = temporaryFolder();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
  return home;
}
