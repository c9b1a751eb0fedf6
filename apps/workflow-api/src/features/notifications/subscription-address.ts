import { subscriptionInvalid, type Subscription, type Target } from './subscription';

/** A mail has `to`, everything else `url`, and nothing has both. */
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

/** What may be shown of an address. */
export function hostOf({ url, to = '' }: Target): string {
  return url === undefined ? to.slice(to.lastIndexOf('@') + 1) : new URL(url).host;
}

/** Throws `request_invalid` for an event that needs settings that are missing. */
export function assertComplete({ events, dagName, staleAfterSeconds }: Subscription): void {
  if (!events.includes('dag.stale')) return;
  if (dagName === null || staleAfterSeconds === null)
    throw subscriptionInvalid('The event "dag.stale" needs "dagName" and "staleAfterSeconds".');
}
