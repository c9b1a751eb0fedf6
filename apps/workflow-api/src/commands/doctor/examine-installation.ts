import { errorText } from '../shared/error-text';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import type { StoreCommand } from '../shared/program-host';
import { formatTable } from '../shared/table';
import type { Check } from './check';
import { checkDagFiles, checkFolders, checkSpace } from './check-files';
import { checkDatabase, checkIsolationOfSteps, checkServer, checkSignIn } from './check-server';

export interface DoctorOptions extends StoreCommand {
  readonly format: ListFormat;
}

/** Checks an installation without changing anything. Returns the exit code: 1 when a check failed. */
export async function examineInstallation(options: DoctorOptions): Promise<number> {
  const checks: Check[] = [
    { name: 'program', result: 'ok', detail: `${options.version}, Node ${process.versions.node}` },
  ];
  for (const [name, check] of [
    ['folders', checkFolders],
    ['space', checkSpace],
    ['database', checkDatabase],
    ['server', checkServer],
    ['sign-in', checkSignIn],
    ['isolation', checkIsolationOfSteps],
    ['DAG files', checkDagFiles],
  ] as const) {
    checks.push({ name, ...(await check(options).catch(toFailure)) });
  }
  return printChecks(checks, options);
}

/** Returns the exit code: 1 when a check failed. */
export function printChecks(checks: readonly Check[], options: Pick<DoctorOptions, 'format' | 'print'>): number {
  const rows = checks.map(({ name, result, detail }) => [name, result, detail]);
  printList({ value: { checks }, table: () => formatTable([['CHECK', 'RESULT', 'DETAIL'], ...rows]) }, options);
  return checks.some(({ result }) => result === 'failed') ? 1 : 0;
}

function toFailure(error: unknown): Omit<Check, 'name'> {
  return { result: 'failed', detail: errorText(error) };
}
