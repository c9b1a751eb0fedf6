import type { ServiceName } from '../cloud/service-call';
import type { Transport } from '../cloud/transport';

/** The findings from the requests of a check. */
export interface CheckRecord {
  /** Services that accepted a request. */
  readonly accepted: ReadonlySet<ServiceName>;
  /** How far the clock of the runner is ahead of that of the last service, in seconds; `undefined` if unknown. */
  readonly clockSkewSeconds: () => number | undefined;
}

/** Records the responses of a transport. */
export function recordResponses(transport: Transport, now: () => number): Transport & { readonly record: CheckRecord } {
  const accepted = new Set<ServiceName>();
  let skew: number | undefined;
  return {
    pause: (milliseconds) => transport.pause(milliseconds),
    send: async (call) => {
      const response = await transport.send(call);
      accepted.add(call.service);
      const serverMs = Date.parse(String(response.date));
      if (!Number.isNaN(serverMs)) skew = Math.round((now() - serverMs) / 1000);
      return response;
    },
    record: { accepted, clockSkewSeconds: () => skew },
  };
}
