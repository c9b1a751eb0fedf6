import { spawnSync } from 'node:child_process';
import { AppError } from '@weir/foundation';
import { describeUnless } from '@weir/test-kit';
import { missingGcloud } from '../consumers/testing/consumer-steps';
import { listFixes } from '../report/fix-lines';
import { someSettings } from '../testing/settings';
import { formatTerraform, lintByGcloud, missingTerraform, recordGcloud } from './testing/gcloud-calls';

const job = { event: 'push', isFork: false, isDependabot: false, isCalled: false, repository: 'o/r' };
const claims = {
  iss: 'https://token.actions.githubusercontent.com',
  sub: "repo:o/r:environment:it's live",
  repository: 'o/r',
  repository_id: '74',
};

const failures: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['a provider that does not accept the token', 'sts_refused', {}],
  ['a provider that does not accept the audience', 'sts_refused', { description: 'audience' }],
  ['a provider that does not exist', 'sts_refused', { googleReason: 'invalid_target' }],
  ['a missing role', 'iam_refused', {}],
  ['a disabled API', 'iam_refused', { googleReason: 'SERVICE_DISABLED' }],
];

function linesFor(reason: string, details: Readonly<Record<string, string>>, language: string): string {
  const error = new AppError('forbidden', 'No.', { reason, details });
  const blocks = listFixes(error, { settings: someSettings(), job, claims });
  return blocks.flatMap((block) => (block.language === language ? [`${block.lines.join('\n')}\n`] : [])).join('\n');
}

const missingShell = spawnSync('bash', ['--version']).status === 0 ? undefined : 'bash is not installed';

describeUnless(missingShell ?? missingGcloud(), 'gcloud')('the commands that fix', () => {
  // One process for all of them, because gcloud takes seconds to start.
  it('are commands with options that gcloud has', () => {
    const calls = failures.flatMap(([, reason, details]) => recordGcloud(linesFor(reason, details, 'sh')));

    expect(calls.length).toBeGreaterThan(failures.length);
    expect(lintByGcloud(calls)).toEqual([]);
  });
});

describeUnless(missingTerraform, 'Terraform')('the Terraform lines that fix', () => {
  it.each(failures.filter(([, reason, details]) => linesFor(reason, details, 'hcl') !== ''))(
    '%s are valid',
    (_, reason, details) => {
      const text = linesFor(reason, details, 'hcl');

      expect(formatTerraform(text)).toHaveProperty('formatted');
    },
  );
});
