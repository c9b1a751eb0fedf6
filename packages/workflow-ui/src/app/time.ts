export { formatDuration, useTimeFormat, type TimeFormat } from '@weir/ui-app';
