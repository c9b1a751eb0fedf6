const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** `131,072` */
export const formatCount = (count: number): string => whole.format(count);

/** A reward: at most three digits after the point. */
export const formatReward = (reward: number): string => short.format(reward);

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const smallMoney = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** An amount in the currency of the prices: `1,204.50`, or `0.0031` where it is small. */
export const formatCost = (cost: number): string => (cost === 0 || cost >= 0.1 ? money : smallMoney).format(cost);

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  const value = bytes / 1024 ** unit;
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${units[unit] ?? ''}`;
}
