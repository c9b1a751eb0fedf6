import { paramsText } from './params-text';

it.each([
  ['an object', '{"DAY":"friday","limit":3,"dry":false}', 'DAY=friday limit=3 dry=false'],
  ['a value with spaces, quoted', '{"name":"us west"}', 'name="us west"'],
  ['a value with members, as JSON', '{"item":{"a":[1,2]}}', 'item={"a":[1,2]}'],
  ['a list', '["eu","us west"]', 'eu "us west"'],
  ['words, as they are', 'name=eu size=3', 'name=eu size=3'],
  ['text that only begins like JSON, as it is', '{half', '{half'],
])('says %s', (_, params, text) => {
  expect(paramsText(params)).toBe(text);
});
