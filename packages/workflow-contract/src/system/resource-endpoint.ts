import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';

const durationPattern = /^(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/;

/** Seconds, from a text such as `1h30m`. */
const duration = z
  .string()
  .min(2)
  .regex(durationPattern, 'must be a duration such as 30m or 1h')
  .default('1h')
  .transform((text) => {
    const [, hours = '0', minutes = '0', seconds = '0'] = durationPattern.exec(text) ?? [];
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  })
  .describe('How far back, such as "30m" or "1h"; at most 24 hours. Default "1h".');

const MetricPoint = z
  .object({
    timestamp: z.int().describe('When it was measured, in Unix seconds.'),
    value: z.number().describe('The value.'),
  })
  .meta({ id: 'MetricPoint', description: 'A measured value.' });

const points = (what: string) => z.array(MetricPoint).describe(`${what}, oldest first.`);
const bytes = (what: string) => z.int().min(0).describe(`${what}, in bytes; 0 before the first measurement.`);

export const getResourceHistory = endpoint({
  method: 'GET',
  path: '/services/resources/history',
  operationId: 'getResourceHistory',
  tag: 'system',
  summary: 'Get the use of processors, memory and disk',
  description: 'Measured every 15 seconds on the host of this server, since its start.',
  access: rolesFrom('developer'),
  query: z.object({ remoteNode, duration }),
  success: {
    status: 200,
    description: 'The measurements.',
    schema: z
      .object({
        cpu: points('Use of the processors in per cent'),
        memory: points('Use of the memory in per cent'),
        disk: points('Use of the disk of the data folder in per cent'),
        load: points('Load average of a minute'),
        memoryTotalBytes: bytes('Memory of the host'),
        memoryUsedBytes: bytes('Used memory'),
        diskTotalBytes: bytes('Size of the disk'),
        diskUsedBytes: bytes('Used part of the disk'),
      })
      .meta({ id: 'ResourceHistory', description: 'Use of processors, memory and disk.' }),
  },
  errors: {
    400: {
      description: 'The duration is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
  },
});
