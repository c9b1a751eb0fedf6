const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** `131,072` */
export const formatCount = (count: number): string => whole.format(count);

/** A reward: at most three digits after the point. */
export const formatReward = (reward: number): string => short.format(reward);

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  const value = bytes / 1024 ** unit;
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${units[unit] ?? ''}`;
}
