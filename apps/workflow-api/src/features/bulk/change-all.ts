import type { ServerEvent } from '@weir/http-contract';
import { isAppError, toAppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { BulkEnd, BulkRunItem } from '@weir/workflow-contract/schemas';
import type { Requester } from '../../access/audited-operation';
import { databaseFailure } from '../../failures/database-failures';
import { renderError } from '../../failures/error-body';
import { settleConcurrently, type Concurrency } from './settle-concurrently';

/** The change of each item; both functions throw the errors of the operation on a single item. */
export interface ItemChange<Item, Result> {
  /** Names the item in its event. */
  readonly describe: (item: Item) => object;
  /** Throws when the change is known to be impossible. */
  readonly check: (item: Item) => Promise<void>;
  /** Returns further fields of the item's event. */
  readonly perform: (item: Item) => Promise<Result>;
}

export interface BulkRequest {
  readonly dryRun: boolean;
  readonly limit: number;
}

/** Each changed item is a part of the operation that is audited. */
export interface BulkRequester extends Requester {
  readonly signal: AbortSignal;
}

type Outcome = Pick<BulkRunItem, 'outcome' | 'code' | 'reason' | 'message'>;

/** Items that are changed at the same time: a bulk operation must leave capacity for other requests. */
const concurrency = 4;

/** Yields the events of a bulk operation. */
export async function* changeAll<Item, Result extends object | undefined>(
  items: AsyncIterable<Item>,
  { describe, check, perform }: ItemChange<Item, Result>,
  { request, signal, logger }: { readonly request: BulkRequest; readonly logger: Logger } & Pick<Concurrency, 'signal'>,
): AsyncGenerator<ServerEvent> {
  const counts = { done: 0, possible: 0, refused: 0 };
  const taken = takeSome(items, request.limit);
  const settle = async (item: Item): Promise<Outcome & object> => {
    try {
      if (!request.dryRun) return { ...describe(item), ...(await perform(item)), outcome: 'done' };
      await check(item);
      return { ...describe(item), outcome: 'possible' };
    } catch (error) {
      return { ...describe(item), ...refusal(error, logger) };
    }
  };
  for await (const item of settleConcurrently(taken.items, { concurrency, signal }, settle)) {
    counts[item.outcome] += 1;
    yield { event: 'item', data: item };
  }
  const total = counts.done + counts.possible + counts.refused;
  const end: BulkEnd = { total, ...counts, hasMore: taken.hasMore() };
  yield { event: 'end', data: end };
}

function refusal(caught: unknown, logger: Logger): Outcome {
  const error = isAppError(caught) ? caught : (databaseFailure(caught) ?? toAppError(caught));
  if (error.code === 'internal') logger.error({ error: caught }, 'item of a bulk operation failed');
  const { code, reason, message } = renderError(error, '');
  return { outcome: 'refused', code, message, ...(reason === undefined ? {} : { reason }) };
}

function takeSome<Item>(items: AsyncIterable<Item>, limit: number) {
  let hasMore = false;
  async function* take(): AsyncGenerator<Item> {
    let taken = 0;
    for await (const item of items) {
      if (taken === limit) {
        hasMore = true;
        return;
      }
      taken += 1;
      yield item;
    }
  }
  return { items: take(), hasMore: () => hasMore };
}
