import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSchemaBook, referredName } from '../../shapes/json-schema/schema-book';
import { isSchema } from '../../shapes/json-schema/sub-schemas';
import { actionNames, findAction } from './action-catalogue';

const folder = path.resolve(__dirname, '../../../../../docs/specs/actions');
const sections = new Map(
  readdirSync(folder)
    // It says how mail is sent; the keys are with the other actions.
    .filter((name) => name !== 'mail.md')
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split(/^### /m).slice(1))
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

// The alias has no section of its own, and the keys of docker.run stand in the one of the container.
const documented = actionNames().filter((name) => findAction(name)?.name === name);

describe('docs/specs', () => {
  it.each(documented)('has every key of %s', (name) => {
    const section = sections.get(name === 'docker.run' ? 'container' : name) ?? 'no section';
    expect(section).not.toBe('no section');
    const listed = [...section.matchAll(/^\| `([a-z_]+)`/gm)].map(([, key]) => key);
    expect(listed).toEqual(listKeys(name));
  });
});

/** The keys in their present spelling. */
function listKeys(name: string): readonly string[] {
  const book = createSchemaBook();
  const schema = findAction(name)?.with.schema(book) ?? {};
  const { properties } = book.definitions.get(referredName(schema) ?? '') ?? {};
  if (!isSchema(properties)) return [];
  return Object.entries(properties).flatMap(([key, each]) => (isSchema(each) && !('deprecated' in each) ? [key] : []));
}
