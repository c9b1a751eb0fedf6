import type { JsResult, JsCall, JsPrinted } from './js-call';

/** A call for a thread, with its input as JSON. */
export interface ThreadRequest extends Pick<JsCall, 'code' | 'form' | 'name' | 'language' | 'maxBytes'> {
  readonly input?: string;
}

/** Messages of each call: printed text, the result, and that the thread is free again. */
export type ThreadMessage =
  | { readonly kind: 'printed'; readonly printed: JsPrinted }
  | { readonly kind: 'result'; readonly result: JsResult }
  | { readonly kind: 'ready' };
