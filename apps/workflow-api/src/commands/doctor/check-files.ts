import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { hasErrors } from '@weir/workflow-spec';
import { systemRandom } from '../../adapters/random-source';
import { createDagFileStore } from '../../features/dags';
import { createInlineSpecReader } from '../shared/inline-spec-reader';
import type { StoreCommand } from '../shared/program-host';
import type { Check } from './check';

type Finding = Omit<Check, 'name'>;

const lowBytes = 1024 ** 3;
const emptyBytes = 1024 ** 2;
const shownNames = 5;

export async function checkFolders({ config }: StoreCommand): Promise<Finding> {
  const { home, dags } = config;
  const found = await stat(home).catch(() => undefined);
  if (found === undefined) return { result: 'warning', detail: `${home} does not exist yet; the first start makes it` };
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  await access(dags.folder, constants.R_OK | constants.X_OK).catch((cause: unknown) => {
    throw new Error(`the folder of the DAG files, ${dags.folder}, cannot be read`, { cause });
  });
  if ((found.mode & 0o007) !== 0) {
    return { result: 'warning', detail: `${home} can be entered by every user of this machine; use chmod o-rwx` };
  }
  return { result: 'ok', detail: home };
}

export async function checkSpace({ config }: StoreCommand): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.home).catch(() => statfs('/'));
  const free = bavail * bsize;
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free for ${config.home}`;
  return { result: free < emptyBytes ? 'failed' : free < lowBytes ? 'warning' : 'ok', detail };
}

export async function checkDagFiles({ config }: StoreCommand): Promise<Finding> {
  const store = createDagFileStore({ folder: config.dags.folder, random: systemRandom });
  const specs = createInlineSpecReader(config);
  const { fileNames } = await store.list();
  const broken: string[] = [];
  for (const fileName of fileNames) {
    const file = await store.read(fileName);
    if (file === undefined) continue;
    const isBroken = file.kind !== 'text' || hasErrors((await specs.parse(file.text, { name: fileName })).findings);
    if (isBroken) broken.push(fileName);
  }
  if (broken.length === 0) return { result: 'ok', detail: `${fileNames.length} in ${config.dags.folder}` };
  const more = broken.length > shownNames ? `, and ${broken.length - shownNames} more` : '';
  return { result: 'failed', detail: `errors in ${broken.slice(0, shownNames).join(', ')}${more}; see "weir ls"` };
}
