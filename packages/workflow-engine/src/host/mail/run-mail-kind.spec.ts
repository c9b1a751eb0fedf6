import { runStatus } from '../../model/statuses/run-status';
import { runMailKind } from './run-mail-kind';

it('tells successes, failures and waiting, and nothing of the rest', () => {
  expect(Object.fromEntries(runStatus.all.map((status) => [status, runMailKind(status)]))).toEqual({
    not_started: undefined,
    queued: undefined,
    running: undefined,
    waiting: 'wait',
    succeeded: 'success',
    partially_succeeded: 'success',
    failed: 'failure',
    rejected: 'failure',
    aborted: undefined,
  });
});
