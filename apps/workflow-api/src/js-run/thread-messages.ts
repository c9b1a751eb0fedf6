import type { JsResult, JsCall, JsPrinted } from './js-call';

/** What a thread is asked: one call, its input as JSON. */
export interface ThreadRequest extends Pick<JsCall, 'code' | 'name' | 'language' | 'maxBytes'> {
  readonly input: string;
}

/** Of each call: what is printed, the answer, and that the thread may be given the next one. */
export type ThreadMessage =
  | { readonly kind: 'printed'; readonly printed: JsPrinted }
  | { readonly kind: 'result'; readonly result: JsResult }
  | { readonly kind: 'ready' };
