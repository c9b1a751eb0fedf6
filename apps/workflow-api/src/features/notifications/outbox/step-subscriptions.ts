import type { DbTransaction } from '@weir/workflow-db';

/** Knows whether any subscription wants events of steps, so that steps cost nothing more without one. */
export interface StepSubscriptions {
  /** Uses the transaction of the caller, which would otherwise wait for itself. */
  isWanted(tables: Pick<DbTransaction, 'eventSubscription'>): Promise<boolean>;
  /** Drops the cached answer after a subscription has changed in this process. */
  forget(): void;
}

/** Subscriptions of other processes are noticed after this time. */
const knownMs = 5_000;

export function createStepSubscriptions(): StepSubscriptions {
  let known: { readonly until: number; readonly isWanted: boolean } | undefined;
  return {
    isWanted: async ({ eventSubscription }) => {
      if (known !== undefined && performance.now() <= known.until) return known.isWanted;
      const rows = await eventSubscription.findMany({ where: { isEnabled: true }, select: { events: true } });
      const isWanted = rows.some(({ events }) =>
        (events as readonly string[]).some((type) => type.startsWith('step.')),
      );
      known = { until: performance.now() + knownMs, isWanted };
      return isWanted;
    },
    forget: () => {
      known = undefined;
    },
  };
}
