import { layoutGraph, type GraphLayout, type LayoutRequest } from '@weir/ui-kit/graph-layout';

/** What the page sends; the number comes back with the answer. */
export interface LayoutOrder extends LayoutRequest {
  readonly number: number;
}

export interface LayoutAnswer {
  readonly number: number;
  readonly layout: GraphLayout;
}

addEventListener('message', ({ data }: MessageEvent<LayoutOrder>) => {
  const answer: LayoutAnswer = { number: data.number, layout: layoutGraph(data) };
  postMessage(answer);
});
