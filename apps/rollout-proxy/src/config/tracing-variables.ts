import type { Variables } from '@weir/service-kit';
import { z } from 'zod';

const endpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2048)
  .optional();

/** The variables of OpenTelemetry that the server reads itself, by their usual names. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: endpoint,
    defaultText: 'none: no traces',
    description: 'Address of an OpenTelemetry collector. Sessions and model calls are sent to its path `/v1/traces`.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: endpoint,
    defaultText: 'none',
    description: 'The whole address for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.literal('http/json', 'must be http/json').default('http/json'),
    defaultText: '`http/json`',
    description: 'The protocol to the collector, of which there is one.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1).max(255).default('weir-rollout-proxy'),
    defaultText: '`weir-rollout-proxy`',
    description:
      'Name of the service in traces. OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT and OTEL_BSP_* mean what they mean in every SDK of OpenTelemetry.',
  },
} as const satisfies Variables;
