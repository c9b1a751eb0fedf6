import type { DbTransaction } from '@weir/workflow-db';

/** Whether events of steps are wanted: without a subscription, what happens to steps costs nothing more. */
export interface StepSubscriptions {
  /** Asks through the transaction of the caller, which would wait for itself otherwise. */
  isWanted(tables: Pick<DbTransaction, 'eventSubscription'>): Promise<boolean>;
  /** A subscription has changed in this process. */
  forget(): void;
}

/** Until what another process has subscribed to is noticed. */
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
