import { layoutGraph, type GraphDirection } from '@weir/ui-kit/graph-layout';
import { chooseLayout, type DirectedLayout, type LayoutChoice } from './choose-layout';

/** The request of the page; the answer repeats its number. */
export interface LayoutOrder extends LayoutChoice {
  readonly number: number;
  /** The direction that a person has chosen. */
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
