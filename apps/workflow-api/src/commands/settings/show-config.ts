import type { ListFormat } from '../shared/formats';
import type { StoreCommand } from '../shared/program-host';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { variables } from '../../config/load-config';

/** The values of these variables are not shown: an address of a database may hold a password. */
const secret: readonly string[] = ['WEIR_JWT_SECRET', 'WEIR_DATABASE_URL'];

interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly source: 'environment' | 'default';
}

/** Prints each setting, its value and its source, then the folders in use. Returns the exit code. */
export function showConfig({ config, env, print, format }: StoreCommand & { readonly format: ListFormat }): number {
  const settings = Object.entries(variables).map(([name, { defaultText }]): ShownSetting => {
    const given = env[name] ?? '';
    if (given === '') return { name, value: defaultText.replaceAll('`', ''), source: 'default' };
    return { name, value: secret.includes(name) ? '*****' : given, source: 'environment' };
  });
  const folders = {
    home: config.home,
    dags: config.dags.folder,
    data: config.data.folder,
    logs: config.logs.folder,
    baseConfig: config.baseConfig.file,
  };
  const table = (): string => {
    const rows = settings.map(({ name, value, source }) => [name, value, source]);
    const ofSettings = formatTable([['SETTING', 'VALUE', 'FROM'], ...rows]);
    return `${ofSettings}\n\n${formatTable([['FOLDER', 'PATH'], ...Object.entries(folders)])}`;
  };
  printList({ value: { settings, folders }, table }, { format, print });
  return 0;
}
