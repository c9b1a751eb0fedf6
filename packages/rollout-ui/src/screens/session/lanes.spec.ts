import { placeInLanes } from './lanes';

const node = (id: string, parent: string | null = null) => ({ interaction_id: id, parent_id: parent });

describe('placeInLanes', () => {
  it('draws a conversation as one lane, and each branch and root as another', () => {
    const places = placeInLanes([node('a'), node('b', 'a'), node('c', 'a'), node('d', 'b'), node('e'), node('f', 'c')]);
    expect(places.map(({ lane }) => lane)).toEqual([0, 0, 1, 0, 2, 1]);
    expect(places[2]?.parent).toEqual({ row: 0, lane: 0 });
    expect(places[5]?.parent).toEqual({ row: 2, lane: 1 });
  });

  it('draws a continuation of a hidden call as a root', () => {
    expect(placeInLanes([node('a', 'gone')])).toEqual([{ lane: 0, parent: undefined }]);
  });
});
