import type { JsonObject } from '../../model/json';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject } from '../../shapes/read-object';
import { shape, type Shape } from '../../shapes/shape';
import { anyMap, boolean, reportInvalid, recordShape, enumShape, text, textList } from '../../shapes/shapes';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { humanField } from './human-field';

const fields = recordShape(humanField, { limit: limits.formFields, code: 'invalid_value', what: 'properties' });

const formKind = objectKind({
  title: 'form of human.task',
  keys: {
    type: keySpec('object', enumShape('object')),
    title: keySpec('Heading', text),
    description: keySpec('What the form is about', text),
    properties: keySpec('The fields by name', fields, { required: true }),
    required: keySpec('Names of the fields that must be filled in', textList),
    additionalProperties: keySpec('Whether other fields are taken too', boolean),
  },
});

/** A flat form as JSON Schema: an object of strings, numbers and booleans. */
export const humanForm: Shape<JsonObject> = shape(
  (value) => {
    const form = anyMap.read(value);
    if (form) checkForm(value);
    return form;
  },
  (book) => objectSchema(formKind, book),
);

function checkForm(value: YamlValue): void {
  const form = readObject(value, formKind)?.fields;
  const known = form?.properties?.value;
  if (!known) return;
  for (const name of form.required?.value ?? []) {
    if (!Object.hasOwn(known, name)) {
      reportInvalid(form.required?.source ?? value, `${quote(name)} is required, but the form has no such field`);
    }
  }
}
