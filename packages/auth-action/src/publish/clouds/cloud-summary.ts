import { markdownCode } from '../../report/quote-text';
import type { Variable } from '../../report/variables';
import type { CloudSignIn } from '../../clouds/cloud-sign-in';

/** Markdown with the principals and the variables. Contains names only, no secrets. */
export function formatCloudSummary(clouds: readonly CloudSignIn[], variables: readonly Variable[]): string {
  const names = variables.map(([name]) => markdownCode(name)).join(', ');
  const rows = [
    ...clouds.map(({ cloud, principal }) => [`${cloud}: authenticated as`, markdownCode(principal)]),
    ...(names === '' ? [] : [['Variables set', names]]),
  ];
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return ['### Authentication to other clouds', '', '| | |', '| --- | --- |', ...lines, ''].join('\n');
}
