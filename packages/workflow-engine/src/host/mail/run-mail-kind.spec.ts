import { runStatus } from '../../model/statuses/run-status';
import { runMailKind } from './run-mail-kind';

it('is known for successes, failures and waiting, and for no other status', () => {
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
