import { layoutGraph } from '@weir/ui-kit/graph-layout';
import { toSvg, type GraphPicture } from './graph-picture';

function aPicture(names: readonly string[], critical: readonly string[] = []): GraphPicture {
  const nodes = names.map((id, index) => ({ id, depends: names.slice(Math.max(0, index - 1), index) }));
  const items = nodes.map(({ id, depends }) => ({ id, names: [id], depends, kind: 'shell' }));
  return {
    laidOut: { items, layout: layoutGraph({ nodes, direction: 'right' }), direction: 'right' },
    lookOf: ([name = '']) => ({
      status: 'failed',
      ended: 1,
      failed: [],
      isSelected: false,
      isFaded: false,
      isCritical: critical.includes(name),
    }),
    nameOf: () => 'Failed',
    colours: { edge: 'silver', text: 'black', page: 'white', accent: 'teal' },
    colourOf: () => 'red',
    fit: (text) => text,
  };
}

describe('the picture of a graph', () => {
  it('has names of steps as texts only, without characters that XML does not allow', () => {
    const svg = toSvg(aPicture(['<script>alert(1)</script>', 'a & "b"', 'bell\u0007']));

    expect(svg).not.toContain('<script');
    expect(svg).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>');
    expect(svg).toContain('<title>a &amp; &quot;b&quot;</title>');
    expect(svg).toContain('<title>bell </title>');
  });

  it('has every step with its status as a text, and marks the critical path', () => {
    const svg = toSvg(aPicture(['a', 'b', 'c'], ['a', 'b']));

    expect(svg.match(/Failed · shell/g)).toHaveLength(3);
    expect(svg.match(/<path [^>]*stroke="teal"/g)).toHaveLength(1);
    expect(svg.match(/<rect [^>]*stroke="teal"/g)).toHaveLength(2);
  });
});
