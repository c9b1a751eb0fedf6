import { limits } from '../../model/limits';
import type { AgentTask } from '../../model/step';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import { reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { nonEmptyText } from '../../shapes/shapes';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import { getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const taskKind = objectKind({
  title: 'task',
  keys: {
    name: keySpec('Name of the task', nonEmptyText, { required: true }),
    description: keySpec('When the task is done', nonEmptyText, { required: true }),
  },
});

const bound = { limit: limits.agentTasks, code: 'invalid_value', what: 'tasks' } as const;

const readTasks: Reader<readonly AgentTask[]> = (value) => {
  if (getKind(value) !== 'list') return reportWrongKind(value, 'a list of maps with name and description');
  const items = getItems(value);
  if (items.length === 0) report(value, 'invalid_value', 'tasks must have at least one task');
  const found = limitEntries(items, value, bound).flatMap((item) => readTask(item) ?? []);
  return uniqueNames(found, 'task', value);
};

/** The goals of an agent. */
export const agentTasks = shape(readTasks, (book) => ({
  type: 'array',
  minItems: 1,
  maxItems: limits.agentTasks,
  items: book.refer('AgentTask', () => objectSchema(taskKind, book)),
}));

function readTask(item: YamlValue): Located<AgentTask> | undefined {
  const { name, description } = readObject(item, taskKind)?.fields ?? {};
  if (name?.value === undefined || description?.value === undefined) return undefined;
  return { value: { name: name.value, description: description.value }, location: name.source };
}
