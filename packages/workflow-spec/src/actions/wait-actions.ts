import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from './settings/duration-setting';
import { body, headers, method, status } from './settings/http-settings';
import { moment } from './settings/timestamp-setting';
import { webUrl, word } from './settings/setting-shapes';

export const waitActions = [
  defineAction('wait.duration', {
    description: 'Waits for a time',
    execution: 'in-process',
    restart: true,
    keys: { duration: keySpec('How long', duration, { required: true }) },
  }),
  defineAction('wait.until', {
    description: 'Waits until a moment',
    execution: 'in-process',
    restart: true,
    keys: { until: keySpec('The moment, RFC 3339 with an offset', moment, { required: true }) },
  }),
  defineAction('wait.file', {
    description: 'Waits until a file is there, or gone',
    execution: 'in-process',
    restart: true,
    keys: {
      path: keySpec('The file', nonEmptyText, { required: true }),
      state: keySpec('exists (default) or missing', word('exists', 'missing')),
      poll_interval: keySpec('Time between two looks', duration),
    },
  }),
  defineAction('wait.http', {
    description: 'Waits until an address gives the expected answer',
    execution: 'in-process',
    restart: true,
    keys: {
      url: keySpec('Address', webUrl, { required: true }),
      method: keySpec('Method of the request; GET by default', method),
      status: keySpec('Status that ends the waiting; any 2xx by default', status),
      headers,
      body,
      poll_interval: keySpec('Time between two requests', duration),
      request_timeout: keySpec('Time for one request', duration),
    },
  }),
] as const;
