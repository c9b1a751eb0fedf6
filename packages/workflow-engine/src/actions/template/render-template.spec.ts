import { renderTemplate } from './render-template';

const data = {
  name: 'Ada',
  empty: '',
  list: ['a', 'b'],
  map: { y: 2, x: 1 },
  deep: { er: { value: 7 } },
};
const render = (template: string) => renderTemplate(template, data, 10_000);

it.each([
  ['plain text', 'plain text'],
  ['{{ .name }}!', 'Ada!'],
  ['{{.deep.er.value}} {{ $.name }}', '7 Ada'],
  ['a {{- " b " -}} c', 'a b c'],
  ['{{/* nothing */}}x', 'x'],
  ['{{ if .name }}yes{{ else }}no{{ end }}', 'yes'],
  ['{{ if .empty }}1{{ else if .none }}2{{ else }}3{{ end }}', '3'],
  ['{{ range .list }}<{{ . }}>{{ end }}', '<a><b>'],
  ['{{ range $i, $v := .list }}{{ $i }}{{ $v }}{{ end }}', '0a1b'],
  ['{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}', 'x=1;y=2;'],
  ['{{ range .none }}x{{ else }}none{{ end }}', 'none'],
  ['{{ with .deep.er }}{{ .value }}{{ end }}', '7'],
  ['{{ $x := .name | upper }}{{ $x }}', 'ADA'],
  ['{{ .none | default "guest" }}', 'guest'],
  ['{{ join ", " .list }} {{ len .list }} {{ index .list 1 }}', 'a, b 2 b'],
  ['{{ if and (eq .name "Ada") (gt .deep.er.value 6) }}ok{{ end }}', 'ok'],
  ['{{ .map | toJson }} {{ "}}" }} {{ `raw "x"` }}', '{"y":2,"x":1} }} raw "x"'],
  ['{{ not true }} {{ or .empty .name }} {{ ne 1 2 }}', 'false Ada true'],
])('%s', (template, text) => {
  expect(render(template)).toBe(text);
});

it.each([
  ['x\n{{ .name', 'Line 2 of the template: a {{ is not closed.'],
  ['{{ if .name }}x', 'has no end'],
  ['{{ end }}', 'nothing that this would end'],
  ['{{ hunter2 .name }}', 'a value or a known function is expected'],
  ['{{ (.name }}', 'a ( is not closed'],
  ['{{ .name ; }}', 'is not understood'],
  ['{{ .none }}', 'prints a missing value'],
  ['{{ $x }}', 'a variable that is not set'],
  ['{{ lt .name 1 }}', 'no order'],
  ['{{ len 1 }}', 'length'],
  ['{{ range .name }}{{ end }}', 'not a list'],
  ['{{ .constructor }}', 'missing value'],
])('refuses %s', (template, phrase) => {
  expect(() => render(template)).toThrow(phrase);
  expect(() => render(template)).not.toThrow('hunter2');
});

it('limits its result and its work', () => {
  expect(() => renderTemplate('{{ .a }}', { a: 'x'.repeat(100) }, 99)).toThrow('longer than 99 bytes');
  const loop = '{{ range $.a }}'.repeat(4) + '{{ end }}'.repeat(4);
  expect(() => renderTemplate(loop, { a: Array.from({ length: 100 }, () => 1) }, 1_000)).toThrow('takes too long');
  expect(() => render('{{ if true }}'.repeat(100) + '{{ end }}'.repeat(100))).toThrow('nested too deeply');
  expect(() => render(`{{ "a" ${'| print '.repeat(20_000)}}}`)).toThrow('too many pipes');
});
