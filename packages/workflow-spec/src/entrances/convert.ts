/** Files of other programs and older files, and locks of packaged actions. */

export { convertCrontab, type ConvertedCrontab } from '../dag/convert/convert-crontab';
export { convertSpec, type ConvertedSpec } from '../dag/convert/convert-spec';
export { lockActions } from '../dag/convert/lock-actions';
