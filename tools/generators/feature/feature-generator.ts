import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { formatFiles, generateFiles, type GeneratorCallback, type Tree } from '@nx/devkit';
import { editFile } from './edit-file';
import { featureNames, type FeatureNames } from './feature-names';

export interface FeatureGeneratorOptions {
  readonly name: string;
  readonly plural?: string;
  readonly app?: string;
}

const firstFeature = /(?=import [^;]+ from '\.\/features\/)/;

interface Places {
  readonly app: string;
  readonly contract: string;
  readonly database: string;
}

export async function featureGenerator(tree: Tree, options: FeatureGeneratorOptions): Promise<GeneratorCallback> {
  const { name, plural, app = 'workflow-api' } = options;
  const feature = featureNames(name, plural);
  const product = app.replace(/-[a-z]+$/, '');
  const places = { app: `apps/${app}`, contract: `packages/${product}-contract`, database: `packages/${product}-db` };
  const folder = `${places.app}/src/features/${feature.plural}`;
  for (const taken of [folder, `${places.contract}/src/${feature.plural}`]) {
    if (tree.exists(taken)) throw new Error(`${taken} exists already.`);
  }
  const substitutions = { ...feature, product };
  const templates = path.join(__dirname, 'files');
  generateFiles(tree, path.join(templates, 'app'), folder, substitutions);
  generateFiles(tree, path.join(templates, 'contract'), `${places.contract}/src/${feature.plural}`, substitutions);
  addToContract(tree, feature, places);
  addToDatabase(tree, feature, places);
  addToComposition(tree, feature, places);
  await formatFiles(tree);
  return () => {
    regenerate(tree.root, places);
  };
}

function addToContract(tree: Tree, feature: FeatureNames, { contract }: Places): void {
  const { plural, pluralClass, pluralProperty, className, pluralWords } = feature;
  const all = `${contract}/src/contract.ts`;
  editFile(tree, all, /\n\n/, `\nimport * as ${pluralProperty} from './${plural}/endpoints';\n\n`);
  editFile(tree, all, /\n\} as const satisfies/, `\n  ...${pluralProperty},\n} as const satisfies`);
  const title = `${pluralWords.charAt(0).toUpperCase()}${pluralWords.slice(1)}`;
  const tags = `${contract}/src/openapi/document.ts`;
  editFile(tree, tags, /\n\] as const;/, `\n  { name: '${plural}', description: '${title}' },\n] as const;`);
  const exported = [`Create${className}Request`, className, `${pluralClass}ListResponse`, `Update${className}Request`];
  editFile(tree, `${contract}/src/index.ts`, /$/, `export { ${exported.join(', ')} } from './${plural}/schemas';\n`);
}

function addToDatabase(tree: Tree, { name, className, snake }: FeatureNames, { database }: Places): void {
  tree.write(`${database}/prisma/models/${name}.prisma`, modelText(className, snake));
  const histories = `${database}/prisma/migrations`;
  const stamp = nextStamp(tree.children(`${histories}/sqlite`));
  for (const provider of ['sqlite', 'postgresql'] as const) {
    const file = `${histories}/${provider}/${stamp}_create_${snake}/migration.sql`;
    tree.write(file, migrationText(provider, className, snake));
  }
  const constraints = `${database}/src/unique-constraints.ts`;
  const known =
    `\n  ${snake}_name_key: { model: '${className}', fields: ['name'] },` +
    `\n  ${className}_pkey: { model: '${className}', fields: ['id'] },\n} as const`;
  editFile(tree, constraints, /\n\} as const/, known);
}

function modelText(className: string, snake: string): string {
  return `model ${className} {
  id          String   @id
  name        String   @unique(map: "${snake}_name_key")
  description String   @default("")
  createdAt   DateTime
  updatedAt   DateTime
}
`;
}

function migrationText(provider: 'sqlite' | 'postgresql', className: string, snake: string): string {
  const time = provider === 'sqlite' ? 'DATETIME' : 'TIMESTAMP(3)';
  const columns = [
    `"id" TEXT NOT NULL${provider === 'sqlite' ? ' PRIMARY KEY' : ''}`,
    `"name" TEXT NOT NULL`,
    `"description" TEXT NOT NULL DEFAULT ''`,
    `"createdAt" ${time} NOT NULL`,
    `"updatedAt" ${time} NOT NULL`,
    ...(provider === 'sqlite' ? [] : [`CONSTRAINT "${className}_pkey" PRIMARY KEY ("id")`]),
  ];
  const table = columns.map((column) => `    ${column}`).join(',\n');
  return `-- CreateTable
CREATE TABLE "${className}" (
${table}
);

-- CreateIndex
CREATE UNIQUE INDEX "${snake}_name_key" ON "${className}"("name");
`;
}

/** The time as a migration's stamp, later than every migration there is. */
function nextStamp(migrations: readonly string[]): string {
  const now = Number(new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14));
  const last = Math.max(0, ...migrations.map((migration) => Number.parseInt(migration, 10) || 0));
  return String(Math.max(now, last + 1));
}

function addToComposition(tree: Tree, feature: FeatureNames, { app }: Places): void {
  const { plural, pluralClass, pluralProperty, className } = feature;
  const importing = (names: string, folder: string): string => `import { ${names} } from '${folder}/${plural}';\n`;
  const repository = `${className}Repository`;

  const composition = `${app}/src/composition.ts`;
  editFile(tree, composition, firstFeature, importing(`create${pluralClass}`, './features'));
  const created = `  const ${pluralProperty} = create${pluralClass}(common);\n`;
  editFile(tree, composition, /(?= {2}const lifecycle = )/, created);
  editFile(tree, composition, /(?= {6}bindRunRoutes\(bind, )/, `      ${pluralProperty}.bindRoutes(bind);\n`);

  const platform = `${app}/src/platform.ts`;
  editFile(tree, platform, firstFeature, importing(`createPrisma${repository}, type ${repository}`, './features'));
  editFile(tree, platform, /(?= {2}readonly checkDatabase: )/, `  readonly ${pluralProperty}: ${repository};\n`);
  const stored = `    ${pluralProperty}: createPrisma${repository}(database.db),\n`;
  editFile(tree, platform, /(?= {4}checkDatabase: )/, stored);

  const testing = `${app}/src/testing/workflow-api.ts`;
  editFile(
    tree,
    testing,
    /(?=import [^;]+ from '\.\.\/features\/)/,
    importing(`createInMemory${repository}`, '../features'),
  );
  editFile(tree, testing, /(?= {6}checkDatabase: )/, `      ${pluralProperty}: createInMemory${repository}(),\n`);
}

/** What is emitted from the sources just written: the database clients and the OpenAPI document. */
function regenerate(root: string, { contract, database }: Places): void {
  const run = (folder: string, args: readonly string[]): void => {
    execFileSync(process.execPath, args, { cwd: path.join(root, folder), stdio: 'inherit' });
  };
  run(database, ['scripts/generate.mjs']);
  const emit = path.join(root, 'tools/scripts/emit-openapi.ts');
  run(contract, ['--conditions=@weir/source', '--import', 'tsx', emit]);
}
