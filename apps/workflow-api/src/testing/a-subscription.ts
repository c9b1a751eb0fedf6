import type { Subscription } from '../features/notifications/subscription';

const moment = new Date('2026-01-01T00:00:00Z');

/** A subscription of a chat to the failures of all runs, whose target cannot be opened. */
export function aSubscription(values: Partial<Subscription> = {}): Subscription {
  return {
    id: 's',
    name: 'team',
    kind: 'slack',
    events: ['run.failed'],
    workspace: null,
    dagName: null,
    lateAfterSeconds: null,
    staleAfterSeconds: null,
    blockedAfterSeconds: null,
    digestSeconds: null,
    repeatAfterSeconds: null,
    mutedUntil: null,
    host: 'example.com',
    keyId: 'k',
    text: 'sealed',
    isEnabled: true,
    disabledReason: null,
    failingSince: null,
    createdAt: moment,
    updatedAt: moment,
    createdBy: 'ada',
    ...values,
  };
}
