import { subscriptionInvalid, type Subscription, type Target } from './subscription';

/** A mail has `to`, every other kind has `url`, and no kind has both. */
export function addressOf(
  kind: Subscription['kind'],
  { url, to }: { readonly url?: string | undefined; readonly to?: string | undefined },
): Target {
  if (kind === 'email') {
    if (to === undefined || url !== undefined)
      throw subscriptionInvalid('A subscription by mail has "to" and no "url".');
    return { to };
  }
  if (url === undefined || to !== undefined)
    throw subscriptionInvalid(`A subscription of the kind "${kind}" has "url" and no "to".`);
  return { url };
}

/** Returns the part of an address that may be shown. */
export function hostOf({ url, to = '' }: Target): string {
  return url === undefined ? to.slice(to.lastIndexOf('@') + 1) : new URL(url).host;
}

/** Throws `request_invalid` for an event whose settings are missing, and for a digest of signed events. */
export function assertComplete({ kind, events, dagName, staleAfterSeconds, digestSeconds }: Subscription): void {
  if (kind === 'webhook' && digestSeconds !== null)
    throw subscriptionInvalid('A subscription of the kind "webhook" sends each event: it has no "digestSeconds".');
  if (events.includes('queue.blocked') && dagName !== null)
    throw subscriptionInvalid('The event "queue.blocked" is about queues: leave out "dagName".');
  if (!events.includes('dag.stale')) return;
  if (dagName === null || staleAfterSeconds === null)
    throw subscriptionInvalid('The event "dag.stale" needs "dagName" and "staleAfterSeconds".');
}
