import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { Factories } from '@cyclonedx/cyclonedx-library/Contrib/License';
import { PackageURL } from 'packageurl-js';
import parseExpression from 'spdx-expression-parse';

/** An npm package that a product consists of. */
export interface ContainedPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
  /** The user who installs the product decides. Default false. */
  readonly isOptional?: boolean;
}

const licences = new Factories.LicenseFactory((text) => void parseExpression(text));

/** The bill of materials of a product, as CycloneDX 1.6 in JSON. The same packages give the same bytes: it has no time. */
export function describeContents(product: ContainedPackage, packages: readonly ContainedPackage[]): string {
  const component = toComponent(Enums.ComponentType.Application, product);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) });
  for (const each of packages) {
    const contained = toComponent(Enums.ComponentType.Library, each);
    bom.components.add(contained);
    component.dependencies.add(contained.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function toComponent(type: Enums.ComponentType, each: ContainedPackage): Models.Component {
  const [name = '', group] = each.name.split('/').reverse();
  const purl = new PackageURL('npm', group, name, each.version, undefined, undefined).toString();
  const scope = each.isOptional === true ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
  const component = new Models.Component(type, name, {
    version: each.version,
    purl,
    bomRef: purl,
    scope,
    ...(group !== undefined && { group }),
  });
  if (each.license !== undefined) component.licenses.add(licences.makeFromString(each.license));
  return component;
}
