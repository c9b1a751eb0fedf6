import { parseEvents } from '@weir/workflow-client';

/** The result for one item. */
export interface BulkItem {
  readonly outcome: 'done' | 'possible' | 'refused';
  readonly message?: string;
}

export interface BulkEnd {
  readonly total: number;
  readonly done: number;
  readonly possible: number;
  readonly refused: number;
  /** Whether the filter selects more than were changed. */
  readonly hasMore: boolean;
}

export type BulkEvent<Item> =
  { readonly kind: 'item'; readonly item: Item } | { readonly kind: 'end'; readonly end: BulkEnd };

/** Reads the events of a bulk operation. Their shapes follow its description. */
export async function* readBulkEvents<Item extends BulkItem>(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<BulkEvent<Item>> {
  for await (const { event, data } of parseEvents(body)) {
    if (event === 'item') yield { kind: 'item', item: JSON.parse(data) as Item };
    else if (event === 'end') yield { kind: 'end', end: JSON.parse(data) as BulkEnd };
  }
}
