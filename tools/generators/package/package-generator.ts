import path from 'node:path';
import { formatFiles, generateFiles, names, type GeneratorCallback, type Tree } from '@nx/devkit';
import { installWorkspace } from '../install-workspace';

export interface PackageGeneratorOptions {
  readonly name: string;
  readonly type: string;
  readonly scope?: string;
  readonly description: string;
  readonly skipInstall?: boolean;
}

export async function packageGenerator(tree: Tree, options: PackageGeneratorOptions): Promise<GeneratorCallback> {
  const { name, type, scope = 'shared', description, skipInstall = false } = options;
  const folder = `packages/${name}`;
  if (tree.exists(folder)) throw new Error(`${folder} exists already.`);
  const { className, propertyName } = names(name);
  const sentence = description.endsWith('.') ? description : `${description}.`;
  generateFiles(tree, path.join(__dirname, 'files'), folder, {
    name,
    type,
    scope,
    className,
    propertyName,
    description: sentence,
    descriptionJson: JSON.stringify(sentence),
  });
  await formatFiles(tree);
  return () => {
    installWorkspace(tree.root, { skipInstall });
  };
}
