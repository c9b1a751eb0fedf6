import { layoutGraph, type GraphDirection } from '@weir/ui-kit/graph-layout';
import { chooseLayout, type DirectedLayout, type LayoutChoice } from './choose-layout';

/** What the page sends; the number comes back with the answer. */
export interface LayoutOrder extends LayoutChoice {
  readonly number: number;
  /** That which somebody has chosen. */
  readonly direction?: GraphDirection | undefined;
}

export interface LayoutAnswer extends DirectedLayout {
  readonly number: number;
}

addEventListener('message', ({ data }: MessageEvent<LayoutOrder>) => {
  const { number, direction } = data;
  const laidOut =
    direction === undefined ? chooseLayout(data) : { layout: layoutGraph({ ...data, direction }), direction };
  const answer: LayoutAnswer = { number, ...laidOut };
  postMessage(answer);
});
