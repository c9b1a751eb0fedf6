/** The drawn lines: a part of the log around the view, in which the browser itself scrolls. */
export interface LineSlice {
  readonly first: number;
  /** Less than `first` when there are no lines. */
  readonly last: number;
}

const drawn = 240;
/** Within this distance from the edge of the drawn lines, more are drawn. */
const edge = 60;

export function sliceAround(line: number, totalLines: number): LineSlice {
  const first = Math.max(1, Math.min(Math.floor(line - drawn / 2), totalLines - drawn + 1));
  return { first, last: Math.min(totalLines, first + drawn - 1) };
}

export function sliceAtEnd(totalLines: number): LineSlice {
  return sliceAround(totalLines, totalLines);
}

/** Returns the slice for a view: the same one, unless the view is near an edge beyond which there are lines. */
export function sliceFor(slice: LineSlice, view: LineSlice, totalLines: number): LineSlice {
  const needsEarlier = slice.first > 1 && view.first < slice.first + edge;
  const needsLater = slice.last < totalLines && view.last > slice.last - edge;
  if (!needsEarlier && !needsLater && slice.last <= totalLines) return slice;
  return sliceAround(Math.floor((view.first + view.last) / 2), totalLines);
}
