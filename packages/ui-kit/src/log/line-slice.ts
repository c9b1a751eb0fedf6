/** The lines that are drawn: a part of the log around the view, in which the browser itself scrolls. */
export interface LineSlice {
  readonly first: number;
  /** Before `first` where there are none. */
  readonly last: number;
}

const drawn = 240;
/** From the edge of what is drawn at which more is. */
const edge = 60;

export function sliceAround(line: number, totalLines: number): LineSlice {
  const first = Math.max(1, Math.min(Math.floor(line - drawn / 2), totalLines - drawn + 1));
  return { first, last: Math.min(totalLines, first + drawn - 1) };
}

export function sliceAtEnd(totalLines: number): LineSlice {
  return sliceAround(totalLines, totalLines);
}

/** The slice for a view: the same one, unless the view is near an edge beyond which there are lines. */
export function sliceFor(slice: LineSlice, view: LineSlice, totalLines: number): LineSlice {
  const needsEarlier = slice.first > 1 && view.first < slice.first + edge;
  const needsLater = slice.last < totalLines && view.last > slice.last - edge;
  if (!needsEarlier && !needsLater && slice.last <= totalLines) return slice;
  return sliceAround(Math.floor((view.first + view.last) / 2), totalLines);
}
