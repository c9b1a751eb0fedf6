import { rolloutContract } from '@weir/rollout-contract';
import type { Bind } from '../../bind';
import type { IdempotentAnswers } from '../idempotency';
import type { CapacityLedger } from './capacity-ledger';

export interface CapacityRoutesOptions {
  readonly ledger: CapacityLedger;
  readonly answers: IdempotentAnswers;
}

export function bindCapacityRoutes(bind: Bind, { ledger, answers }: CapacityRoutesOptions): void {
  bind(rolloutContract.grantCapacity, ({ principal }) =>
    answers.once({ caller: principal, operation: 'grant', request: null }, async () => ({
      capacity: await ledger.grant(principal.idempotencyKey),
    })),
  );
}
