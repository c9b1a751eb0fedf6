import { describeContents, type ContainedPackage } from './describe-contents';

const product = { name: '@weir/workflow-api', version: '1.2.3', license: 'Apache-2.0' };
const packages: readonly ContainedPackage[] = [
  { name: 'zod', version: '4.0.0', license: 'MIT' },
  { name: '@scope/two', version: '2.0.0', license: '(MIT OR Apache-2.0)' },
  { name: 'odd', version: '1.0.0', license: 'SEE LICENSE IN file' },
  { name: 'engine', version: '3.0.0', isOptional: true },
];

interface Bom {
  readonly components: readonly Record<string, unknown>[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}
const read = (text: string): Bom => JSON.parse(text) as Bom;

describe('describeContents', () => {
  it('names each package with its address, its licence and whether it is optional', () => {
    const { components, dependencies } = read(describeContents(product, packages));

    expect(components.map(({ purl, scope, licenses }) => [purl, scope, licenses])).toEqual([
      ['pkg:npm/%40scope/two@2.0.0', 'required', [{ expression: '(MIT OR Apache-2.0)' }]],
      ['pkg:npm/engine@3.0.0', 'optional', undefined],
      ['pkg:npm/odd@1.0.0', 'required', [{ license: { name: 'SEE LICENSE IN file' } }]],
      ['pkg:npm/zod@4.0.0', 'required', [{ license: { id: 'MIT' } }]],
    ]);
    const own = dependencies.find(({ ref }) => ref === 'pkg:npm/%40weir/workflow-api@1.2.3');
    expect(own?.dependsOn).toHaveLength(packages.length);
  });

  it('gives the same text for the same packages in any order', () => {
    expect(describeContents(product, packages.toReversed())).toBe(describeContents(product, packages));
  });
});
