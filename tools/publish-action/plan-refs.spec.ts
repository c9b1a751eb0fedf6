import { planRefs } from './plan-refs';

const refs = (...names: readonly string[]) => new Map(names.map((name) => [name, 'old']));
const update = (name: string, before?: string) => ({ name, before });

describe('planRefs', () => {
  it.each([
    ['0.2.0', refs(), ['refs/tags/v0.2.0', 'refs/tags/v0', 'refs/heads/main'].map((name) => update(name)), []],
    [
      '0.10.0',
      refs('refs/tags/v0.9.1', 'refs/tags/v0', 'refs/heads/main'),
      [update('refs/tags/v0.10.0'), update('refs/tags/v0', 'old'), update('refs/heads/main', 'old')],
      [],
    ],
    [
      '0.9.2',
      refs('refs/tags/v0.10.0', 'refs/tags/v0', 'refs/heads/main'),
      [update('refs/tags/v0.9.2')],
      ['v0 remains, because there is a newer v0.10.0.', 'main remains, because there is a newer v0.10.0.'],
    ],
    [
      '0.9.2',
      refs('refs/tags/v1.0.0', 'refs/tags/v1', 'refs/tags/v0', 'refs/heads/main'),
      [update('refs/tags/v0.9.2'), update('refs/tags/v0', 'old')],
      ['main remains, because there is a newer v1.0.0.'],
    ],
    [
      '1.0.0',
      refs('refs/tags/v0.9.2', 'refs/tags/v0', 'refs/tags/vnext', 'refs/heads/v2.0.0'),
      [update('refs/tags/v1.0.0'), update('refs/tags/v1'), update('refs/heads/main')],
      [],
    ],
  ])('of %s, case %#', (version, existing, updates, notes) => {
    const isNewest = !notes.some((note) => note.startsWith('main remains'));

    expect(planRefs(version, 'new', existing)).toEqual({ updates, notes, isNewest });
  });

  it('creates what an interrupted release lacks', () => {
    const existing = new Map([
      ['refs/tags/v0.2.0', 'new'],
      ['refs/tags/v0', 'new'],
    ]);

    expect(planRefs('0.2.0', 'new', existing).updates).toEqual([update('refs/heads/main')]);
  });

  it('refuses another content for a released version', () => {
    expect(() => planRefs('0.2.0', 'new', refs('refs/tags/v0.2.0'))).toThrow(
      'v0.2.0 is already at old and never moves',
    );
  });
});
