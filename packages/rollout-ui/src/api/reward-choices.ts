export const discountRules = ['sum', 'mean', 'max', 'linear'] as const;
export const exportStyles = ['individual', 'concat'] as const;

/** How rewards are discounted. */
export interface RewardChoices {
  readonly discount: number;
  readonly rule: (typeof discountRules)[number];
  /** Whether answers that a retry replaced are omitted. */
  readonly drop: boolean;
}

/** What an export is made with. */
export interface RowChoices extends RewardChoices {
  readonly style: (typeof exportStyles)[number];
}

/** As the operations take them. */
export function toQuery({ discount, rule, drop }: RewardChoices) {
  return { discount, rule, drop_retry_orphans: drop ? ('true' as const) : ('false' as const) };
}
