import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import { body, headers, method, status } from './settings/http-settings';
import { moment } from './settings/timestamp-setting';
import { webUrl, word } from '../../shapes/settings/setting-shapes';

export const waitActions = [
  defineAction('wait.duration', {
    description: 'Waits for a duration',
    execution: 'in-process',
    restart: true,
    keys: { duration: keySpec('Duration', duration, { required: true }) },
  }),
  defineAction('wait.until', {
    description: 'Waits until a point in time',
    execution: 'in-process',
    restart: true,
    keys: { until: keySpec('The point in time, RFC 3339 with an offset', moment, { required: true }) },
  }),
  defineAction('wait.file', {
    description: 'Waits until a file exists, or no longer exists',
    execution: 'in-process',
    restart: true,
    keys: {
      path: keySpec('The file', nonEmptyText, { required: true }),
      state: keySpec('exists (default) or missing', word('exists', 'missing')),
      poll_interval: keySpec('Polling interval', duration),
    },
  }),
  defineAction('wait.http', {
    description: 'Waits until a URL returns the expected response',
    execution: 'in-process',
    restart: true,
    keys: {
      url: keySpec('URL', webUrl, { required: true }),
      method: keySpec('Method of the request; GET by default', method),
      status: keySpec('Status to wait for; any 2xx by default', status),
      headers,
      body,
      poll_interval: keySpec('Polling interval', duration),
      request_timeout: keySpec('Timeout of one request', duration),
    },
  }),
] as const;
